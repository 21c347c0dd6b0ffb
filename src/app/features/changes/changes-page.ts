import { isUnsent } from "../../../catalog/model/marks.ts";
import { changeSpans, totalLines } from "../../../conversation/entries/change-spans.ts";
import type { SpanName } from "../../../conversation/entries/entry-span.ts";
import { cursorIndex, FIRST_CURSOR } from "../../../ui/page/page-rows.ts";
import { filterTitle, paneName, titleRoom } from "../../../ui/pane-title.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { choice, inRow, type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { openedComments } from "../../world/opened/comment-lines.ts";
import { definePage } from "../../world/page/define-page.ts";
import type { Notice } from "../../world/page/define-rows.ts";
import { LEAD_CELLS } from "../../world/page/file-diffs.ts";
import { wholePage } from "../../world/page/page.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import {
	CHANGED,
	CHANGES,
	type ChangesRow,
	runCount,
	selectChanges,
	selectChangesRows,
	selectedChangesRow,
	selectFiles,
	spansHere,
	TAKEN_BACK,
	toggleFile,
} from "./changes-state.ts";
import { drawChanges } from "./draw-changes.ts";
import type { Changes } from "./effects/changes-effects.ts";
import { HUNK_MARKING, toggleHunk } from "./marked-hunks.ts";

export const CHANGES_PAGE = definePage<ChangesRow>({
	kind: "changes",
	slice: CHANGES,
	name: "changes",
	sums,
	layout: ({ size }) => ({ list: wholePage(size), second: undefined }),
	rows: selectChangesRows,
	// What is found above the cursor moves no row in sight.
	start(state, rows) {
		const { cursor } = CHANGES.of(state);
		return { ...cursor, top: Math.max(0, cursor.top + cursorIndex(cursor, rows) - cursor.index) };
	},
	draw: drawChanges,
	position(state, rows, index) {
		const files = selectFiles(state);
		const file = rows[index]?.file;
		return file === undefined ? "" : `${formatCount(files.indexOf(file) + 1)}/${formatCount(files.length)}`;
	},
	press: pressRow,
	notes: chips,
	nothing,
	decorate: withFilter,
	field: {
		isOpen: false,
		of: (state) => CHANGES.of(state).filter,
		edit: (state, filter) => CHANGES.with(state, { filter, cursor: FIRST_CURSOR }),
		mistake: () => undefined,
		// What is taken or put somewhere waits until all of it is known.
		isAnswered: (state) => !CHANGED.of(state).isLoading,
	},
	marking: HUNK_MARKING,
	queries: [CHANGED, TAKEN_BACK],
});

/** Cells at the start of a heading that fold or unfold its file when they are pressed, but for those that mark. */
const FOLD_CELLS = 4;

function pressRow(state: State, row: number, column: number): State | undefined {
	const pressedRow = selectChangesRows(state)[CHANGES.of(state).cursor.top + row];
	if (pressedRow === undefined) return undefined;
	if (column < LEAD_CELLS) return toggleHunk(state, pressedRow);
	return pressedRow.index === -1 && column < FOLD_CELLS ? toggleFile(state, pressedRow) : undefined;
}

function withFilter(state: State, pane: AppPane): AppPane {
	const focused = state.filtering === "changes";
	const { filter: query } = CHANGES.of(state);
	const topRow = selectChangesRows(state)[CHANGES.of(state).cursor.top];
	const isInside = topRow !== undefined && topRow.index !== -1;
	const next: Span = { ...span("  ] next file", "muted"), press: "next-file" };
	const hint = selectFiles(state).length > 1 ? [next] : [];
	const { path = "" } = (selectedChangesRow(state) ?? topRow)?.file ?? {};
	const rest = focused ? [] : isInside ? [span(`  ${path}`, "muted")] : hint;
	// The title has their number.
	const notes = [...pane.title.slice(1), ...rest];
	const typed = { name: paneName("changes", true), query, hint: "type to filter files", notes, focused };
	return { ...pane, ...filterTitle(typed, titleRoom(pane, pane.position)) };
}

