import type { Since } from "../../store/actions/session-history.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { CLEAR, type Outlook, refuse, type UndoCheck } from "./kind.ts";

/** The state of a name or a label; "" stands for none. */
interface Texts {
	/** "name", "label" */
	readonly noun: string;
	readonly now: string;
	/** What the change set; undefined if the journal does not say. */
	readonly set: string | undefined;
	/** What an undo sets. */
	readonly before: string;
}

export function checkText({ noun, now, set, before }: Texts): UndoCheck {
	if (now === set || set === undefined) return CLEAR;
	return now === before ? { kind: "done" } : changedSince(noun, now);
}

export function checkTextAgain({ noun, now, set, before }: Texts): Outlook {
	if (set === undefined) return refuse(`the journal does not say which ${noun} it set`);
	if (now === set) return refuse(`the ${noun} is already that`);
	return now === before ? CLEAR : changedSince(noun, now);
}

function changedSince(noun: string, now: string): Outlook {
	const why =
		now === "" ? `Since then the ${noun} has been cleared.` : `Since then the ${noun} has been changed to “${now}”.`;
	return { kind: "ask", why };
}

/** Whether anything has been said in a session since a change. */
export function hasGoneOn({ messages, others }: Since): boolean {
	return messages + others > 0;
}

/** Refuses an undo that would lose what has been said since. */
export function refuseGoneOn({ messages, others }: Since): Outlook {
	const newer =
		messages > 0 ? formatCounted(messages, "newer message") : formatCounted(others, "newer entry", "newer entries");
	return refuse(`the session has ${newer}; undo would lose ${(messages || others) === 1 ? "it" : "them"}`);
}
