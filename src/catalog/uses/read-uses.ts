import { closeSync } from "node:fs";
import { isObject } from "../../shared/json.ts";
import type { Steps } from "../../shared/steps.ts";
import { type FileStamp, sameStamp, stampOf } from "../../store/files/file-system.ts";
import { openFile } from "../../store/files/open-file.ts";
import { contentText, SHELLS, shellEnding } from "../../store/format/message.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";
import { messageEnd, nestedEnd, runsSearch, type StepEnd } from "../../store/format/step-end.ts";
import { callsNoOthers, type RecordedCall } from "../../store/format/tool-calls.ts";
import { type FileLine, readLinesSteps } from "../../store/read/line-reader.ts";
import { textHash } from "../branches/entry-ids.ts";
import { parseObject } from "../search/parse-object.ts";
import { textsOfEntry, type Use, type UseKind } from "./use.ts";

/** Stores a text by its hash (`Use.text`). */
type KeepText = (hash: number, text: string) => void;

/** The prompts or the commands of a file, in file order. */
export interface FileUses {
	/** Of the file as it was read. */
	readonly stamp: FileStamp;
	readonly uses: readonly Use[];
}

/**
 * Reads all prompts, or all commands, of a session file in steps; reads nothing if the file has not changed since `known`.
 * Only the lines that contain them are parsed; damaged lines are skipped. Throws the error of the file system if
 * the file cannot be read.
 */
export function* readUsesSteps(
	path: string,
	kind: UseKind,
	{ keep, buffer, known }: { readonly keep: KeepText; readonly buffer: Buffer; readonly known?: FileUses | undefined },
): Steps<FileUses> {
	const { fd, stats } = openFile(path);
	try {
		if (known && sameStamp(known.stamp, stats)) return known;
		const gatherer = new UseGatherer(path, kind, keep);
		yield* readLinesSteps(fd, {
			buffer,
			wanted: (head) =>
				mayHaveCalls(head) || sniffUse({ bytes: head, start: 0, end: head.length }, kind).kind === "parse",
			onLine: (line) => {
				gatherer.add(line);
				return true;
			},
		});
		return { stamp: stampOf(stats), uses: gatherer.uses };
	} finally {
		closeSync(fd);
	}
}

/** Whether a line may have a command anywhere: an answer, or the result of a tool that may have called others. */
function mayHaveCalls(head: Buffer): boolean {
	if (head.includes('"role":"assistant"')) return true;
	return head.includes('"role":"toolResult"') && !callsNoOthers({ beginning: head.toString("latin1") });
}

/** Gathers the uses of one kind from the lines of a file. */
class UseGatherer {
	readonly uses: Use[] = [];
	readonly #path: string;
	readonly #kind: UseKind;
	readonly #keep: KeepText;
	/**
	 * Commands still without a result, by the id of their call; some providers number their calls from the start in every
	 * answer.
	 */
	readonly #open = new Map<string, { readonly use: Use; readonly command: string }>();
	/** The last answer or result: the result that follows it took the time between them. */
	#step: StepEnvelope | undefined;
	#line = 0;

	constructor(path: string, kind: UseKind, keep: KeepText) {
		this.#path = path;
		this.#kind = kind;
		this.#keep = keep;
	}

	add(line: FileLine): void {
		this.#line += 1;
		const sniffed = sniffUse(line, this.#kind);
		if (sniffed.kind === "skip") return;
		if (sniffed.kind === "parse") {
			const entry = parseObject(line);
			if (entry) this.#addEntry(entry, line.offset);
			return;
		}
		if (sniffed.kind === "result") this.#finish(sniffed);
		this.#step = sniffed;
	}

	#finish(result: Extract<SniffedUse, { readonly kind: "result" }>): void {
		const use = this.#answered(result.callId)?.use;
		if (use)
			Object.assign(use, {
				exitCode: 0,
				end: "ok",
				...this.#tookOf(result, result.durationMs),
				...this.#resultOf(result),
			});
	}

