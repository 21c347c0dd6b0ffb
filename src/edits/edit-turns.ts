import { outlineOf } from "../conversation/entries/outline.ts";
import { turnOfEntry } from "../conversation/entries/passages.ts";
import { entryPlainText } from "../conversation/markdown/plain-text.ts";
import type { Session } from "../store/read/read-session.ts";
import { startOf } from "../ui/text/sanitize.ts";
import type { LineEdit } from "./blame.ts";

/** The turn in which an edit was made. */
export interface EditTurn {
	/** From 1; 0 before the first prompt. */
	readonly turn: number;
	/** The beginning of its prompt, not sanitized; "" before the first one. */
	readonly prompt: string;
	readonly promptId: string | undefined;
	/** Whether it is on the path to the leaf of its session. */
	readonly isActive: boolean;
}

/** UTF-16 units of a prompt that are kept. */
const LONGEST_PROMPT = 500;

export function editTurn(session: Session, entryId: string): EditTurn {
	const { turn, prompt } = turnOfEntry(session, entryId);
	const text = prompt === undefined ? "" : startOf(entryPlainText(prompt), LONGEST_PROMPT);
	return { turn, prompt: text, promptId: prompt?.id, isActive: outlineOf(session).isActive(entryId) };
}

/** Names an edit, by its session and its entry. */
export function turnKey({ session, entryId }: Pick<LineEdit, "session" | "entryId">): string {
	return `${entryId} ${session}`;
}

/** The turns of edits by `turnKey`; those of sessions that `read` cannot read, and of unknown entries, are missing. */
export async function readTurns(
	edits: Iterable<LineEdit>,
	read: (path: string) => Promise<Session | undefined>,
): Promise<ReadonlyMap<string, EditTurn>> {
	const turns = new Map<string, EditTurn>();
	for (const [path, ofSession] of Map.groupBy(edits, ({ session }) => session)) {
		const session = await read(path);
		if (session === undefined) continue;
		for (const entryId of new Set(ofSession.map((edit) => edit.entryId)))
			if (entryId !== "") turns.set(turnKey({ session: path, entryId }), editTurn(session, entryId));
	}
	return turns;
}
