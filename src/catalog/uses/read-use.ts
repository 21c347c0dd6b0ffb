import { isObject } from "../../shared/json.ts";
import type { Steps } from "../../shared/steps.ts";
import { numberOf, textOf } from "../../store/format/fields.ts";
import { contentText, SHELLS, shellEnding } from "../../store/format/message.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";
import { messageEnd, nestedEnd, runsSearch, type StepEnd } from "../../store/format/step-end.ts";
import type { RecordedCall } from "../../store/format/tool-calls.ts";
import { textHash } from "../branches/entry-ids.ts";
import { SessionLines } from "../search/session-lines.ts";
import { type CommandEnding, textsOfEntry, type Use, type UseText } from "./use.ts";

/** The whole text of a use, and what came of it. */
export interface WholeUse {
	readonly text: string;
	/** The last answer in the turn of a prompt, what a command printed; "" for none. */
	readonly answer: string;
}

/** Lines behind a prompt that are read for its answer: those of a turn with many steps. */
const LINES_OF_TURN = 500;

/** Reads a use from its file. Throws if it is no longer there. */
export function readUse(path: string, use: Use): WholeUse {
	const lines = new SessionLines(path);
	try {
		const read = readText(use, lines);
		if (read === undefined || textHash(read.text) !== use.text)
			throw new Error("the session is gone or has changed, and the text is no longer there");
		return { text: read.text, answer: answerTo(read, use, lines).trim() };
	} finally {
		lines.close();
	}
}

interface ReadText extends UseText {
	readonly entry: RawEntry;
}

function readText({ offset, part }: Use, lines: SessionLines): ReadText | undefined {
	const entry = lines.entryAt(offset);
	const text = entry && textsOfEntry(entry)[part];
	return text && { ...text, entry };
}

function answerTo(read: ReadText, { offset }: Use, lines: SessionLines): string {
	if (read.kind === "prompt") return answerBelow(read.entry, offset, lines);
	if (read.call !== undefined) return contentText(resultOf(read, offset, lines)?.message.content, "\n");
	return isObject(read.entry.message) ? textOf(read.entry.message.output) : "";
}

/**
 * The last that was said in the turn of a prompt, on its branch: another prompt from the same place, and its answer, may stand between
 * them.
 */
function answerBelow(prompt: RawEntry, offset: number, lines: SessionLines): string {
	const branch = new Set([prompt.id]);
	let answer = "";
	const isNextTurn = ({ id, parentId, message }: RawEntry): true | undefined => {
		// In the first version entries have no ids.
		if (id !== undefined && !branch.has(parentId)) return undefined;
		branch.add(id);
		if (!isObject(message)) return undefined;
		if (message.role === "assistant") answer = contentText(message.content, "\n").trim() || answer;
		return message.role === "user" || undefined;
	};
	lines.firstAfter(offset, isNextTurn, LINES_OF_TURN);
	return answer;
}

/** Reads how the commands of the model ended, from the results behind them, in steps; once for each. */
export function* addEndings(uses: readonly Use[]): Steps<void> {
	const open = uses.filter(({ by, end, isAsked }) => by === "model" && end === undefined && isAsked !== true);
	for (const [path, some] of Map.groupBy(open, (use) => use.path)) {
		const lines = new SessionLines(path);
		try {
			for (const use of some) {
				Object.assign(use, endingOf(use, lines), { isAsked: true });
				yield;
			}
		} finally {
			lines.close();
		}
	}
}

function endingOf(use: Use, lines: SessionLines): CommandEnding {
	const read = readText(use, lines);
	const result = read && resultOf(read, use.offset, lines);
	if (result === undefined || !SHELLS.has(textOf(result.message.toolName))) return {};
	const { entry, message, previous } = result;
	const end = messageEnd(message, () => runsSearch(message.toolName, { command: read?.text }));
	const isNext = entry.parentId === previous.id || textOf(entry.id) === "";
	const took =
		numberOf(message.durationMs) ?? (isNext ? timeOf(entry.timestamp) - timeOf(previous.timestamp) : undefined);
	const ending = endingBy(end, contentText(message.content, "\n"), end === "not run" ? undefined : took);
	return { ...ending, resultId: textOf(entry.id) };
}

interface CallResult {
	readonly entry: RawEntry;
	readonly message: RawEntry;
	/** The answer or the result before it: the time between them is what the command took. */
	readonly previous: RawEntry;
}

/** The first result behind a call of the model. */
function resultOf({ entry: callEntry, call }: ReadText, offset: number, lines: SessionLines): CallResult | undefined {
	if (call === undefined || call.id === "" || call.nested !== undefined) return undefined;
	let previous = callEntry;
	return lines.firstAfter(offset, (entry) => {
		const message = isObject(entry.message) ? entry.message : {};
		if (message.role === "toolResult" && message.toolCallId === call.id) return { entry, message, previous };
		if (message.role === "assistant" || message.role === "toolResult") previous = entry;
		return undefined;
	});
}

/** How a command of the person ended, or one of a script; nothing for one of the model, which its result tells (`addEndings`). */
export function endingIn(message: RawEntry, call: RecordedCall | undefined): CommandEnding {
	if (call === undefined) {
		const exitCode = numberOf(message.exitCode);
		const end = messageEnd(message, () => false);
		const took = tookMs(numberOf(message.durationMs));
		if (message.cancelled === true) return { end, ended: "cancelled", ...took };
		return exitCode === undefined ? took : { end, exitCode, ...took };
	}
	if (call.nested === undefined) return {};
	const { status, error, durationMs } = call.nested;
	if (status !== "ok" && status !== "error") return tookMs(durationMs);
	return endingBy(nestedEnd(call), error, durationMs);
}

/** `text`: that of the result, which says how a command ended that failed or was stopped. */
function endingBy(end: StepEnd, text: string, durationMs: number | undefined): CommandEnding {
	const ending = end === "ok" || end === "not run" ? undefined : shellEnding(text);
	const took = tookMs(durationMs);
	if (end === "ok") return { end, exitCode: 0, ...took };
	if (ending?.kind === "exit") return { end, exitCode: ending.code, ...took };
	return { end, ended: end === "not run" ? end : (ending?.kind ?? "failed"), ...took };
}

function tookMs(durationMs = Number.NaN): Pick<CommandEnding, "durationMs"> {
	return durationMs >= 0 ? { durationMs } : {};
}