/** The spans as radio buttons, and the runs as a check box, the longest form first; a click chooses one. */
function chips(state: State): readonly Line[] {
	const { span: chosen, entryId, withRuns } = CHANGES.of(state);
	const names = spansHere(state);
	const button = (name: SpanName, words: string): Span => choice(words, name === chosen, `span-${name}`);
	const hasRuns = runCount(state) > 0;
	const runs = (words: string): readonly Span[] => (hasRuns ? [choice(words, withRuns, "with-runs")] : []);
	const { leftEnds = [] } = selectChanges(state) ?? {};
	const hasOthers = leftEnds.length > 1 || (leftEnds.length === 1 && !names.includes("branch"));
	const leftChip = (words: string): readonly Span[] => (hasOthers ? [choice(words, false, "left-branches")] : []);
	const chosenSpan = button(chosen, spanWords(chosen, entryId));
	return [
		inRow([
			...names.map((name) => button(name, spanWords(name, entryId))),
			...leftChip(leftWords(leftEnds)),
			...runs("with runs"),
		]),
		inRow([...names.map((name) => button(name, name)), ...leftChip("left"), ...runs("runs")], " "),
		inRow([chosenSpan, ...(withRuns ? runs("runs") : [])]),
		[chosenSpan],
	];
}

function leftWords({ length }: readonly string[]): string {
	return length === 1 ? "the branch left" : `${formatCount(length)} branches left`;
}

function spanWords(name: SpanName, entryId = ""): string {
	if (name === "session") return name;
	return name === "since" ? `since #${sanitizeLine(entryId).slice(0, 8)}` : `this ${name}`;
}

/** "2 files +14 −9 · exact", for the header, the longest form first. */
function sums(state: State): readonly Line[] {
	const changes = selectChanges(state);
	const files = selectFiles(state);
	if (changes === undefined) return [];
	const count = [span(formatCounted(files.length, "file"), "muted")];
	const lines = [...count, ...changeSpans(totalLines(files))];
	const readFiles = files.filter(({ answer }) => answer !== "reading").length;
	const exact = files.filter(({ answer }) => answer === "exact").length;
	const ofAll = exact === files.length ? "exact" : exact === 0 ? "none exact" : `${formatCount(exact)} of them exact`;
	const isRead = readFiles === files.length;
	const sure = changes.reading
		? sessionsWords(changes.reading)
		: isRead
			? ofAll
			: `reading ${formatCount(readFiles)} of ${formatCount(files.length)}`;
	const waiting = openedComments(state).filter(isUnsent).length;
	const missing = [
		...(changes.commands.length === 0
			? []
			: [`${formatCounted(changes.commands.length, "command")} may have changed more`]),
		...(changes.unread === 0 ? [] : [`without ${formatCounted(changes.unread, "unreadable run")}`]),
		...(changes.unplaced === 0 ? [] : [`without ${formatCounted(changes.unplaced, "edit")} of unknown files`]),
	];
	// What waits for the person is the last to go where there is no room.
	const all = [...(waiting === 0 ? [] : [`${formatCounted(waiting, "comment")} to send`]), sure, ...missing];
	const forms = all.map(
		(_, index): Line => [...lines, ...all.slice(0, all.length - index).map((word) => span(` · ${word}`, "muted"))],
	);
	if (files.length === 0) return changes.reading ? [[span(sessionsWords(changes.reading), "muted")]] : [count];
	return [...forms, lines, count];
}

function sessionsWords({ read, total }: NonNullable<Changes["reading"]>): string {
	return `reading ${formatCount(read + 1)} of ${formatCounted(total, "session")} of this repository …`;
}

function nothing(state: State): Notice {
	const changes = selectChanges(state);
	const { span: name, filter } = CHANGES.of(state);
	if (changes === undefined) return [state.detail.session === undefined ? "No session is open." : "Reading …"];
	if (changes.files.length === 0 && CHANGED.of(state).isLoading) return ["Reading …"];
	if (filter.text.trim() !== "") return ["The path of no changed file has these words: esc clears the filter"];
	const where =
		name === "session"
			? "On its active path the session"
			: name === "since"
				? "Since this entry the session"
				: `This ${name}`;
	const beside =
		name !== "session" || changes.left === 0
			? ""
			: ` Branches that were left changed ${formatCounted(changes.left, "file")}: enter shows them.`;
	const commands =
		changes.commands.length === 0 ? "" : ` ${formatCounted(changes.commands.length, "command")} may have changed some.`;
	return [`${where} changed no file that is known.${beside}${commands}`];
}
