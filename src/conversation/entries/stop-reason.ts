import { answerFailed } from "../../store/format/message.ts";
import type { Tone } from "../../ui/text/line.ts";
import { type Fields, textOf } from "./fields.ts";

/** Why an answer is incomplete. */
export interface StopMark {
	/** For a row: "aborted". */
	readonly short: string;
	/** For a line above the entry's text. */
	readonly long: string;
	readonly tone: Tone;
}

const FAILED: StopMark = { short: "failed", long: "failed", tone: "error" };

const MARKS: ReadonlyMap<string, StopMark> = new Map<string, StopMark>([
	["aborted", { short: "aborted", long: "aborted", tone: "warning" }],
	["length", { short: "cut off", long: "cut off: length limit", tone: "warning" }],
	["pending", { short: "unfinished", long: "unfinished: still being written when it was saved", tone: "warning" }],
	["deferred", { short: "deferred", long: "deferred: the provider answers later", tone: "warning" }],
]);

/** Why an answer is incomplete; undefined if it is complete. */
export function stopMark(message: Fields): StopMark | undefined {
	return answerFailed(message) ? FAILED : MARKS.get(textOf(message.stopReason));
}
