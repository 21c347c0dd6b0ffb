import { isObject } from "../../shared/json.ts";
import { answerFailed, answerStopped, contentBlocks, contentText } from "../../store/format/message.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";
import { textHash } from "../branches/entry-ids.ts";

/** How a conversation ends at its leaf, by the last message on the path to it. All but "" wait for the user. */
export type Ending =
	/** An answer, or nothing at all. */
	| ""
	/** An answer that ends with a question. */
	| "asks"
	| "failed"
	/** An answer that was aborted, or is incomplete for another reason. */
	| "aborted"
	/** A call that never got its result. */
	| "open-call"
	/** A prompt, or a tool's result, without an answer. */
	| "unanswered";

/**
 * What the row of a session that waits for the person says of its ending, and the meaning in a sentence about the session. `is:` takes
 * these words.
 */
export const ENDING_BADGES: Readonly<
	Record<Exclude<Ending, "">, { readonly words: string; readonly meaning: string }>
> = {
	asks: { words: "asks", meaning: "is waiting: its last answer ends with a question" },
	failed: { words: "failed", meaning: "is waiting: its last answer failed" },
	aborted: { words: "aborted", meaning: "is waiting: its last answer was aborted or is incomplete" },
	"open-call": { words: "no result", meaning: "is waiting: a call has no result" },
	unanswered: { words: "no answer", meaning: "is waiting: a prompt or a result has no answer" },
};

/** The state after an entry, with what later entries of the path may change. Plain data. */
export interface EndState {
	readonly ending: Ending;
	/** Time of the last message, Unix ms; 0 if unknown. */
	readonly endedMs: number;
	/** Calls of the last answer that still lack a result, as hashes of their ids. */
	readonly open: readonly number[];
	/** Hash of the id of the answer, if it is the last message: a context edit may change it. Otherwise 0. */
	readonly answer: number;
}

/** Before the first entry. */
export const NOTHING_SAID: EndState = { ending: "", endedMs: 0, open: [], answer: 0 };

/** Characters at the end of an answer that are searched for a question. */
const END = 400;
/** A question mark, decoration that may follow it, and offered choices such as "(y/n)". */
const QUESTION = /[?？؟]["'”’»」』）)*_`~\]\s]*(?:[([（][^()[\]（）]{1,60}[)\]）][*_`\s]*)?$/;

/** The end of a text, as `isQuestion` takes it. */
export function endOf(text: string): string {
	return text.slice(-END).trimEnd();
}

export function isQuestion(end: string): boolean {
	return QUESTION.test(end);
}

/** Whether a message of this role alone determines the state after it, whatever came before. */
export function determinesEnding(role: unknown): boolean {
	return role === "user" || role === "assistant";
}

/**
 * The state after the next entry of a path. Only prompts, answers, results and edits of the last answer count: a message of
 * an extension, a compaction or a command of the user answers nothing.
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
	// A result that arrives after its answer failed or was aborted does not continue it.
	const isOver = state.ending === "failed" || state.ending === "aborted";
	if (isOver) return { ...state, answer: 0 };
	return { ...state, ending: open.length > 0 ? "open-call" : "unanswered", open, answer: 0 };
}

/** The last answer may have been removed or replaced. */
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
