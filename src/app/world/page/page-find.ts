import { type Matcher, textMatcher } from "../../../conversation/document/find-job.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { cursorIndex, FIRST_CURSOR, type PageCursor, type PageRow } from "../../../ui/page/page-rows.ts";
import { filterTitle, titleRoom } from "../../../ui/pane-title.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { type Line, lineText, markMatches, span, strong } from "../../../ui/text/line.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { type PageKind, pagesOf } from "../state/overlays.ts";
import { type AppPane, defineSlice, type State } from "../state/state.ts";
import type { RowsSpec } from "./define-rows.ts";
import type { Page, PageField } from "./page.ts";

/** How `/` finds rows of a page, where that is not only by what they show. */
export interface PageFinding<Row extends PageRow> {
	/** The rows that are searched, folded ones too. @default the rows of the page */
	readonly all?: (state: State) => readonly Row[];
	/** What is searched of a row. @default its line, as wide as it needs to be */
	readonly textOf?: (state: State) => (row: Row) => string;
	/** Reads what has not been read yet, once something is typed. */
	readonly readAll?: (state: State) => State;
	/** Unfolds what hides a row, or puts the cursor on the part of it that was found. */
	readonly show?: (state: State, row: Row, matcher: Matcher) => State;
}

interface FindState {
	/** The page on which something is looked for: one at a time. */
	readonly kind: PageKind | undefined;
	readonly text: EditedText;
	/** Where the cursor was before. */
	readonly from: PageCursor;
}

const FIND = defineSlice<FindState>("find", {
	kind: undefined,
	text: editedText(""),
	from: FIRST_CURSOR,
});

/** Wide enough for a row that is not cut. */
export const UNCUT = 400;
/** Cells of what is typed that a long title leaves. */
const LEAST_TYPED = 16;

/** Forgets what was looked for, once its page is closed and nothing leads back to it. */
export function forgetFound(state: State): State {
	const { kind } = FIND.of(state);
	const isOpen = (pages: readonly PageKind[]): boolean => kind !== undefined && pages.includes(kind);
	if (kind === undefined || isOpen(pagesOf(state)) || state.waysBack.some(({ pages }) => isOpen(pages))) return state;
	return FIND.with(state, { kind: undefined });
}

/** The same for a page that is opened anew, about something else. */
export function withoutFind(state: State, kind: PageKind): State {
	return FIND.of(state).kind === kind ? FIND.with(state, { kind: undefined }) : state;
}

/** What a page gets from `/`: a field, the next row that is found, and the title and the rows with what is found. */
export interface PageFind {
	readonly find: NonNullable<Page["find"]>;
	readonly field: PageField;
	readonly decorate: (state: State, pane: AppPane) => AppPane;
}

export function pageFind<Row extends PageRow>(
	kind: PageKind,
	name: string,
	spec: Pick<RowsSpec<Row>, "slice" | "rows" | "cursor" | "draw" | "moved"> & { readonly finding?: PageFinding<Row> },
): PageFind {
	const { slice, rows, finding = {} } = spec;
	let texts: { readonly rows: readonly Row[]; readonly of: readonly string[] } | undefined;

	function textsOf(state: State, all: readonly Row[]): readonly string[] {
		// Rows that are the same show the same, except for times and marks.
		if (texts?.rows === all) return texts.of;
		const draw = spec.draw(state);
		const lineOf = (row: Row): string => lineText(draw(row, { width: UNCUT, selected: false, marked: false }));
		const textOf = finding.textOf?.(state) ?? lineOf;
		texts = { rows: all, of: all.map((row) => (row.isSkipped === true ? "" : textOf(row))) };
		return texts.of;
	}

	const indexesIn = memoLast((of: readonly string[], matcher: Matcher): readonly number[] =>
		of.flatMap((text, index) => (matcher(text).length > 0 ? [index] : [])),
	);

	function textIn(state: State): EditedText {
		const { kind: foundOn, text } = FIND.of(state);
		return foundOn === kind ? text : editedText("");
	}

	function found(state: State) {
		const all = (finding.all ?? rows)(state);
		const { text } = textIn(state);
		return { all, indexes: text === "" ? [] : indexesIn(textsOf(state, all), matcherOf(text)) };
	}

	function cursorOf(state: State): PageCursor {
		return spec.cursor?.(state, rows(state)) ?? slice.of(state).cursor;
	}

	function goTo(state: State, row: Row | undefined): State {
		if (row === undefined) return state;
		const next = finding.show?.(state, row, matcherOf(textIn(state).text)) ?? state;
		const index = rows(next).findIndex(({ key }) => key === row.key);
		const there = slice.with(next, { cursor: { ...slice.of(next).cursor, selected: row.key, index } });
		return spec.moved?.(there, { rows: 0 }, state) ?? there;
	}

	function goToFirst(state: State): State {
		const { all, indexes } = found(state);
		const from = cursorIndex(FIND.of(state).from, all);
		return goTo(state, all[indexes.find((at) => at >= from) ?? indexes[0] ?? -1]);
	}

	function edit(state: State, text: EditedText): State {
		const { text: last } = textIn(state);
		const next = FIND.with(state, { kind, text, ...(last === "" && { from: cursorOf(state) }) });
		if (text.text === last) return next;
		return goToFirst(text.text === "" ? next : (finding.readAll?.(next) ?? next));
	}

	function find(state: State, by: 1 | -1): State {
		const { all, indexes } = found(state);
		const at = cursorIndex(cursorOf(state), all);
		const index =
			by === 1
				? (indexes.find((each) => each > at) ?? indexes[0])
				: (indexes.findLast((each) => each < at) ?? indexes.at(-1));
		return goTo(state, all[index ?? -1]);
	}

	/** "3 of 14". */
	function note(state: State): Line {
		if (textIn(state).text === "") return [];
		const { all, indexes } = found(state);
		const number = indexes.indexOf(cursorIndex(cursorOf(state), all)) + 1;
		const count = formatCount(indexes.length);
		if (indexes.length === 0) return [span("  not found", "warning")];
		return [span(number === 0 ? `  ${count} found` : `  ${formatCount(number)} of ${count}`, "muted")];
	}

	return {
		field: { isOpen: false, of: textIn, edit, mistake: () => undefined, isAnswered: () => true },
		find,
		decorate(state, pane) {
			const query = textIn(state);
			const focused = state.filtering === kind;
			if (query.text === "" && !focused) return pane;
			const room = titleRoom(pane, pane.position);
			const isLong = lineWidth(pane.title) + LEAST_TYPED > room;
			const title = isLong ? [strong(name, "accent")] : pane.title;
			const typed = filterTitle({ name: title, query, hint: "type to find", notes: note(state), focused }, room);
			if (query.text === "") return { ...pane, ...typed };
			const matcher = matcherOf(query.text);
			const marked = pane.rows.map((row) => ({ ...row, line: markMatches(row.line, matcher) }));
			return { ...pane, ...typed, rows: marked };
		},
	};
}

const matcherOf = memoLast((text: string): Matcher => textMatcher(text));
