import type { Box } from "../../../ui/view.ts";
import type { DividerName, Focus, Split, State } from "../state/state.ts";

/** Smallest terminal in which panes are drawn, in cells. */
export const SMALLEST = { columns: 40, rows: 10 } as const;
/** From this width on panes are side by side. */
const BESIDE_COLUMNS = 100;
/** From this size on, the list has the tree beside it, and the text below the tree. */
const THREE_PANES = { columns: 140, rows: 30 } as const;
/** A narrower terminal of so many rows has one pane above the other. */
const STACK_ROWS = 20;
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
	readonly least: number;
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

/** All that decides which panes there are, and where: never what was found, so that nothing moves while one types or reads. */
type Shaping = Pick<State, "size" | "zoom" | "split" | "focus"> & {
	readonly environment?: Pick<State["environment"], "plain">;
};

/**
 * Divides the terminal: header on top, footer at the bottom, panes between, each with a title row. The pane with the focus
 * is always drawn; it is alone if there is no room for more, or if the person wants that (`zoom`).
 */
export function layoutFor(state: Shaping): Layout {
	if (state.focus !== "branches") return divide(state, state.focus);
	const layout = divide(state, "tree");
	return { ...layout, tree: undefined, branches: layout.tree };
}

function divide({ size, zoom, split, environment }: Shaping, focus: Exclude<Focus, "branches">): Layout {
	const { columns, rows } = size;
	const isAlone = zoom || environment?.plain === true;
	const isBeside = !isAlone && columns >= BESIDE_COLUMNS;
	const area: Box = { x: 0, y: 1, width: columns, height: Math.max(0, rows - (isBeside ? 3 : 2)) };
	const bottom = isBeside ? rows - 2 : undefined;
	const none = { list: undefined, tree: undefined, reader: undefined, branches: undefined, bottom };
	if (isAlone || (!isBeside && rows < STACK_ROWS)) return { ...none, [focus]: content(area), dividers: [] };
	if (focus !== "list") {
		const { first, second, divider } = cut(area, isBeside ? "columns" : "rows", split);
		return { ...none, tree: content(first), reader: content(second), dividers: [divider] };
	}
	const { first, second, divider } = cut(area, isBeside ? "list-columns" : "list-rows", split);
	const list = content(first);
	if (columns < THREE_PANES.columns || rows < THREE_PANES.rows)
		return { ...none, list, reader: content(second), dividers: [divider] };
	const right = cut(second, "rows", split);
	const dividers = [divider, right.divider];
	return { ...none, list, tree: content(right.first), reader: content(right.second), dividers };
}

/** The split with a divider moved to a column or row, as far as the panes beside it allow. */
export function moveDivider(split: Split, { name, start, cells, least }: PlacedDivider, to: number): Split {
	return { ...split, [name]: within(to - start, cells, least) / cells };
}

interface Halves {
	readonly first: Box;
	readonly second: Box;
	readonly divider: PlacedDivider;
}

/** Two areas side by side, with a column between them, or one above the other. */
function cut(area: Box, name: DividerName, split: Split): Halves {
	const { x, y } = area;
	if (name === "rows" || name === "list-rows") {
		const cells = area.height;
		const height = within(Math.round(cells * split[name]), cells, LEAST_HEIGHT);
		const second = { ...area, y: y + height, height: cells - height };
		const divider = { name, box: { ...second, height: 1 }, start: y, cells, least: LEAST_HEIGHT };
		return { first: { ...area, height }, second, divider };
	}
	const cells = area.width - 1;
	const width = within(Math.round(cells * split[name]), cells, LEAST_WIDTH);
	return {
		first: { ...area, width },
		second: { ...area, x: x + width + 1, width: cells - width },
		divider: { name, box: { ...area, x: x + width, width: 1 }, start: x, cells, least: LEAST_WIDTH },
	};
}

/** A size limited so that both sides keep their minimum. */
function within(size: number, all: number, least: number): number {
	return Math.max(least, Math.min(size, all - least));
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
