import {
	cursorIndex,
	type Distance,
	keepMarks,
	moveCursor,
	noticeRows,
	type PageCursor,
	type PageRow,
	placeCursor,
} from "../../../ui/page/page-rows.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span, strong, type Tone } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import type { Box, RowView } from "../../../ui/view.ts";
import { type AnyQuery, askAll } from "../effects/define-query.ts";
import { type PageKind, pageOf } from "../state/overlays.ts";
import { type AppPane, chain, type Slice, type State, type Transition, transition } from "../state/state.ts";
import { layoutWithPreview, type Marking, type Page, type PageLayout, type PagePreview } from "./page.ts";

interface RowDrawing {
	/** Cells. */
	readonly width: number;
	readonly selected: boolean;
	readonly marked: boolean;
}

/** The boxes of a page; one that is undefined is not drawn. */
type PageBoxes = Readonly<Record<keyof PageLayout, Box | undefined>>;

export type Notice = readonly [text: string, tone?: Tone];

/** What distinguishes a page; what all pages have in common comes with `definePage`. */
interface PageSpec<Row extends PageRow> {
	readonly kind: PageKind;
	/** The part of the state that has its cursor. */
	readonly slice: Slice<{ readonly cursor: PageCursor }>;
	/** Its name in the header. */
	readonly name: string;
	/** The command that opens it, if it is one of the views. */
	readonly command?: string;
	/** The title above its rows. @default the name */
	readonly title?: string | ((state: State) => string);
	/** The boxes of its parts. @default rows, and a second part of about the same size beside or below them */
	readonly layout?: (state: State) => PageBoxes;
	readonly rows: (state: State) => readonly Row[];
	/** The cursor, if it is not the one in the slice. */
	readonly cursor?: (state: State, rows: readonly Row[]) => PageCursor;
	/** The cursor before it is placed on a row and scrolled to. @default the cursor */
	readonly start?: (state: State, rows: readonly Row[]) => PageCursor;
	/** Corrects the cursor after it was placed on a row and scrolled to; `before`: the one in the slice. */
	readonly settle?: (cursor: PageCursor, rows: readonly Row[], height: number, lastCursor: PageCursor) => PageCursor;
	/** Further changes when the cursor moves. */
	readonly moved?: (next: State, distance: Distance, lastState: State) => State;
	/** How rows are drawn; called once for all visible rows. */
	readonly draw: (state: State) => (row: Row, drawing: RowDrawing) => Line;
	/** Whether a row is not highlighted under the cursor, because it shows the cursor itself or is only text to read. */
	readonly isUnlit?: (row: Row) => boolean;
	/** Notes at the right of the title, from the longest form to the shortest. */
	readonly notes: (state: State) => readonly Line[];
	/** The position of the cursor, such as "12/1,204". @default its row among all */
	readonly position?: (state: State, rows: readonly Row[], index: number) => string;
	readonly nothing: (state: State) => Notice;
	/** Changes the pane of the rows: a filter in its title, a different focus. */
	readonly decorate?: (state: State, pane: AppPane) => AppPane;
	readonly second?: (state: State, box: Box) => AppPane;
	/** Set if that pane is the tree of the session under the cursor. */
	readonly preview?: (state: State) => PagePreview;
	readonly marking?: Omit<Marking, "rows" | "all"> &
		Partial<Pick<Marking, "all">> & {
			/** The rows that keep their marks, including folded ones. @default its rows */
			readonly kept?: (state: State) => readonly PageRow[];
		};
	/** What it shows that must be read: asked for while the page is open, after its cursor was placed. @default nothing */
	readonly queries?: readonly AnyQuery[];
	/** Further steps, which come before that. */
	readonly sync?: (state: State) => Transition;
	/** Called instead while the page is closed. */
	readonly whileClosed?: (state: State) => Transition;
	readonly press?: Page["press"];
	readonly field?: Page["field"];
}

