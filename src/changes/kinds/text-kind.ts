import { CLEAR, type Outlook, refuse, type UndoCheck } from "./kind.ts";

/** What names and labels have in common: a text is set, and an undo sets the one before. */

/** `set`: what the change has set, undefined if that is not known; `before`: what an undo sets; "" for none. */
interface Texts {
	/** "name", "label" */
	readonly noun: string;
	readonly now: string;
	readonly set: string | undefined;
	readonly before: string;
}

export function checkText({ noun, now, set, before }: Texts): UndoCheck {
	if (now === set || set === undefined) return CLEAR;
	return now === before ? { kind: "done" } : changedSince(noun, now);
}

export function checkTextAgain({ noun, now, set, before }: Texts): Outlook {
	if (set === undefined) return refuse(`the journal does not say which ${noun} it set`);
	if (now === set) return refuse(`the ${noun} is that already`);
	return now === before ? CLEAR : changedSince(noun, now);
}

function changedSince(noun: string, now: string): Outlook {
	const why =
		now === "" ? `Since then the ${noun} has been cleared.` : `Since then the ${noun} has been changed to “${now}”.`;
	return { kind: "ask", why };
}
