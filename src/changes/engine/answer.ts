import type { Tone } from "../../ui/view.ts";

/** What a person is told in one line. */
export interface Message {
	readonly text: string;
	readonly tone: Tone;
}

/** What a person is asked before something goes on. Texts are not cleaned yet. */
export interface Question<Request> {
	readonly title: string;
	/** Sentences, each on rows of its own. */
	readonly body: readonly string[];
	/** The first one is highlighted. */
	readonly choices: readonly Choice<Request>[];
	/** Whether something may be lost. */
	readonly danger: boolean;
}

export interface Choice<Request> {
	readonly label: string;
	/** What is asked for then. None: nothing is done. */
	readonly effect?: Request;
}

/** What came of a request; `select`: the session that the cursor goes to. */
export type Answer<Request = never> =
	| { readonly type: "done"; readonly message: Message; readonly select?: string | undefined }
	| { readonly type: "ask"; readonly question: Question<Request> };

/** Nothing but a message. */
export function say(text: string, tone: Tone = "text"): Answer {
	return { type: "done", message: { text, tone } };
}
