import { isObject } from "../../shared/is-object.ts";
import { answerFailed, answerStopped } from "../../store/format/has-failed.ts";
import { contentBlocks, contentText } from "../../store/format/message-text.ts";
import type { RawEntry } from "../../store/format/parse.ts";
import { timeOf } from "../../store/format/time.ts";
import { textHash } from "../branches/text-hash.ts";

/** How a conversation stands at its leaf, by the last thing that was said on the path to it. All but "" wait for the person. */
export type Ending =
	/** An answer, or nothing at all. */
	| ""
	/** An answer that ends with a question. */
	| "asks"
	/** An answer that failed. */
	| "failed"
	/** An answer that was aborted, or is not whole for another reason. */
	| "aborted"
	/** A call that never got its result. */
	| "open-call"
	/** A prompt, or the result of a tool: nobody answered. */
	| "unanswered";

/** How a conversation stands after an entry, with what the entries that follow on the path may change. As plain data. */
export interface EndState {
	readonly ending: Ending;
	/** When the last thing was said, Unix ms; 0 where that is not known. */
	readonly endedMs: number;
	/** The calls of the last answer that have no result yet, by the hashes of their ids. */
	readonly open: readonly number[];
	/** The answer that is the last thing said, by the hash of its id: a context edit may change it. 0 for anything else. */
	readonly answer: number;
}

/** Before the first entry. */
export const NOTHING_SAID: EndState = { ending: "", endedMs: 0, open: [], answer: 0 };

/** Characters of an answer's end in which a question is looked for. */
const END = 400;
/** A question mark, what may stand behind it as decoration, and the answers that are offered, as "(y/n)". */
const QUESTION = /[?？؟]["'”’»」』）)*_`~\]\s]*(?:[([（][^()[\]（）]{1,60}[)\]）][*_`\s]*)?$/;

/** The end of a text, in which `isQuestion` looks. */
export function endOf(text: string): string {
	return text.slice(-END).trimEnd();
}

/** Whether a text ends with a question. */
export function isQuestion(end: string): boolean {
	return QUESTION.test(end);
}

/** Whether how a conversation stands after an entry does not depend on what was before it. */
export function saysAnew(role: unknown): boolean {
	return role === "user" || role === "assistant";
}

/**
 * How a conversation stands after the next entry of its path. Only prompts, answers and results count, and edits of the last
 * answer: what an extension says, a compaction or a command of the person answers nothing.
 */
export function endAfter(state: EndState, entry: RawEntry): EndState {
	if (entry.type === "context_edit") return afterEdit(state, entry);
	if (entry.type !== "message" || !isObject(entry.message)) return state;
	const { message } = entry;
	const time = timeOf(entry.timestamp);
	const endedMs = Number.isNaN(time) ? 0 : time;
	switch (message.role) {
		case "user":
			return { ending: "unanswered", endedMs, open: [], answer: 0 };
		case "assistant":
			return { ...answerEnd(message), endedMs, answer: typeof entry.id === "string" ? textHash(entry.id) : 0 };
		case "toolResult":
			return afterResult({ ...state, endedMs: endedMs || state.endedMs }, message);
		default:
			return state;
	}
}

function answerEnd(message: RawEntry): Pick<EndState, "ending" | "open"> {
	if (answerFailed(message)) return { ending: "failed", open: [] };
	if (answerStopped(message)) return { ending: "aborted", open: [] };
	const open = contentBlocks(message.content).flatMap((block) =>
		block.type === "toolCall" ? [callHash(block.id)] : [],
	);
	if (open.length > 0) return { ending: "open-call", open };
	return { ending: isQuestion(endOf(contentText(message.content, "\n"))) ? "asks" : "", open };
}

function afterResult(state: EndState, { toolCallId }: RawEntry): EndState {
	const call = callHash(toolCallId);
	const open = state.open.filter((id) => id !== call);
	// What a tool still says after an answer that failed or was aborted does not go on with it.
	const isOver = state.ending === "failed" || state.ending === "aborted";
	if (isOver) return { ...state, answer: 0 };
	return { ...state, ending: open.length > 0 ? "open-call" : "unanswered", open, answer: 0 };
}

/** The last answer may be left out, or say something else. */
function afterEdit(state: EndState, { targetId, replacement }: RawEntry): EndState {
	if (state.answer === 0 || typeof targetId !== "string" || textHash(targetId) !== state.answer) return state;
	if (!isObject(replacement)) return { ...state, ending: "unanswered", open: [], answer: 0 };
	if (state.ending === "failed" || state.ending === "aborted") return state;
	return { ...state, ...answerEnd({ content: replacement.content }) };
}

/** A call without an id is answered by a result without one. */
function callHash(id: unknown): number {
	return textHash(typeof id === "string" ? id : "");
}
