import { messageFields } from "../conversation/blocks/block.ts";
import { outlineOf } from "../conversation/entries/outline.ts";
import { turnOfEntry } from "../conversation/entries/passages.ts";
import { promptHead } from "../conversation/entries/row-text.ts";
import type { Session } from "../store/read/read-session.ts";
import { formatCount } from "../ui/text/format.ts";
import { startOf } from "../ui/text/sanitize.ts";
import type { LineEdit } from "./blame.ts";
import { ON_BRANCH } from "./known.ts";
import type { SessionEdit } from "./session-files.ts";

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
	const text = prompt === undefined ? "" : startOf(promptHead(messageFields(prompt).content), LONGEST_PROMPT);
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

/**
 * When edits of a file were made: "turn 2", "turns 1, 3, turn 3 on a branch that was left", more than `most` of them "turns 3–21"; of the
 * only thing that a command did "moved here in turn 2".
 */
export function turnNames(edits: readonly SessionEdit[], most = Number.POSITIVE_INFINITY): string {
	const [edit, ...more] = edits;
	return [true, false]
		.flatMap((isActive) => {
			const turns = [...new Set(edits.filter((one) => one.isActive === isActive).map(({ turn }) => turn))];
			if (turns.length === 0) return [];
			const isRange = turns.length > most;
			const list = isRange
				? `${formatCount(Math.min(...turns))}–${formatCount(Math.max(...turns))}`
				: turns.map(formatCount).join(", ");
			const deed = more.length > 0 || edit?.deed === undefined ? "" : `${edit.deed} in `;
			return `${deed}${turns.length === 1 ? "turn" : "turns"} ${list}${isActive ? "" : ` ${ON_BRANCH}`}`;
		})
		.join(", ");
}
