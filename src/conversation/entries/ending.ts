import {
	determinesEnding,
	type Ending,
	endAfter,
	endOf,
	isQuestion,
	NOTHING_SAID,
} from "../../catalog/model/ending.ts";
import { fieldsOf } from "../../store/format/fields.ts";
import { contentText } from "../../store/format/message.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { roleOf, stopMark } from "./entry-kind.ts";

/** What is open at the leaf of a conversation, and a description of that. */
export interface OpenEnd {
	readonly kind: Exclude<Ending, "">;
	readonly text: string;
	/** Id of the last prompt or answer. */
	readonly entryId: string;
}

/** How the conversation ends; undefined if nothing is open or nothing was said. */
export function endingOf(session: Session): OpenEnd | undefined {
	const lastEntries = lastSaid(session);
	const kind = lastEntries.reduce((state, entry) => endAfter(state, fieldsOf(entry)), NOTHING_SAID).ending;
	return kind === "" ? undefined : { kind, text: inWords(kind, lastEntries), entryId: lastEntries[0]?.id ?? "" };
}

/** The path to the leaf from the last prompt or answer on; all of it if there is none. */
function lastSaid({ tree }: Session): readonly SessionEntry[] {
	const path: SessionEntry[] = [];
	for (const entry of tree.table.pathUp(tree.leafId)) {
		path.push(entry);
		if (determinesEnding(roleOf(entry))) break;
	}
	return path.reverse();
}

function inWords(kind: OpenEnd["kind"], entries: readonly SessionEntry[]): string {
	const [first] = entries;
	switch (kind) {
		case "asks":
			return lastQuestion(entries);
		case "failed":
		case "aborted":
			return `the last answer was ${stopMark(fieldsOf(fieldsOf(first).message))?.short ?? kind}`;
		case "open-call":
			return "the last call has no result";
		case "unanswered":
			return `the last ${roleOf(first) === "user" ? "prompt" : "result"} was not answered`;
	}
}

/** The question, as a context edit may have changed it. */
function lastQuestion(entries: readonly SessionEntry[]): string {
	const [answer] = entries;
	const edit = entries.findLast((entry) => entry.type === "context_edit" && entry.targetId === answer?.id);
	const content = fieldsOf(edit === undefined ? fieldsOf(answer).message : fieldsOf(edit).replacement).content;
	const end = endOf(contentText(content, "\n"));
	return (
		end
			.split(/\n|(?<=[.!?])\s+|(?<=[。！？])/)
			.findLast((part) => isQuestion(part))
			?.trim() ?? end
	);
}