	#addEntry(entry: RawEntry, offset: number): void {
		const message = isObject(entry.message) ? entry.message : {};
		const envelope = { id: textOf(entry.id), parentId: textOf(entry.parentId), timestamp: textOf(entry.timestamp) };
		if (message.role === "toolResult") this.#addResult(message, envelope);
		const time = timeOf(entry.timestamp ?? message.timestamp);
		for (const [part, { kind, text, by, callId, nested }] of textsOfEntry(entry).entries()) {
			if (kind !== this.#kind) continue;
			const hash = textHash(text);
			this.#keep(hash, text);
			const origin = textHash(`${envelope.id} ${part} ${String(entry.timestamp)} ${text}`);
			const ending = message.role === "bashExecution" ? endingOfOwn(message) : nested ? endingOfNested(nested) : {};
			const place = { path: this.#path, entryId: envelope.id, line: this.#line, offset, part };
			const use: Use = { kind, text: hash, origin, ...place, time, by, ...ending };
			this.uses.push(use);
			if (callId !== "") this.#open.set(callId, { use, command: text });
		}
		if (message.role === "assistant" || message.role === "toolResult") this.#step = envelope;
	}

	#addResult(message: RawEntry, envelope: StepEnvelope): void {
		if (!SHELLS.has(textOf(message.toolName))) return;
		const answered = this.#answered(textOf(message.toolCallId));
		if (!answered) return;
		const { use, command } = answered;
		const end = messageEnd(message, () => runsSearch(message.toolName, { command }));
		const ending = end === "ok" ? { exitCode: 0 } : endingOfError(contentText(message.content, "\n"), end);
		const took = end === "not run" ? {} : this.#tookOf(envelope, numberOf(message.durationMs));
		Object.assign(use, { end }, ending, took, this.#resultOf(envelope));
	}

	#resultOf({ id }: StepEnvelope): Pick<Use, "result"> {
		return { result: { entryId: id, line: this.#line } };
	}

	/** The command that a result answers; a call gets only one result. */
	#answered(callId: string): { readonly use: Use; readonly command: string } | undefined {
		const answered = this.#open.get(callId);
		this.#open.delete(callId);
		return answered;
	}

	/** How long a command ran: as pi wrote it, else the time since the step before its result. */
	#tookOf({ id, parentId, timestamp }: StepEnvelope, written: number | undefined): Pick<Use, "durationMs"> {
		// In version 1 entries have no ids: each continues from the one before it.
		const isNext = id === "" ? this.#step?.id === "" : this.#step?.id === parentId;
		const durationMs = written ?? (isNext ? timeOf(timestamp) - timeOf(this.#step?.timestamp) : Number.NaN);
		return durationMs >= 0 ? { durationMs } : {};
	}
}

/** How a command ended, and how long it ran. */
type Ending = Pick<Use, "exitCode" | "ended" | "end" | "durationMs">;

/** How a command of the user ended. */
function endingOfOwn(message: RawEntry): Ending {
	const durationMs = numberOf(message.durationMs) ?? -1;
	const exitCode = numberOf(message.exitCode);
	return {
		...(message.cancelled === true ? { ended: "cancelled" } : exitCode !== undefined && { exitCode }),
		...(message.cancelled === true || exitCode !== undefined ? { end: messageEnd(message, () => false) } : {}),
		...(durationMs >= 0 && { durationMs }),
	};
}

/** How a command of a script ended. */
function endingOfNested(call: RecordedCall): Ending {
	const { status, error, durationMs } = call.nested ?? { status: "", error: "", durationMs: undefined };
	const took = durationMs === undefined ? {} : { durationMs };
	if (status === "ok") return { exitCode: 0, end: "ok", ...took };
	if (status !== "error") return took;
	const end = nestedEnd(call);
	return { ...endingOfError(error, end), end, ...took };
}

/** How a command of the model ended whose result, with this text, is an error. */
function endingOfError(text: string, end: StepEnd): Pick<Ending, "exitCode" | "ended"> {
	if (end === "not run") return { ended: end };
	const ending = shellEnding(text);
	if (ending?.kind === "exit") return { exitCode: ending.code };
	return { ended: ending?.kind ?? "failed" };
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | undefined {
	return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/**
 * What a line means for prompts and commands, by its first and last bytes in pi's own key order, so that few lines are
 * parsed: most of a session's bytes are results of other tools. (Key order: pi 0.12 to 1.5, versions 1 to 3.)
 */
type SniffedUse =
	/** Contains nothing of interest. */
	| { readonly kind: "skip" }
	/** Its content is needed, or it is not in pi's form. */
	| { readonly kind: "parse" }
	/** A step without anything of interest; its time is when the next one began. */
	| (StepEnvelope & { readonly kind: "step" })
	/** The result of a command that succeeded. */
	| (StepEnvelope & { readonly kind: "result"; readonly callId: string; readonly durationMs: number | undefined });

/** An answer, or a tool's result. */
interface StepEnvelope {
	readonly id: string;
	/** "" if there is none. */
	readonly parentId: string;
	/** As written. */
	readonly timestamp: string;
}

const SKIP: SniffedUse = { kind: "skip" };
const PARSE: SniffedUse = { kind: "parse" };

/** Bytes of a line's head that identify its type. */
const HEAD_CHARS = 420;
/** Bytes of a line's tail that show whether a result is an error. */
const TAIL_CHARS = 128;

const HEAD =
	/^\{"type":"message",(?:"id":"([^"\\]*)","parentId":(?:null|"([^"\\]*)"),)?"timestamp":"([^"\\]*)","message":\{"role":"([a-zA-Z]+)",(?:"toolCallId":"([^"\\]*)","toolName":"([^"\\]*)",)?/;
/** Another type of entry, or the header. */
const OTHER_TYPE = /^\{"type":"(?!message")[a-z_]+",/;
const RESULT_END =
	/,"isError":(true|false)(?:,"durationMs":([\d.]+))?,"timestamp":\d+(?:,"[a-zA-Z]+":(?:"(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null))*\}\}$/;
const NESTED = Buffer.from('"nestedCalls"', "latin1");
const CALLS = [...SHELLS].map((name) => Buffer.from(`"name":"${name}"`, "latin1"));

/** Sniffs the line in `bytes[start, end)` for uses of this kind. */
function sniffUse({ bytes, start, end }: Pick<FileLine, "bytes" | "start" | "end">, kind: UseKind): SniffedUse {
	const head = bytes.toString("latin1", start, Math.min(end, start + HEAD_CHARS));
	const found = HEAD.exec(head);
	if (found === null) return OTHER_TYPE.test(head) ? SKIP : PARSE;
	const [, id = "", parentId = "", timestamp = "", role, callId, toolName] = found;
	if (kind === "prompt") return role === "user" ? PARSE : SKIP;
	if (role === "bashExecution") return PARSE;
	if (role === "assistant") {
		const line = bytes.subarray(start, end);
		return CALLS.some((call) => line.includes(call)) ? PARSE : { kind: "step", id, parentId, timestamp };
	}
	if (role !== "toolResult") return SKIP;
	if (callId === undefined || toolName === undefined) return PARSE;
	if (!callsNoOthers({ name: toolName }) && bytes.subarray(start, end).includes(NESTED)) return PARSE;
	if (!SHELLS.has(toolName)) return { kind: "step", id, parentId, timestamp };
	const ending = RESULT_END.exec(bytes.toString("latin1", Math.max(start, end - TAIL_CHARS), end));
	if (ending?.[1] !== "false") return PARSE;
	const durationMs = ending[2] === undefined ? undefined : Number(ending[2]);
	return { kind: "result", id, parentId, timestamp, callId, durationMs };
}
