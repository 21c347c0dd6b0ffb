import { SHELLS } from "../../store/format/shell-ending.ts";
import type { FileLine } from "../../store/read/line-reader.ts";
import type { UseKind } from "./use.ts";

/**
 * What a line means for prompts and commands, by its first and last bytes in pi's own key order, so that few lines are
 * parsed: most of a session's bytes are results of other tools. (Key order: pi 0.12 to 1.5, versions 1 to 3.)
 */
export type SniffedUse =
	/** Contains nothing of interest. */
	| { readonly kind: "skip" }
	/** Its content is needed, or it is not in pi's form. */
	| { readonly kind: "parse" }
	/** A step without anything of interest; its time is when the next one began. */
	| (StepEnvelope & { readonly kind: "step" })
	/** The result of a command that succeeded. */
	| (StepEnvelope & { readonly kind: "result"; readonly callId: string; readonly durationMs: number | undefined });

/** An answer, or a tool's result. */
export interface StepEnvelope {
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
/** Bytes of a line's tail that tell how a result went. */
const TAIL_CHARS = 128;

const HEAD =
	/^\{"type":"message",(?:"id":"([^"\\]*)","parentId":(?:null|"([^"\\]*)"),)?"timestamp":"([^"\\]*)","message":\{"role":"([a-zA-Z]+)",(?:"toolCallId":"([^"\\]*)","toolName":"([^"\\]*)",)?/;
/** Another type of entry, or the header. */
const OTHER_TYPE = /^\{"type":"(?!message")[a-z_]+",/;
const RESULT_END =
	/,"isError":(true|false)(?:,"durationMs":([\d.]+))?,"timestamp":\d+(?:,"[a-zA-Z]+":(?:"(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null))*\}\}$/;
const CALLS = [...SHELLS].map((name) => Buffer.from(`"name":"${name}"`, "latin1"));

/** Sniffs the line in `bytes[start, end)` for uses of this kind. */
export function sniffUse({ bytes, start, end }: Pick<FileLine, "bytes" | "start" | "end">, kind: UseKind): SniffedUse {
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
	if (!SHELLS.has(toolName)) return { kind: "step", id, parentId, timestamp };
	const ending = RESULT_END.exec(bytes.toString("latin1", Math.max(start, end - TAIL_CHARS), end));
	if (ending?.[1] !== "false") return PARSE;
	const durationMs = ending[2] === undefined ? undefined : Number(ending[2]);
	return { kind: "result", id, parentId, timestamp, callId, durationMs };
}
