interface ColumnInfo {
	readonly heading: string;
	/** Cells; for the project column the maximum, since it is as wide as the names. */
	readonly width: number;
	readonly align: "left" | "right";
}

/** The columns beside the title, from left to right. */
export const COLUMN_INFO = {
	project: { heading: "project", width: 12, align: "left" },
	git: { heading: "git branch", width: 12, align: "left" },
	model: { heading: "model", width: 17, align: "left" },
	messages: { heading: "msgs", width: 5, align: "right" },
	turns: { heading: "turns", width: 5, align: "right" },
	tokens: { heading: "tokens", width: 6, align: "right" },
	cost: { heading: "cost", width: 7, align: "right" },
	errors: { heading: "✗", width: 4, align: "right" },
	size: { heading: "size", width: 7, align: "right" },
	age: { heading: "age", width: 4, align: "right" },
} as const satisfies Record<string, ColumnInfo>;
export type Column = keyof typeof COLUMN_INFO;

export const COLUMNS = Object.keys(COLUMN_INFO) as readonly Column[];

/** The number of this name in a session's row or counts, from which its column and order are derived. */
export function numberOf(name: Column | Sort, facts: object | undefined): number | undefined {
	const value: unknown = facts && Reflect.get(facts, name);
	return typeof value === "number" ? value : undefined;
}

/** The column that an order goes by; undefined for the orders that have none. */
export function columnOf(sort: Sort): Column | undefined {
	return COLUMNS.find((column) => sortOf(column) === sort);
}

export function sortOf(column: Column): Sort {
	return column === "age" ? "recent" : column;
}

/** The columns that come with the room, the most important ones first, each from a width of the terminal on, in cells. */
const FROM: readonly (readonly [column: Column, from: number])[] = [
	["age", 0],
	["project", 80],
	["cost", 100],
	["errors", 110],
	["turns", 160],
];

/** The columns of a list in a terminal of so many cells: the most important one, those that are asked about, and those that come with the room. */
export function wantedColumns(terminal: number, asked: readonly Column[]): readonly Column[] {
	const [first = "age", ...rest] = FROM.filter(([, from]) => terminal >= from).map(([column]) => column);
	return [...new Set([first, ...asked, ...rest])];
}

/** A column on the screen; a gap is in front of each. */
export interface PlacedColumn {
	readonly column: Column;
	readonly width: number;
}

export const COLUMN_GAP = 2;
const END_GAP = 1;
/** Cells that a title keeps beside the columns. */
export const LEAST_TITLE = 36;
/** Cells of an age with its gaps. */
const AGE_CELLS = COLUMN_INFO.age.width + COLUMN_GAP + END_GAP;
/** Cells of "in 55d". */
const AHEAD_WIDTH = 6;
/** A list that is not this wide, in cells, has no row that says what its columns are. */
export const LEAST_WIDTH = 48;

interface ColumnNeeds {
	/** Cells of a row. */
	readonly width: number;
	/** Cells that its title keeps. */
	readonly title: number;
	/** The columns, the most important ones first. */
	readonly wanted: readonly Column[];
	/** Whether some session's age is a time that is still to come, which takes more cells. */
	readonly hasAhead?: boolean;
	readonly empty?: ReadonlySet<Column>;
	/** Cells of the widest project name; 0 if all sessions belong to one project, or headings name it. */
	readonly projectWidth: number;
	/** Cells of the widest badge of a place behind it. */
	readonly placeWidth?: number;
}

/** The columns beside the titles: the most important ones, up to the first that does not fit. */
export function placeColumns(needs: ColumnNeeds): readonly PlacedColumn[] {
	const { width, title, wanted, empty, projectWidth, placeWidth = 0, hasAhead = false } = needs;
	let room = width - title - END_GAP;
	const placed = new Map<Column, number>();
	for (const column of wanted) {
		if (empty?.has(column) === true || (column === "project" && projectWidth === 0)) continue;
		const { width: columnWidth, heading } = COLUMN_INFO[column];
		// Short names leave room, but the heading must fit too.
		const most = column === "age" && hasAhead && AHEAD_WIDTH + COLUMN_GAP <= room ? AHEAD_WIDTH : columnWidth;
		const name = Math.min(columnWidth, Math.max(heading.length, projectWidth));
		const cells = column === "project" ? name + placeWidth : most;
		// The age stays beside a shorter title.
		if (cells + COLUMN_GAP > room && column !== "age") break;
		placed.set(column, cells);
		room -= cells + COLUMN_GAP;
	}
	return COLUMNS.flatMap((column) => {
		const cells = placed.get(column);
		return cells === undefined ? [] : [{ column, width: cells }];
	});
}

/** Part of a row that titles keep beside the paths of the files. */
const TITLE_BESIDE_PATH = 0.4;

/** Cells for a path in place of all columns but the age; 0 if there is no room for one. */
export function pathRoom(width: number): number {
	return width < LEAST_WIDTH ? 0 : width - Math.floor(width * TITLE_BESIDE_PATH) - AGE_CELLS - COLUMN_GAP;
}

const RECENT = ["newest activity first", "oldest activity first"] as const;
const COUNTED = ["most first", "least first"] as const;
const ALPHABETIC = ["from a to z", "from z to a"] as const;

/** What the sessions can be ordered by, in the order of the menu: its name there, and what comes first, normal and reversed. */
export const ORDERS = {
	threaded: { name: "Recent with forks below", hints: RECENT },
	recent: { name: "Recent", hints: RECENT },
	relevance: { name: "Relevance", hints: ["best match first", "worst match first"] },
	created: { name: "Created", hints: ["newest first", "oldest first"] },
	place: { name: "Place", hints: ALPHABETIC },
	project: { name: "Project", hints: ["by project, with headings", "by project, from z to a"] },
	title: { name: "Title", hints: ALPHABETIC },
	messages: { name: "Messages", hints: COUNTED },
	turns: { name: "Turns", hints: COUNTED },
	errors: { name: "Errors", hints: COUNTED },
	tokens: { name: "Tokens", hints: COUNTED },
	cost: { name: "Cost", hints: ["most expensive first", "cheapest first"] },
	size: { name: "Size", hints: ["largest file first", "smallest file first"] },
	model: { name: "Model", hints: ALPHABETIC },
	git: { name: "Git branch", hints: ALPHABETIC },
} as const;
export type Sort = keyof typeof ORDERS;

export const SORTS = Object.keys(ORDERS) as readonly Sort[];

export interface Order {
	readonly sort: Sort;
	readonly reversed: boolean;
}

export function orderHint({ sort, reversed }: Order): string {
	return ORDERS[sort].hints[reversed ? 1 : 0];
}

/** "cost", or "cost ↑" if it is reversed: for the title of the list, which has little room. */
export function orderLabel({ sort, reversed }: Order): string {
	const name = sort === "threaded" ? "forks below" : ORDERS[sort].name.toLowerCase();
	return `${name}${reversed ? " ↑" : ""}`;
}

/** The orders to choose from: relevance only for the results of a search, which are never threaded. */
export function sortsFor(searching: boolean): readonly Sort[] {
	return SORTS.filter((sort) => sort !== (searching ? "threaded" : "relevance"));
}
