import type { ComparedEnd, Comparison } from "../../../conversation/branches/compare-ends.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { drawDivider } from "../../../conversation/tree/draw-row.ts";
import { formatCount, formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, cutWords, joinEnds, lineWidth, quote } from "../../../ui/text/width.ts";
import type { RowView, Size } from "../../../ui/view.ts";
import { definePage } from "../../world/page/define-page.ts";
import type { Notice } from "../../world/page/define-rows.ts";
import { type Page, wholePage } from "../../world/page/page.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import {
	COMPARED,
	COMPARISON,
	type EndIndex,
	selectComparison,
	selectTurnRows,
	type TurnRow,
} from "./compare-state.ts";
import { drawTurn, endForms, turnTexts } from "./draw-turn.ts";

/** From this width on the ends are side by side; on a narrower screen the turn of one is above that of the other. */
const BESIDE_COLUMNS = 100;
/** With fewer screen rows, answers and the common beginning are left out. */
const LOW_ROWS = 16;
const BETWEEN = span(" │ ", "frame");

/** Two ends, turn beside turn; above them what each came to, and what they have in common. */
export const COMPARISON_PAGE: Page = definePage<TurnRow>({
	kind: "comparison",
	slice: COMPARISON,
	name: "compare",
	title: titleOf,
	layout(state) {
		const whole = wholePage(state.size);
		const head = headLines(state).length;
		return { list: { ...whole, y: whole.y + head, height: whole.height - head }, second: undefined };
	},
	rowHeight: rowsOfTurn,
	rows: selectTurnRows,
	draw: () => () => [],
	whole(state) {
		const comparison = selectComparison(state);
		const { side } = COMPARISON.of(state);
		return (row, view) =>
			comparison === undefined
				? []
				: turnLines(row, comparison, view.selected ? side : undefined, state).map((line, index) => ({
						key: `${view.key} ${index}`,
						line,
						selected: false,
					}));
	},
	notes: () => [],
	position: (_, rows, index) =>
		index === -1 ? "" : `${formatCount(index + 1)} of ${formatCounted(rows.length, "turn")}`,
	nothing,
	finding: {
		textOf: (state) => (row) => textsOfRow(state, row).join("\n"),
		show(state, row, matcher) {
			const [one, other] = textsOfRow(state, row).map((text) => matcher(text).length > 0);
			const { side } = COMPARISON.of(state);
			return COMPARISON.with(state, { side: one === other ? side : one === true ? 0 : 1 });
		},
	},
	decorate: withHead,
	press(state, row, column) {
		const { size } = state;
		const y = wholePage(size).y + row;
		const index = COMPARISON_PAGE.indexAt(state, y);
		if (index === undefined) return state;
		const { cursor } = COMPARISON.of(state);
		const rowInTurn = (row - headLines(state).length) % rowsOfTurn(state);
		const isSecond = isBeside(size) ? column > size.columns / 2 : rowInTurn >= rowsOfTurn(state) / 2;
		return COMPARISON.with(state, {
			cursor: { ...cursor, selected: String(index), index },
			side: isSecond ? 1 : 0,
		});
	},
});

/** What the turns of both ends show. */
function textsOfRow(state: State, { turns }: TurnRow): readonly string[] {
	const comparison = selectComparison(state);
	if (comparison === undefined) return [];
	const { home } = state.environment;
	return comparison.ends.map(({ session }, at) =>
		turns[at] === undefined ? "" : turnTexts(turns[at], session, home).join("\n"),
	);
}

function titleOf(state: State): string {
	const { ends } = COMPARISON.of(state);
	const row = ends?.[0].path === ends?.[1].path ? state.catalog.rows.get(ends?.[0].path ?? "") : undefined;
	if (row === undefined) return "two sessions";
	const room = Math.floor(state.size.columns / 2);
	return room < 30 ? "two branches" : `two branches of ${quote(sessionTitle(row), room)}`;
}

function isBeside({ columns }: Size): boolean {
	return columns >= BESIDE_COLUMNS;
}

/** What commands call an end: by its side, where it has one. */
export function nameOfEnd({ size }: State, end: EndIndex): string {
	return (isBeside(size) ? ["left side", "right side"] : ["first", "second"])[end] ?? "";
}

function isLow({ rows }: Size): boolean {
	return rows < LOW_ROWS;
}

/** Rows of the prompt and the answer of a turn: more, as long as all turns are in sight, than the first row of each. */
function rowsOfSide(state: State): number {
	const { size } = state;
	if (isLow(size)) return 1;
	const room = wholePage(size).height - headLines(state).length;
	const sides = selectTurnRows(state).length * (isBeside(size) ? 1 : 2);
	return Math.max(2, Math.min(MOST_ROWS, Math.floor(room / Math.max(1, sides))));
}

/** More of a turn is read in its session. */
const MOST_ROWS = 8;

