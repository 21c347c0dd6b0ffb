interface ColumnInfo {
	readonly heading: string;
	/** Cells. */
	readonly width: number;
	readonly align: "left" | "right";
}

/** The columns beside the title, from left to right. */
export const COLUMN_INFO = {
	errors: { heading: "✗", width: 4, align: "right" },
	state: { heading: "", width: 9, align: "right" },
	project: { heading: "project", width: 12, align: "left" },
	git: { heading: "git branch", width: 12, align: "left" },
	model: { heading: "model", width: 17, align: "left" },
	messages: { heading: "msgs", width: 5, align: "right" },
	turns: { heading: "turns", width: 5, align: "right" },
	tokens: { heading: "tokens", width: 6, align: "right" },
	cost: { heading: "cost", width: 7, align: "right" },
	size: { heading: "size", width: 7, align: "right" },
	age: { heading: "age", width: 4, align: "right" },
} as const satisfies Record<string, ColumnInfo>;
export type Column = keyof typeof COLUMN_INFO;

export const COLUMNS = Object.keys(COLUMN_INFO) as readonly Column[];

/** The number of this name in a session's row or counts, from which its column and order are derived. */
export function columnNumber(name: Column | Sort, facts: object | undefined): number | undefined {
	const value: unknown = facts && Reflect.get(facts, name);
	return typeof value === "number" ? value : undefined;
}

export function sortOf(column: Column): Sort | undefined {
	return column === "age" ? "recent" : column === "state" ? undefined : column;
}

/** The columns that a list begins with, the most important ones first, each from a width of the terminal on, in cells. */
const FROM: readonly (readonly [column: Column, from: number])[] = [
	["age", 0],
	["state", 60],
	["project", 80],
	["cost", 140],
	["errors", 160],
];

/** The columns that the person has chosen, else those of a terminal of so many cells, the most important ones first; and the one that the list is sorted by. */
export function wantedColumns(terminal: number, chosen: readonly Column[] | undefined, sort?: Sort): readonly Column[] {
	const columns = chosen ?? FROM.flatMap(([column, from]) => (terminal >= from ? [column] : []));
	const first = COLUMNS.filter((column) => sort !== "project" && sortOf(column) === sort);
	const inOrder = [...FROM.map(([column]) => column), ...COLUMNS].filter((column) => columns.includes(column));
	return [...new Set([...first, ...inOrder])];
}

/** A column on the screen; a gap is in front of each. */
export interface PlacedColumn {
	readonly column: Column;
	readonly width: number;
}

export const COLUMN_GAP = 2;
const END_GAP = 1;
/** Cells that a title keeps beside the columns. */
const LEAST_TITLE = 28;
/** Cells of an age with its gaps. */
const AGE_CELLS = COLUMN_INFO.age.width + COLUMN_GAP + END_GAP;
/** A list that is not this wide, in cells, has no row that says what its columns are. */
export const LEAST_WIDTH = 48;

/**
 * The columns beside the titles in a row of so many cells: of the wanted ones, the most important ones first, each that still has room
 * beside a title of so many cells.
 */
export function placeColumns(
	width: number,
	wanted: readonly Column[],
	{ title = LEAST_TITLE, sort }: { readonly title?: number; readonly sort?: Sort } = {},
): readonly PlacedColumn[] {
	let room = width - title - END_GAP;
	const fitting = new Set<Column>();
	for (const column of wanted) {
		const cells = COLUMN_INFO[column].width + COLUMN_GAP;
		// The age, and what the list is sorted by, stay beside a shorter title.
		if (cells > room && column !== "age" && sortOf(column) !== (sort ?? "recent")) continue;
		fitting.add(column);
		room -= cells;
	}
	return COLUMNS.flatMap((column) => (fitting.has(column) ? [{ column, width: COLUMN_INFO[column].width }] : []));
}

/** Part of a row that titles keep beside the paths of the files. */
const TITLE_BESIDE_PATH = 0.4;

/** Cells for a path in place of all columns but the age; 0 if there is no room for one. */
export function pathRoom(width: number): number {
	return width < LEAST_WIDTH ? 0 : width - Math.floor(width * TITLE_BESIDE_PATH) - AGE_CELLS - COLUMN_GAP;
}

const RECENT = ["newest activity first", "oldest activity first"] as const;
const RECENT_FAMILIES = [`${RECENT[0]}, forks below their session`, `${RECENT[1]}, forks below their session`] as const;
const COUNTED = ["most first", "least first"] as const;
const LONG = "long, longest, big, biggest, shortest";
const ALPHABETIC = ["from a to z", "from z to a"] as const;

/** What the sessions can be ordered by, in the order of the menu: its name there, what comes first, normal and reversed, and what else it is called. */
export const ORDERS = {
	threaded: { name: "Recent", hints: RECENT_FAMILIES, synonyms: "latest, age" },
	recent: { name: "Recent, forks apart", hints: RECENT, synonyms: "latest, age" },
	relevance: { name: "Best match", hints: ["best match first", "worst match first"], synonyms: "hits" },
	created: { name: "Created", hints: ["newest first", "oldest first"], synonyms: "began" },
	place: { name: "Place", hints: ALPHABETIC, synonyms: "host" },
	project: { name: "Project", hints: ["by project, with headings", "by project, from z to a"], synonyms: "folder" },
	title: { name: "Title", hints: ALPHABETIC, synonyms: "name" },
	messages: { name: "Messages", hints: COUNTED, synonyms: LONG },
	turns: { name: "Turns", hints: COUNTED, synonyms: LONG },
	errors: { name: "Errors", hints: COUNTED, synonyms: "failed, failures" },
	tokens: { name: "Tokens", hints: COUNTED, synonyms: LONG },
	cost: { name: "Cost", hints: ["most expensive first", "cheapest first"], synonyms: "money, dollars" },
	size: { name: "Size", hints: ["largest file first", "smallest file first"], synonyms: LONG },
	model: { name: "Model", hints: ALPHABETIC, synonyms: "" },
	git: { name: "Git branch", hints: ALPHABETIC, synonyms: "worktree" },
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

/** "newest", "cost", or "cost ↑" if it is reversed: for the header, which has little room. */
export function orderLabel({ sort, reversed }: Order): string {
	if (sort === "threaded" || sort === "recent") return reversed ? "oldest" : "newest";
	return `${ORDERS[sort].name.toLowerCase()}${reversed ? " ↑" : ""}`;
}

/** The orders to choose from: relevance only for the results of a search, which are never threaded. */
export function sortsFor(searching: boolean): readonly Sort[] {
	return SORTS.filter((sort) => sort !== (searching ? "threaded" : "relevance"));
}
