import type { Session } from "../../store/read/read-session.ts";
import { startOf } from "../../ui/text/sanitize.ts";
import { turnOfEntry } from "../entries/passages.ts";
import { entryPlainText } from "./plain-text.ts";

/** The turn in which an edit was made. */
export interface EditTurn {
	/** From 1; 0 before the first prompt. */
	readonly turn: number;
	/** The beginning of its prompt, not sanitized; "" before the first one. */
	readonly prompt: string;
	readonly promptId: string | undefined;
}

/** UTF-16 units of a prompt that are kept. */
const LONGEST_PROMPT = 500;

export function editTurn(session: Session, entryId: string): EditTurn {
	const { turn, prompt } = turnOfEntry(session, entryId);
	const text = prompt === undefined ? "" : startOf(entryPlainText(prompt), LONGEST_PROMPT);
	return { turn, prompt: text, promptId: prompt?.id };
}
