import type { Box } from "../../../ui/view.ts";
import { type DividerName, FIRST_SPLIT, type Focus, type Split, type State } from "../state/state.ts";

/** Smallest terminal in which panes are drawn, in cells. */
export const SMALLEST = { columns: 40, rows: 10 } as const;
/** From this width on, the list has the tree and the reader beside it. */
export const PREVIEW_COLUMNS = 100;
/** From this width on, the tree and the reader are side by side. */
const BESIDE_COLUMNS = 140;
/** From this width on, all three panes are side by side. */
const THREE_COLUMNS = 200;
/** From this many rows on, titles included, the reader is below the tree. */
const STACK_ROWS = 12;
/** The least that a divider leaves of a pane, in cells; one row is the title. */
const LEAST_WIDTH = 24;
const LEAST_HEIGHT = 4;

export interface PlacedDivider {
	readonly name: DividerName;
	/** Its cells: a column, or the row with the title of the pane below. */
	readonly box: Box;
	/** The column or row where the area that it divides begins, and the size of that area, in cells. */
	readonly start: number;
	readonly cells: number;
	/** The cells that must remain before and after it. */
	readonly least: readonly [before: number, after: number];
}

/** The content boxes of the panes, each with its title in the row above. Undefined for a pane that is not drawn. */
export interface Layout {
	readonly list: Box | undefined;
	readonly tree: Box | undefined;
	readonly reader: Box | undefined;
	/** In place of the tree while it has the focus; the reader is then a preview. */
	readonly branches: Box | undefined;
	/** The row of the rule below panes that are side by side; other panes end at the footer. */
	readonly bottom: number | undefined;
	readonly dividers: readonly PlacedDivider[];
}

type Panes = Pick<Layout, "list" | "tree" | "reader" | "branches" | "dividers">;
type Columns = Readonly<Record<"first" | "second", Box>> & { readonly divider: PlacedDivider };
type Page = Pick<State, "split"> & { readonly focus: Exclude<Focus, "branches">; readonly area: Box };
/** What the layout depends on. */
type Shaping = Pick<State, "size" | "zoom" | "split"> & {
	readonly list: Pick<State["list"], "ownRows">;
	readonly environment?: Pick<State["environment"], "plain">;
};

const NOTHING: Panes = { list: undefined, tree: undefined, reader: undefined, branches: undefined, dividers: [] };

/**
 * Divides the terminal: header on top, footer at the bottom, panes between, each with a title row. The pane with the focus
 * is always drawn; it is alone if there is no room for more, or if the person wants that (`zoom`).
 */
export function layoutFor(state: Shaping & Pick<State, "focus">): Layout {
	if (state.focus !== "branches") return divide(state, state.focus);
	const layout = divide(state, "tree");
	return { ...layout, tree: undefined, branches: layout.tree };
}

function divide({ size, zoom: isZoomed, split, list, environment }: Shaping, focus: Page["focus"]): Layout {
	const { columns, rows } = size;
	const zoom = isZoomed || environment?.plain === true;
	const area: Box = { x: 0, y: 1, width: columns, height: Math.max(0, rows - 2) };
	if (!zoom && focus === "list" && list.ownRows !== undefined) return above({ area, focus, split }, list.ownRows);
	const isBeside = !zoom && columns >= (focus === "list" ? PREVIEW_COLUMNS : BESIDE_COLUMNS);
	if (!isBeside) {
		const page = { area, focus, split };
		return { ...(zoom || focus === "list" ? alone(page) : stacked(page)), bottom: undefined };
	}
	return { ...sideBySide({ area: withoutRule(area), focus, split }), bottom: rows - 2 };
}

/** The list in its first rows, and what is under its cursor below it: the conversation, with the tree beside it where there is room. */
function above(page: Page, listRows: number): Layout {
	const { area } = page;
	const first = { ...area, height: Math.min(listRows, area.height) };
	const second = { ...area, y: area.y + first.height, height: area.height - first.height };
	const list = content(first);
	if (area.width < BESIDE_COLUMNS) return { ...NOTHING, list, reader: content(second), bottom: undefined };
	const rest = treeBesideReader({ ...page, area: withoutRule(second) });
	return { ...rest, list, bottom: area.y + area.height - 1 };
}

function withoutRule(area: Box): Box {
	return { ...area, height: Math.max(0, area.height - 1) };
}

/** The split with a divider moved to a column or row, as far as the panes beside it allow. */
export function moveDivider(split: Split, { name, start, cells, least }: PlacedDivider, to: number): Split {
	return { ...split, [name]: within(to - start, cells, least) / cells };
}

