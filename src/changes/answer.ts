import type { Tone } from "../ui/text/line.ts";

/** One line for the person. */
export interface Message {
	readonly text: string;
	readonly tone: Tone;
	/** What one undo does now, to be said behind its key: "brings it back"; undefined if it cannot undo what the message is about. */
	readonly undoing?: string | undefined;
}

/** What undo does where there is nothing better to say of it. */
export const UNDOES = "undoes this";

/** A question to answer before the work continues. Its texts are not sanitized yet. */
export interface Question<Request> {
	readonly title: string;
	/** The title of the session that it is about, in a row of its own. */
	readonly about?: string;
	/** Sentences, each starting on a new row. */
	readonly body: readonly (string | Note)[];
	readonly choices: readonly Choice<Request>[];
	/** The highlighted choice. @default 0 */
	readonly index?: number;
	/** Whether something may be lost. */
	readonly danger: boolean;
	/** What it depends on, as text for comparison. @default all that it says */
	readonly facts?: string;
}

/** A sentence of a question. */
export interface Note {
	readonly text: string;
	readonly tone?: Tone;
	/** "title": of a session, cut to one row; "row": it is not wrapped. */
	readonly shape?: "title" | "row";
}

export interface Choice<Request> {
	readonly label: string;
	/** The request that the choice makes; without one, nothing is done. */
	readonly effect?: Request;
}

/** The result of a request; `select`: path of the session that the cursor moves to. */
export type Answer<Request = never> =
	| { readonly type: "done"; readonly message: Message; readonly select?: string | undefined }
	| { readonly type: "ask"; readonly question: Question<Request> };

export function sayOnly(text: string, tone: Tone = "text"): Answer {
	return { type: "done", message: { text, tone } };
}
