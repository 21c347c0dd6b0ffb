import { isSameLine, openBlame } from "../../world/opened/blame-lines.ts";
import { wholePage } from "../../world/page/page.ts";
import type { BlameSource, LineOnScreen } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { CHANGES, type ChangesRow, selectChanges, selectRows } from "./changes-state.ts";
import { lineEditsOf } from "./row-edits.ts";

export function whyNoLine(_: State, { shows }: ChangesRow): string | undefined {
	return lineOf(shows) === undefined ? "Move to a line of a file to see who wrote it" : undefined;
}

function lineOf(shows: ChangesRow["shows"]) {
	const line = shows.at(-1);
	return line?.kind === "gap" || line?.kind === "note" ? undefined : line;
}

/** Opens the box that says who wrote the line of a row; the arrow keys go to the other ones of its diff. */
export function blameRow(state: State, { file, diff, shows }: ChangesRow): State {
	const [first, last] = diff?.edit === undefined ? [file.edits[0], file.edits.at(-1)] : [diff.edit, diff.edit];
	const changes = selectChanges(state);
	const session = changes?.sessions.get(last?.session ?? "");
	const row = lineOf(shows);
	if (
		changes === undefined ||
		diff === undefined ||
		session === undefined ||
		first === undefined ||
		last === undefined ||
		row === undefined
	)
		return state;
	const shownLines = diff.lines.filter(({ kind }) => kind !== "gap" && kind !== "note");
	const authors = lineEditsOf(file, changes, state.environment.home);
	const lines = shownLines.map((line): LineOnScreen => {
		const isBefore = line.kind === "removed";
		const only = diff.edit ?? (file.answer === "exact" ? authors.onlyOf(line) : undefined);
		const isOwn = line.kind === "added" && only?.tool === "edit" && only.session === session.path;
		return {
			...{ drawn: line, text: line.text, isBefore, asOf: isBefore ? first.entryId : last.entryId },
			number: isBefore ? line.before : (line.after ?? line.before),
			addedBy: isOwn ? only.entryId : undefined,
		};
	});
	return openBlame(state, { session, path: file.absolute, lines }, shownLines.indexOf(row), sourceOf(file.path));
}

function sourceOf(path: string): BlameSource {
	const indexOf = (state: State, { drawn }: LineOnScreen): number =>
		selectRows(state).findIndex(
			({ file, shows }) => file.path === path && shows.some((line) => isSameLine(line, drawn)),
		);
	return {
		rowOf(state, line) {
			const { y, height } = wholePage(state.size);
			const row = indexOf(state, line) - CHANGES.of(state).cursor.top;
			return row < 0 || row >= height ? undefined : y + row;
		},
		show(state, line) {
			const index = indexOf(state, line);
			const row = selectRows(state)[index];
			return row === undefined
				? state
				: CHANGES.with(state, { cursor: { ...CHANGES.of(state).cursor, selected: row.key, index } });
		},
	};
}