function alone({ area, focus }: Page): Panes {
	return { ...NOTHING, [focus]: content(area) };
}

function sideBySide(page: Page): Panes {
	const { area, focus } = page;
	if (area.width >= THREE_COLUMNS) {
		const { first, second, divider } = columnsOf(
			page,
			focus === "list" ? "list-wide" : "list-aside",
			2 * LEAST_WIDTH + 1,
		);
		const right = treeBesideReader({ ...page, area: second });
		return { ...right, list: content(first), dividers: [divider, ...right.dividers] };
	}
	if (focus !== "list") return treeBesideReader(page);
	const { first, second, divider } = columnsOf(page, "list");
	const right = stacked({ ...page, area: second });
	return { ...right, list: content(first), dividers: [divider, ...right.dividers] };
}

function treeBesideReader(page: Page): Panes {
	const { first, second, divider } = columnsOf(page, "columns");
	return { ...NOTHING, tree: content(first), reader: content(second), dividers: [divider] };
}

function stacked(page: Page): Panes {
	const { area, focus, split } = page;
	if (area.height < STACK_ROWS) return alone({ ...page, focus: focus === "reader" ? "reader" : "tree" });
	const name = focus === "reader" ? "rows-reader" : "rows";
	const least = [LEAST_HEIGHT, LEAST_HEIGHT] as const;
	const height = within(Math.round(area.height * split[name]), area.height, least);
	const first = { ...area, height };
	const second = { ...area, y: area.y + height, height: area.height - height };
	const divider = { name, box: { ...second, height: 1 }, start: area.y, cells: area.height, least } as const;
	return { ...NOTHING, tree: content(first), reader: content(second), dividers: [divider] };
}

function columnsOf({ area, split }: Page, name: DividerName, leastAfter = LEAST_WIDTH): Columns {
	const cells = area.width - 1;
	const least = [LEAST_WIDTH, leastAfter] as const;
	// Where the person has not moved the divider, the list is as wide as its titles and columns need.
	const isList = name === "list" || name === "list-wide";
	const listWidth = isList && split[name] === FIRST_SPLIT[name] ? listCells(area.width) : undefined;
	const width = within(listWidth ?? Math.round(cells * split[name]), cells, least);
	const x = area.x + width;
	return {
		first: { ...area, width },
		second: { ...area, x: x + 1, width: cells - width },
		divider: { name, box: { ...area, x, width: 1 }, start: area.x, cells, least },
	};
}

/** Cells of the list beside the tree, for a title of 36 and the columns that the terminal has; a wide one has longer titles. */
function listCells(columns: number): number {
	const [, cells = 67] = LIST_CELLS.find(([from]) => columns >= from) ?? [];
	return Math.max(cells, Math.floor(columns * LIST_SHARE));
}

const LIST_CELLS: readonly (readonly [from: number, cells: number])[] = [
	[160, 90],
	[120, 81],
	[110, 73],
];
const LIST_SHARE = 0.45;

/** A size limited so that both sides keep their minimum. */
function within(size: number, all: number, [leastBefore, leastAfter]: PlacedDivider["least"]): number {
	return Math.max(leastBefore, Math.min(size, all - leastAfter));
}

function content(area: Box): Box {
	return { ...area, y: area.y + 1, height: Math.max(0, area.height - 1) };
}

const PREVIOUS: Readonly<Record<Focus, Focus>> = { list: "list", tree: "list", reader: "tree", branches: "tree" };

/** Focuses a pane, ending the zoom. */
export function focusOn(focus: Focus): (state: State) => State {
	return (state) => ({ ...state, focus, zoom: false });
}

/** Focuses the previous pane; a zoomed pane only ends its zoom. */
export function backOnePane(state: State): State {
	return state.zoom ? endZoom(state) : { ...state, focus: PREVIOUS[state.focus] };
}

export function toggleZoom(state: State, focus: Focus = state.focus): State {
	return state.zoom ? endZoom(state) : { ...state, focus, zoom: true, beforeZoom: state.focus };
}

function endZoom(state: State): State {
	return { ...state, zoom: false, focus: state.beforeZoom };
}

/** The heads of the columns of numbers are left out of a pane with fewer rows. */
const LEAST_WITH_HEADS = 8;

export function branchHeadRows({ height }: Box): 0 | 1 {
	return height >= LEAST_WITH_HEADS ? 1 : 0;
}

/** The box of the scrolling rows of the branches. */
export function branchesBox(state: State): Box | undefined {
	const box = layoutFor(state).branches;
	if (box === undefined) return box;
	const head = branchHeadRows(box);
	return { ...box, y: box.y + head, height: box.height - head };
}