function rowsOfTurn(state: State): number {
	return (isBeside(state.size) ? 1 : 2) * rowsOfSide(state);
}

/** Cells of a column; where one end is above the other, its number stands before its turn. */
function columnCells(size: Size): number {
	return isBeside(size) ? Math.floor((size.columns - lineWidth([BETWEEN])) / 2) : size.columns - NUMBER_CELLS;
}

const NUMBER_CELLS = 2;

/** The rows of two turns with the same number. `side`: the end whose turn has the cursor. */
function turnLines(
	{ turns }: TurnRow,
	{ ends }: Comparison,
	side: EndIndex | undefined,
	state: State,
): readonly Line[] {
	const { size, environment } = state;
	const [width, rows] = [columnCells(size), rowsOfSide(state)];
	const columns = ([0, 1] as const).map((at) =>
		drawTurn(turns[at], ends[at], { width, rows, selected: side === at, home: environment.home }),
	);
	const [one = [], other = []] = columns;
	if (isBeside(size)) return one.map((line, index) => [...line, BETWEEN, ...(other[index] ?? [])]);
	return columns.flatMap((lines, at) =>
		lines.map((line, index) => [span(index === 0 ? `${at + 1} ` : "  ", "muted"), ...line]),
	);
}

/** What each end is called and came to, and where they part. */
function headLines(state: State): readonly Line[] {
	const comparison = selectComparison(state);
	if (comparison === undefined) return [];
	const { size } = state;
	const { ends } = comparison;
	const names = ends.map((end, at) => nameOf(state, end, ends[1 - at] ?? end, `${at + 1} `));
	const [one = [], other = []] = names;
	const rule = isLow(size) ? [] : sharedRule(comparison, state);
	if (!isBeside(size)) {
		const lines = names.map((name, at) => {
			const form = endForms(ends[at as EndIndex]).find((each) => lineWidth(each) + size.columns / 2 <= size.columns);
			return joinEnds(name, [span(" "), ...(form ?? []), span(" ")], size.columns);
		});
		return [...lines, ...rule];
	}
	const width = columnCells(size);
	const sums = ends.map((end) => {
		const form = endForms(end).find((each) => lineWidth(each) + 3 <= width) ?? [];
		return joinEnds([span("   "), ...form], [], width);
	});
	return [
		[...joinEnds(one, [], width), BETWEEN, ...joinEnds(other, [], width)],
		[...(sums[0] ?? []), BETWEEN, ...(sums[1] ?? [])],
		...rule,
	];
}

/** "1 ⚑candidate Yes, and rotate the refresh token": a branch by its first prompt, a session by its title. */
function nameOf(state: State, end: ComparedEnd, other: ComparedEnd, number: string): Line {
	const { home } = state.environment;
	const { session, label, turns } = end;
	const start = span(` ${number}`, "accent");
	const width = columnCells(state.size) - lineWidth([start]);
	if (session.path !== other.session.path) {
		const row = state.catalog.rows.get(session.path);
		const cwd = session.header?.cwd ?? "";
		const isElsewhere = cwd !== (other.session.header?.cwd ?? "");
		const where = isElsewhere ? [span(`  ${sanitizeLine(shortenHome(cwd, home))}`, "muted")] : [];
		return cutLine([start, strong(row === undefined ? session.path : sessionTitle(row)), ...where], width);
	}
	const prompt = turns.find((turn) => turn?.prompt !== undefined)?.prompt;
	const words = prompt === undefined ? "" : describeRow(prompt, session, placeOf(session, home)).text;
	const flag = label === undefined ? [] : [span(`⚑${sanitizeLine(label)} `, "label")];
	const name = sanitizeLine(words) || sanitizeLine(turns.length === 0 ? "ends where they part" : "no further prompt");
	return [start, ...cutLine(flag, width / 2), strong(cutWords(name, width - lineWidth(flag)))];
}

/** "── the same until “Users get logged out …” ───". */
function sharedRule({ ancestor, ends }: Comparison, state: State): readonly Line[] {
	if (ancestor === undefined) return [];
	const { columns } = state.size;
	const [{ session }] = ends;
	const { text } = describeRow(ancestor, session, placeOf(session, state.environment.home));
	const words = cutWords(sanitizeLine(text), columns - 25);
	return [drawDivider([span(`the same until “${words}”`, "muted")], columns)];
}

function withHead(state: State, pane: AppPane): AppPane {
	const head = headLines(state).map((line, index): RowView => ({ key: `head ${index}`, line, selected: false }));
	return {
		...pane,
		y: pane.y - head.length,
		height: pane.height + head.length,
		rows: [...head, ...pane.rows],
	};
}

function nothing(state: State): Notice {
	const { error } = COMPARED.of(state);
	if (error !== undefined) return [`They cannot be compared: ${error}`, "error"];
	return [selectComparison(state) === undefined ? "Reading …" : "Both say the same, to the end."];
}
