import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import type { ShownLine } from "../../../edits/shown-lines.ts";
import { isSameLine, openBlame } from "../../world/opened/blame-lines.ts";
import { openComment } from "../../world/opened/comment-lines.ts";
import { wholePage } from "../../world/page/page.ts";
import type { BlameSource } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { CHANGES, type ChangesRow, selectChanges, selectChangesRows } from "./changes-state.ts";
import { lineEditsOf } from "./row-edits.ts";

export function whyNoChangedLine(_: State, { shows }: ChangesRow): string | undefined {
	return shows.some(isOfFile) ? undefined : "Move to a line of a file";
}

function isOfFile({ kind }: DiffLine): boolean {
	return kind !== "gap" && kind !== "note";
}

/** Opens the box that says who wrote the line of a row; the arrow keys go to the other ones of its diff. */
export function blameRow(state: State, { file, diff, shows }: ChangesRow): State {
	const edits = diff?.edit === undefined ? file.edits : [diff.edit];
	const [first, last] = [edits[0], edits.at(-1)];
	const changes = selectChanges(state);
	const session = changes?.sessions.get(last?.session ?? "");
	const row = shows.findLast(isOfFile);
	if (!changes || !diff || !session || !first || !last || !row) return state;
	const authors = lineEditsOf(file, changes, state.environment.home);
	const shownLines = diff.lines.filter(isOfFile);
	const lines = shownLines.map((line): ShownLine => {
		const removedBy = line.kind === "removed" ? (diff.edit ?? authors.of(line, diff.lines)) : undefined;
		if (removedBy !== undefined) return { ...line, removedBy };
		const only = diff.edit ?? (file.answer === "exact" ? authors.onlyOf(line) : undefined);
		const isOwn = line.kind === "added" && only?.tool === "edit" && only.session === session.path;
		return isOwn ? { ...line, addedBy: only.entryId } : line;
	});
	const request = { session, path: file.absolute, lines, first: first.entryId, last: last.entryId };
	return openBlame(state, request, shownLines.indexOf(row), sourceOf(file.path));
}

/** Opens the field for a comment on the line of a row. */
export function commentRow(state: State, { file, diff, shows }: ChangesRow): State {
	const changes = selectChanges(state);
	const line = shows.findLast(isOfFile);
	if (changes === undefined || diff === undefined || line === undefined) return state;
	const authors = lineEditsOf(file, changes, state.environment.home);
	const last = diff.edit ?? file.edits.at(-1);
	const entryOf = (one: typeof line): string => (diff.edit ?? authors.of(one, diff.lines) ?? last)?.entryId ?? "";
	const lines = diff.lines.filter(isOfFile);
	const { absolute: path, names } = file;
	return openComment(state, { path, names, lines, entryOf }, lines.indexOf(line));
}

function sourceOf(path: string): BlameSource {
	const indexOf = (state: State, shown: DiffLine): number =>
		selectChangesRows(state).findIndex(
			({ file, shows }) => file.path === path && shows.some((one) => isSameLine(one, shown)),
		);
	return {
		rowOf(state, line) {
			const { y, height } = wholePage(state.size);
			const row = indexOf(state, line) - CHANGES.of(state).cursor.top;
			return row < 0 || row >= height ? undefined : y + row;
		},
		show(state, line) {
			const index = indexOf(state, line);
			const row = selectChangesRows(state)[index];
			return row === undefined
				? state
				: CHANGES.with(state, { cursor: { ...CHANGES.of(state).cursor, selected: row.key, index } });
		},
	};
}