/** A page of rows with a cursor, marks, scrolling, a position and notices. */
export function definePage<Row extends PageRow>(spec: PageSpec<Row>): Page {
	const { kind, slice, name, rows, marking, queries = [] } = spec;
	const boxes = spec.layout ?? (({ size }: State): PageBoxes => layoutWithPreview(size));
	const cursorOf = (state: State, all: readonly Row[]): PageCursor =>
		spec.cursor?.(state, all) ?? slice.of(state).cursor;

	function place(state: State): State {
		const all = rows(state);
		const { list } = boxes(state);
		const keptState = keepMarksOf(state, all);
		if (list === undefined) return keptState;
		const lastCursor = slice.of(keptState).cursor;
		const { height } = list;
		const placed = placeCursor(spec.start?.(keptState, all) ?? cursorOf(keptState, all), all, height);
		const cursor = spec.settle?.(placed, all, height, lastCursor) ?? placed;
		return isSame(cursor, lastCursor) ? keptState : slice.with(keptState, { cursor });
	}

	function keepMarksOf(state: State, all: readonly Row[]): State {
		if (marking === undefined) return state;
		const marksBefore = marking.of(state);
		// All rows may be many more than those in sight.
		if (marksBefore.marked.size === 0) return state;
		const marks = keepMarks(marksBefore, marking.kept?.(state) ?? all);
		return marks === marksBefore ? state : marking.withMarks(state, marks);
	}

	function move(state: State, distance: Distance): State {
		const all = rows(state);
		const height = boxes(state).list?.height ?? 1;
		const cursor = moveCursor(cursorOf(state, all), all, distance, height);
		const next = slice.with(state, { cursor });
		return spec.moved?.(next, distance, state) ?? next;
	}

	function listPane(state: State, box: Box): AppPane {
		const all = rows(state);
		const index = cursorIndex(cursorOf(state, all), all);
		const position =
			spec.position?.(state, all, index) ??
			(index === -1 ? "" : `${formatCount(index + 1)}/${formatCount(all.length)}`);
		const title = typeof spec.title === "function" ? spec.title(state) : (spec.title ?? name);
		const pane: AppPane = {
			id: "list",
			...box,
			title: [strong(title, "accent"), ...markedNote(state, marking)],
			settings: spec.notes(state),
			position: cleanText(position),
			focused: true,
			rows: all.length > 0 ? rowsInSight(state, box, all, index) : nothingRows(state, box),
		};
		return spec.decorate?.(state, pane) ?? pane;
	}

	function nothingRows(state: State, box: Box): RowView[] {
		const [text, tone = "muted"] = spec.nothing(state);
		return noticeRows(text, tone, box);
	}

	function rowsInSight(state: State, { width, height }: Box, all: readonly Row[], index: number): RowView[] {
		const { top } = slice.of(state).cursor;
		const marked = marking?.of(state).marked;
		const draw = spec.draw(state);
		return all.slice(top, top + height).map((row, at): RowView => {
			const selected = top + at === index;
			const line = draw(row, { width, selected, marked: marked?.has(row.key) === true });
			return { key: row.key, line, selected: selected && spec.isUnlit?.(row) !== true };
		});
	}

	return {
		kind,
		name,
		queries,
		move,
		cursor: (state) => slice.of(state).cursor,
		previewBox: (state) => boxes(state).second,
		command: spec.command,
		press: spec.press,
		field: spec.field,
		preview: spec.preview,
		marking: marking && { all: keysOf, ...marking, rows },
		panes(state) {
			const { list, second } = boxes(state);
			const panes = [
				...(list === undefined ? [] : [listPane(state, list)]),
				...(second === undefined || spec.second === undefined ? [] : [spec.second(state, second)]),
			];
			return panes.toSorted((a, b) => Number(b.focused) - Number(a.focused));
		},
		reconcile(state) {
			if (pageOf(state) !== kind) return spec.whileClosed?.(state) ?? transition(state);
			const placed = place(state);
			const [next, effects] = askAll(spec.sync?.(placed) ?? transition(placed), queries);
			return [next === placed ? placed : place(next), effects];
		},
	};

	function keysOf(state: State): readonly string[] {
		return rows(state).flatMap(({ key, isSkipped }) => (isSkipped === true ? [] : [key]));
	}
}

function markedNote(state: State, marking: Pick<Marking, "of" | "note"> | undefined): Line {
	if (marking === undefined) return [];
	const { size } = marking.of(state).marked;
	return size === 0
		? []
		: [span(` ${formatCounted(size, "marked", "marked")}${marking.note?.(state) ?? ""}`, "current")];
}

function isSame(cursor: PageCursor, { selected, index, top }: PageCursor): boolean {
	return cursor.selected === selected && cursor.index === index && cursor.top === top;
}
