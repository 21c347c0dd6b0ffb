import type { Session } from "../../store/read/read-session.ts";
import { entryKind } from "./entry-kind.ts";
import { fieldsOf } from "./fields.ts";
import { conversationLeaf } from "./leaf.ts";
import { entryPlainText } from "./plain-text.ts";
import { stopMark } from "./stop-reason.ts";

/** How a conversation stands at its leaf, where it does not just end with an answer. */
export type Ending =
	/** The last answer ends with a question. */
	| { readonly kind: "asked"; readonly text: string }
	/** The last answer is not whole: "aborted", "failed". */
	| { readonly kind: "stopped"; readonly text: string }
	/** The last thing is a prompt, a call, or what a tool said: nobody answered. */
	| { readonly kind: "unanswered"; readonly text: string };

/** Characters of an answer's end in which its last sentence is looked for. */
const END = 400;
/** Whatever stands behind a question mark as decoration. */
const QUESTION = /[?？]["'”’)*_`\s]*$/;

/** How the conversation ends; undefined where nothing is open, and where nothing was said. */
export function endingOf(session: Session): Ending | undefined {
	const entry = session.tree.byId.get(conversationLeaf(session) ?? "");
	if (entry === undefined) return undefined;
	switch (entryKind(entry)) {
		case "prompt":
			return { kind: "unanswered", text: "the last prompt was not answered" };
		case "calls":
			return { kind: "unanswered", text: "the last call has no result" };
		case "result":
			return { kind: "unanswered", text: "the last result was not answered" };
		case "answer": {
			const stop = stopMark(fieldsOf(fieldsOf(entry).message));
			if (stop !== undefined) return { kind: "stopped", text: `the last answer was ${stop.short}` };
			const end = entryPlainText(entry).slice(-END).trimEnd();
			return QUESTION.test(end) ? { kind: "asked", text: lastSentence(end) } : undefined;
		}
		default:
			return undefined;
	}
}

function lastSentence(end: string): string {
	return (
		end
			.split(/\n|(?<=[.!?])\s+|(?<=[。！？])/)
			.findLast((part) => QUESTION.test(part))
			?.trim() ?? end
	);
}
