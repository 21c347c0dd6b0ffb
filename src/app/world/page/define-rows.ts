import {
	cursorIndex,
	type Distance,
	moveCursor,
	NO_MARKED,
	noticeRows,
	type PageCursor,
	type PageMarks,
	type PageRow,
	placeCursor,
	rowAtCursor,
	toggleMarks,
} from "../../../ui/page/page-rows.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span, strong, type Tone } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import type { Box, RowView } from "../../../ui/view.ts";
import { type AppPane, type Slice, type State, say } from "../state/state.ts";

export interface RowDrawing {
	/** Cells. */
	readonly width: number;
	readonly selected: boolean;
	readonly marked: boolean;
}

export type Notice = readonly [text: string, tone?: Tone];

export interface Marking {
	readonly of: (state: State) => PageMarks;
	readonly withMarks: (state: State, marks: PageMarks) => State;
	/** The keys that are marked with a row: for a heading, all keys of its group. @default the row */
	readonly marksOf?: (state: State, key: string) => readonly string[];
	/** The keys of all rows that can be marked. @default those that the cursor does not skip */
	readonly all?: (state: State) => readonly string[];
	/** Set for a page on which space turns the page, as in a text: it has a key of its own to mark. */
	readonly hasOwnKey?: true;
	/** Singular and plural of the word for marked rows. */
	readonly what: readonly [one: string, many: string];
	/** Text after the number of marked rows. */
	readonly note?: (state: State) => string;
}

/** What distinguishes a list of rows; what all have in common comes with `defineRows`. */
export interface RowsSpec<Row extends PageRow> {
	/** The part of the state that has its cursor. */
	readonly slice: Slice<{ readonly cursor: PageCursor }>;
	readonly title: string | ((state: State) => string);
	/** Where its rows are drawn; undefined while they are not. */
	readonly box: (state: State) => Box | undefined;
	/** Screen rows of each row. @default 1 */
	readonly rowHeight?: (state: State) => number;
	readonly rows: (state: State) => readonly Row[];
	/** The cursor, if it is not the one in the slice. */
	readonly cursor?: (state: State, rows: readonly Row[]) => PageCursor;
	/** The cursor before it is placed on a row and scrolled to. @default the cursor */
	readonly start?: (state: State, rows: readonly Row[]) => PageCursor;
	/** Corrects the cursor after it was placed on a row and scrolled to; `lastCursor`: the one in the slice. */
	readonly settle?: (cursor: PageCursor, rows: readonly Row[], height: number, lastCursor: PageCursor) => PageCursor;
	/** Further changes when the cursor moves. */
	readonly moved?: (next: State, distance: Distance, lastState: State) => State;
	/** How rows are drawn; called once for all visible rows. */
	readonly draw: (state: State) => (row: Row, drawing: RowDrawing) => Line;
	/** All screen rows of a row that has several, or another ground. @default the line that is drawn */
	readonly whole?: (state: State) => (row: Row, line: RowView) => readonly RowView[];
	/** Whether a row is not highlighted under the cursor, because it shows the cursor itself or is only text to read. */
	readonly isUnlit?: (row: Row) => boolean;
	/** Notes at the right of the title, from the longest form to the shortest. */
	readonly notes: (state: State) => readonly Line[];
	/** The position of the cursor, such as "12/1,204". @default its row among all */
	readonly position?: (state: State, rows: readonly Row[], index: number) => string;
	/** The sentence in place of rows, if there are none. */
	readonly nothing: (state: State) => Notice;
	/** Changes the pane of the rows: a filter in its title, a different focus. */
	readonly decorate?: (state: State, pane: AppPane) => AppPane;
	readonly marking?: Marking;
}

/** A list of rows: of a page, or of sessions. */
export interface RowList<Row extends PageRow = PageRow> {
	/** Puts the cursor on a row that exists, and scrolls to it. */
	readonly place: (state: State) => State;
	readonly move: (state: State, distance: Distance) => State;
	/** The row under the cursor. */
	readonly current: (state: State) => Row | undefined;
	/** The index of the row at a row of the screen; undefined where there is none. */
	readonly indexAt: (state: State, y: number) => number | undefined;
	/** Its pane; undefined while it is not drawn. */
	readonly pane: (state: State) => AppPane | undefined;
	readonly marking: Marking | undefined;
	/** Marks the row under the cursor, or unmarks it; for a heading, its whole group. */
	readonly mark: (state: State) => State;
	/** The same, and moves to the next row. Pressed again and again at the last row, it marks that once. */
	readonly markAndMove: (state: State) => State;
	readonly markAll: (state: State) => State;
	readonly unmarkAll: (state: State) => State;
}

