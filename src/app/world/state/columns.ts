import type { Sort } from "./list-order.ts";

/** The columns beside the title, from left to right. */
export const COLUMNS = [
	"project",
	"git",
	"model",
	"messages",
	"turns",
	"branches",
	"errors",
	"labels",
	"tokens",
	"cost",
	"size",
	"age",
] as const;
export type Column = (typeof COLUMNS)[number];

interface ColumnInfo {
	readonly heading: string;
	/** Its name in the menu of columns. */
	readonly name: string;
	/** Cells; for the project column the maximum, since it is as wide as the names. */
	readonly width: number;

	readonly align: "left" | "right";
}

export const COLUMN_INFO: Readonly<Record<Column, ColumnInfo>> = {
	project: { heading: "project", name: "Project", width: 20, align: "left" },
	git: { heading: "git branch", name: "Git branch of its directory, now", width: 12, align: "left" },
	model: { heading: "model", name: "Model that answered last", width: 17, align: "left" },
	messages: { heading: "msgs", name: "Messages", width: 5, align: "right" },
	turns: { heading: "turns", name: "Turns", width: 5, align: "right" },
	branches: { heading: "ends", name: "Branches: ends of the conversation", width: 4, align: "right" },
	errors: { heading: "err", name: "Errors: steps and answers that failed", width: 4, align: "right" },
	labels: { heading: "lab", name: "Labels", width: 3, align: "right" },
	tokens: { heading: "tokens", name: "Tokens", width: 6, align: "right" },
	cost: { heading: "cost", name: "Cost", width: 7, align: "right" },
	size: { heading: "size", name: "Size of the file", width: 7, align: "right" },
	age: { heading: "age", name: "Age", width: 4, align: "right" },
};

/** The order by a column. */
export function sortOf(column: Column): Sort {
	return column === "age" ? "recent" : column;
}

/** Which columns are kept first if there is not enough room for all. */
const BY_IMPORTANCE: readonly Column[] = [
	"age",
	"project",
	"turns",
	"cost",
	"errors",
	"messages",
	"branches",
	"size",
	"labels",
	"model",
	"tokens",
	"git",
];

/** A column on the screen; a gap is in front of each. */
export interface PlacedColumn {
	readonly column: Column;
	readonly width: number;
}

export const COLUMN_GAP = 2;
/** Minimum width of a title, as a share of the row and in cells. */
const TITLE_SHARE = 0.5;
const LEAST_TITLE = 26;
/** A narrower list shows only the age. */
export const LEAST_WIDTH = 48;

/** What decides which columns are drawn. */
interface Wanted {
	/** Cells of a row. */
	readonly width: number;
	/** Columns that the person has hidden. */
	readonly hidden: ReadonlySet<Column>;
	/** The order in use, whose column is always shown. */
	readonly sort: Sort;
	/** Cells of the widest project name; 0 if all sessions belong to one project, or headings name it. */
	readonly projectWidth: number;
}

/** The columns that fit beside the titles. */
export function placeColumns({ width, hidden, sort, projectWidth }: Wanted): readonly PlacedColumn[] {
	const isBy = (column: Column): boolean => sortOf(column) === sort;
	const wanted = BY_IMPORTANCE.filter((column) => {
		if (column === "project") return projectWidth > 0 && !hidden.has(column);
		return isBy(column) || !hidden.has(column);
	})
		.filter((column) => width >= LEAST_WIDTH || column === "age" || isBy(column))
		.toSorted((a, b) => Number(isBy(b)) - Number(isBy(a)));
	let room = width - Math.max(LEAST_TITLE, Math.ceil(width * TITLE_SHARE));
	const placed = new Map<Column, number>();
	for (const column of wanted) {
		const { width: own, heading } = COLUMN_INFO[column];
		// Short names leave room, but the heading must fit too.
		const cells = column === "project" ? Math.min(own, Math.max(heading.length, projectWidth)) : own;
		if (cells + COLUMN_GAP > room) continue;
		placed.set(column, cells);
		room -= cells + COLUMN_GAP;
	}
	return COLUMNS.flatMap((column) => {
		const cells = placed.get(column);
		return cells === undefined ? [] : [{ column, width: cells }];
	});
}

/** Cells for a path shown in place of these columns, except the age. */
export function pathRoom(columns: readonly PlacedColumn[]): number {
	const others = columns.filter(({ column }) => column !== "age");
	return others.reduce((sum, { width }) => sum + width + COLUMN_GAP, -COLUMN_GAP);
}
