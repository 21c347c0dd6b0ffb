import { isObject } from "../../shared/json.ts";
import type { Steps } from "../../shared/steps.ts";
import { withFile } from "../../store/files/open-file.ts";
import { cannot } from "../../store/files/store-error.ts";
import { numberOf, textOf } from "../../store/format/fields.ts";
import { contentText, SHELLS, shellEnding } from "../../store/format/message.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";
import { messageEnd, nestedEnd, runsSearch, type StepEnd } from "../../store/format/step-end.ts";
import type { RecordedCall } from "../../store/format/tool-calls.ts";
import { CHUNK_BYTES, readLineAt } from "../../store/read/line-reader.ts";
import { textHash } from "../branches/entry-ids.ts";
import { KINDS } from "../query/kinds.ts";
import { holdsAll, SearchText } from "../query/match.ts";
import type { Query } from "../query/parse-query.ts";
import { alternativesOf } from "../query/term.ts";
import { batchesOf } from "../search/batches.ts";
import type { SearchFile } from "../search/search.ts";
import type { SearchTools } from "../search/search-files.ts";
import { linesWithAny } from "../search/search-session.ts";
import { parseObject, SessionLines } from "../search/session-lines.ts";
import { textsOfEntry, type Use, type UseKind } from "./use.ts";

interface UseSearchOptions extends SearchTools {
	/** Called with the number of files searched so far; a file without a match counts when its batch is done. */
	readonly onProgress?: ((searched: number) => void) | undefined;
}

export interface FoundUse {
	readonly use: Use;
	/** Trimmed. */
	readonly text: string;
}

/** What to say of the sessions that could not be read; the values are the reasons. */
export function unreadSentences(unread: ReadonlyMap<string, string>): readonly string[] {
	return [...unread].map(([path, reason]) => cannot("read the session", path, "unreadable", reason).message);
}

/**
 * Finds the prompts, or the commands, whose text meets a query, in files in this order. Yields the uses of each file together, in file
 * order, without the outcomes of commands (`addOutcomes`). Rejects with a `RipgrepError`, or the signal's reason.
 */
export async function* findUses(
	kind: UseKind,
	query: Query,
	files: readonly SearchFile[],
	options: UseSearchOptions,
): AsyncGenerator<readonly FoundUse[]> {
	const kinds = KINDS[kind === "prompt" ? "user" : "command"].bit;
	// Lines with the first of the words; the whole query is compared with the text.
	const [term = { kinds }] = query.terms;
	const terms = alternativesOf(term).map((one) => ({ ...one, tool: undefined, kinds }));
	let count = 0;
	for (const batch of batchesOf(files)) {
		const end = count + batch.length;
		for await (const { file, read, lines } of linesWithAny(terms, batch, options)) {
			const uses: FoundUse[] = [];
			for await (const { offset, number } of lines)
				for (const [at, entry] of read.entriesOn(offset)) {
					const usesHere = usesIn(entry, kind, { path: file.path, offset: at, line: number });
					uses.push(...usesHere.filter((one) => meets(one, kind, query)));
				}
			options.onProgress?.(++count);
			if (uses.length > 0) yield uses;
		}
		count = end;
		options.onProgress?.(count);
	}
}

function meets({ text }: FoundUse, kind: UseKind, query: Query): boolean {
	const compared = kind === "prompt" ? new SearchText("user", text) : new SearchText("command", text, "bash");
	return holdsAll([compared], query);
}

function usesIn(entry: RawEntry, kind: UseKind, place: Pick<Use, "path" | "offset" | "line">): FoundUse[] {
	const message = isObject(entry.message) ? entry.message : {};
	const entryId = textOf(entry.id);
	const time = timeOf(entry.timestamp ?? message.timestamp);
	return textsOfEntry(entry).flatMap(({ kind: textKind, text, by, nested }, part) => {
		if (textKind !== kind) return [];
		const origin = textHash(`${entryId} ${part} ${time} ${text}`);
		const ending = message.role === "bashExecution" ? endingOfOwn(message) : nested ? endingOfNested(nested) : {};
		return [{ text, use: { kind, text: textHash(text), origin, ...place, entryId, part, time, by, ...ending } }];
	});
}

/** Reads how the uses ended that the model ran, from the results behind them, in steps; once for each. */
export function* addOutcomes(uses: readonly Use[]): Steps<void> {
	for (const [path, some] of Map.groupBy(uses.filter(isOpen), ({ path }) => path)) {
		const lines = new SessionLines(path);
		try {
			for (const use of some) {
				Object.assign(use, { isAsked: true, ...outcomeOf(use, lines) });
				yield;
			}
		} finally {
			lines.close();
		}
	}
}