/** A list of rows with a cursor, marks, scrolling, a position and notices. */
export function defineRows<Row extends PageRow>(spec: RowsSpec<Row>): RowList<Row> {
	const { slice, box, rows, marking, rowHeight = () => 1 } = spec;

	function cursorOf(state: State, all: readonly Row[]): PageCursor {
		return spec.cursor?.(state, all) ?? slice.of(state).cursor;
	}

	function capacity(state: State): number {
		return Math.floor((box(state)?.height ?? 0) / rowHeight(state));
	}

	function place(state: State): State {
		const all = rows(state);
		const height = capacity(state);
		const lastCursor = slice.of(state).cursor;
		const placed = placeCursor(spec.start?.(state, all) ?? cursorOf(state, all), all, height);
		const cursor = spec.settle?.(placed, all, height, lastCursor) ?? placed;
		return isSame(cursor, lastCursor) ? state : slice.with(state, { cursor });
	}

	function move(state: State, distance: Distance): State {
		const all = rows(state);
		const cursor = moveCursor(cursorOf(state, all), all, distance, Math.max(1, capacity(state)));
		const next = slice.with(state, { cursor });
		return spec.moved?.(next, distance, state) ?? next;
	}

	function current(state: State): Row | undefined {
		const all = rows(state);
		return rowAtCursor(cursorOf(state, all), all);
	}

	function indexAt(state: State, y: number): number | undefined {
		const first = box(state)?.y;
		if (first === undefined || y < first) return undefined;
		const at = Math.floor((y - first) / rowHeight(state));
		const index = slice.of(state).cursor.top + at;
		return at < capacity(state) && index < rows(state).length ? index : undefined;
	}

	function pane(state: State): AppPane | undefined {
		const place = box(state);
		if (place === undefined) return undefined;
		const all = rows(state);
		const index = cursorIndex(cursorOf(state, all), all);
		const position =
			spec.position?.(state, all, index) ??
			(index === -1 ? "" : `${formatCount(index + 1)}/${formatCount(all.length)}`);
		const title = typeof spec.title === "function" ? spec.title(state) : spec.title;
		const drawn: AppPane = {
			id: "list",
			...place,
			title: [strong(title, "accent"), ...markedNote(state)],
			settings: spec.notes(state),
			position: cleanText(position),
			focused: true,
			rows: all.length > 0 ? rowsInSight(state, place.width, all, index) : nothingRows(state, place),
		};
		return spec.decorate?.(state, drawn) ?? drawn;
	}

	function nothingRows(state: State, place: Box): RowView[] {
		const [text, tone = "muted"] = spec.nothing(state);
		return noticeRows(text, tone, place);
	}

	function rowsInSight(state: State, width: number, all: readonly Row[], index: number): RowView[] {
		const { top } = slice.of(state).cursor;
		const marked = marking?.of(state).marked;
		const draw = spec.draw(state);
		const whole = spec.whole?.(state);
		return all.slice(top, top + capacity(state)).flatMap((row, at): readonly RowView[] => {
			const selected = top + at === index;
			const line = draw(row, { width, selected, marked: marked?.has(row.key) === true });
			const view = { key: row.key, line, selected: selected && spec.isUnlit?.(row) !== true };
			return whole?.(row, view) ?? [view];
		});
	}

	function markedNote(state: State): Line {
		const size = marking?.of(state).marked.size ?? 0;
		if (size === 0) return [];
		return [span(` ${formatCounted(size, "marked", "marked")}${marking?.note?.(state) ?? ""}`, "current")];
	}

	function mark(state: State): State {
		const row = current(state);
		if (marking === undefined || row === undefined) return state;
		const keys = marking.marksOf?.(state, row.key) ?? [row.key];
		return marking.withMarks(state, toggleMarks(marking.of(state), keys));
	}

	function markAndMove(state: State): State {
		const key = current(state)?.key;
		if (marking === undefined || key === undefined) return state;
		const { last } = state.typing;
		const { marked } = marking.of(state);
		const isStuck = last?.kind === "mark" && last.key === key;
		const stays = isStuck && (marking.marksOf?.(state, key) ?? [key]).every((each) => marked.has(each));
		const next = stays ? say(state, LAST_ROW) : move(mark(state), { rows: 1 });
		return { ...next, typing: { ...next.typing, last: { kind: "mark", key } } };
	}

	function markAll(state: State): State {
		if (marking === undefined) return state;
		const keys = marking.all?.(state) ?? keysOf(rows(state));
		if (keys.length === 0) return say(state, `There is no ${marking.what[0]} to mark`, "warning");
		const marksBefore = marking.of(state);
		const next = toggleMarks(marksBefore, keys);
		const more = next.marked.size - marksBefore.marked.size;
		const message = more > 0 ? `${formatCounted(more, ...marking.what)} marked` : clearedWords(-more);
		return say(marking.withMarks(state, next), message);
	}

	function unmarkAll(state: State): State {
		if (marking === undefined) return state;
		return say(marking.withMarks(state, NO_MARKED), clearedWords(marking.of(state).marked.size));
	}

	return { place, move, current, indexAt, pane, marking, mark, markAndMove, markAll, unmarkAll };
}

const LAST_ROW = "This is the last row: it stays marked, and is unmarked after any other key";

function keysOf(rows: readonly PageRow[]): readonly string[] {
	return rows.flatMap(({ key, isSkipped }) => (isSkipped === true ? [] : [key]));
}

function clearedWords(count: number): string {
	return `${formatCounted(count, "mark")} cleared`;
}

function isSame(cursor: PageCursor, { selected, index, top }: PageCursor): boolean {
	return cursor.selected === selected && cursor.index === index && cursor.top === top;
}
