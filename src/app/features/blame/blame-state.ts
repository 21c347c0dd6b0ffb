import type { LineEdit } from "../../../edits/blame.ts";
import { type EditTurn, turnKey } from "../../../edits/edit-turns.ts";
import type { CommitName } from "../../../edits/repository.ts";
import { type ShownAuthor, type ShownLine, shownAuthor } from "../../../edits/shown-lines.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { openedBlame } from "../../world/opened/blame-lines.ts";
import { currentEntry } from "../../world/opened/select-reader.ts";
import { pageOf } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { type BlameRequest, findAuthors, type LinesFound } from "./effects/blame-effects.ts";

export const BLAME = defineQuery<BlameRequest, LinesFound>({
	name: "blame",
	wanted(state) {
		const overlay = openedBlame(state);
		return overlay && { asked: overlay.asked, rows: state.catalog.rows };
	},
	isSame: (askedKey, wantedKey) => askedKey.asked === wantedKey.asked,
	load: findAuthors,
	canFail: true,
	forgets: true,
});

export interface BlamedNow {
	readonly session: Session;
	/** The place of the session, if it is not on this machine. */
	readonly place: string | undefined;
	readonly line: ShownLine;
	/** How far the search is; undefined once the line is answered. */
	readonly progress: Pick<LinesFound, "searched" | "total"> | undefined;
	readonly error: string | undefined;
	/** Undefined as long as only the search can tell. */
	readonly author: ShownAuthor | undefined;
	/** The edit that enter goes to: that of the author, or one of the candidates. */
	readonly edit: LineEdit | undefined;
	readonly turns: ReadonlyMap<string, EditTurn>;
	/** Whether that edit is what is read now. */
	readonly isHere: boolean;
	readonly commit: CommitName | undefined;
	readonly repository: string | undefined;
}

export function blamedNow(state: State): BlamedNow | undefined {
	const overlay = openedBlame(state);
	const line = overlay?.asked.lines[overlay.at];
	if (overlay === undefined || line === undefined) return undefined;
	const { session, place } = overlay.asked;
	const { value, key, error } = BLAME.of(state);
	const answer = key?.asked === overlay.asked ? value : undefined;
	const { searched = 0, total = 0, authors, turns = new Map() } = answer ?? {};
	const author: ShownAuthor | undefined = authors?.authors.get(line) ?? shownAuthor(line, overlay.asked);
	const edit = author?.edits[overlay.candidate];
	const isRead = edit?.session === session.path && currentEntry(state)?.id === edit.entryId;
	return {
		...{ session, place, line, author, edit, turns, error, commit: author?.commit, repository: authors?.repository },
		progress: authors?.authors.has(line) === true ? undefined : { searched, total },
		isHere: isRead && pageOf(state) === undefined,
	};
}

export function turnOfEdit({ turns }: BlamedNow, edit: LineEdit): EditTurn | undefined {
	return turns.get(turnKey(edit));
}