function isOpen({ kind, by, end, isAsked }: Use): boolean {
	return kind === "command" && by === "model" && end === undefined && isAsked !== true;
}

function outcomeOf(use: Use, lines: SessionLines): Partial<Use> {
	const call = lines.entryAt(use.offset);
	const command = call && textsOfEntry(call)[use.part];
	if (call === undefined || command === undefined || command.callId === "") return {};
	// The answer or result before it: the time between them is what the command took.
	let previous = call;
	const result = lines.firstAfter(use.offset, (entry) => {
		const message = isObject(entry.message) ? entry.message : {};
		if (message.role === "toolResult" && message.toolCallId === command.callId) return { entry, message };
		if (message.role === "assistant" || message.role === "toolResult") previous = entry;
		return undefined;
	});
	if (result === undefined || !SHELLS.has(textOf(result.message.toolName))) return {};
	const { entry, message } = result;
	const end = messageEnd(message, () => runsSearch(message.toolName, { command: command.text }));
	const isNext = entry.parentId === previous.id || textOf(entry.id) === "";
	const took =
		numberOf(message.durationMs) ?? (isNext ? timeOf(entry.timestamp) - timeOf(previous.timestamp) : Number.NaN);
	return {
		end,
		...(end === "ok" ? { exitCode: 0 } : endingOfError(contentText(message.content, "\n"), end)),
		...(end !== "not run" && took >= 0 && { durationMs: took }),
		resultId: textOf(entry.id),
	};
}

/** The whole text of a use, and what came of it. */
export interface WholeUse {
	readonly text: string;
	/** The first answer behind a prompt, what a command printed; "" for none. */
	readonly answer: string;
}

/** Reads a use from its file. Throws if it cannot be read, or is no longer there. */
export function readUse(path: string, { kind, offset, part, text }: Use): WholeUse {
	const entry = withFile(path, (fd) => readLineAt(fd, offset, Buffer.allocUnsafe(CHUNK_BYTES), parseObject));
	const use = entry && textsOfEntry(entry)[part];
	if (use === undefined || textHash(use.text) !== text)
		throw new Error("the session has changed, and the text is no longer there");
	const message = isObject(entry?.message) ? entry.message : {};
	if (message.role === "bashExecution") return { text: use.text, answer: textOf(message.output).trim() };
	const lines = new SessionLines(path);
	try {
		const answer = lines.firstAfter(offset, ({ message }) => {
			if (!isObject(message)) return undefined;
			const isIt = kind === "prompt" ? message.role === "assistant" : message.toolCallId === use.callId;
			return isIt ? contentText(message.content, "\n").trim() || undefined : undefined;
		});
		return { text: use.text, answer: answer ?? "" };
	} finally {
		lines.close();
	}
}

type CommandEnding = Pick<Use, "exitCode" | "ended" | "end" | "durationMs">;

/** How a command of the user ended. */
function endingOfOwn(message: RawEntry): CommandEnding {
	const durationMs = numberOf(message.durationMs) ?? -1;
	const exitCode = numberOf(message.exitCode);
	const isEnded = message.cancelled === true || exitCode !== undefined;
	return {
		...(message.cancelled === true ? { ended: "cancelled" } : exitCode !== undefined && { exitCode }),
		...(isEnded ? { end: messageEnd(message, () => false) } : {}),
		...(durationMs >= 0 && { durationMs }),
	};
}

/** How a command of a script ended. */
function endingOfNested(call: RecordedCall): CommandEnding {
	const { status, error, durationMs } = call.nested ?? { status: "", error: "", durationMs: undefined };
	const took = durationMs === undefined ? {} : { durationMs };
	if (status === "ok") return { exitCode: 0, end: "ok", ...took };
	if (status !== "error") return took;
	const end = nestedEnd(call);
	return { ...endingOfError(error, end), end, ...took };
}

/** How a command of the model ended whose result, with this text, is an error. */
function endingOfError(text: string, end: StepEnd): Pick<CommandEnding, "exitCode" | "ended"> {
	if (end === "not run") return { ended: end };
	const ending = shellEnding(text);
	if (ending?.kind === "exit") return { exitCode: ending.code };
	return { ended: ending?.kind ?? "failed" };
}
