import { projectKey } from "../../../store/files/paths.ts";
import { nearestIndex } from "../../../ui/page/page-rows.ts";
import { isRunBelow } from "./families.ts";
import type { ThreadedRow } from "./thread.ts";

/** The heading above the sessions of a project. The cursor skips it unless it is folded. */
interface ProjectHeading {
	/** The project, as `projectKey` names it. */
	readonly heading: string;
	/** Number of sessions below it. */
	readonly count: number;

	readonly isFolded: boolean;
}

/** The heading above the sessions that have the words of the query only in other forms. The cursor skips it. */
interface OthersHeading {
	readonly heading: undefined;
	/** Number of sessions below it. */
	readonly count: number;
	/** Whether no session has the words as typed. */
	readonly isAlone: boolean;
	readonly isFolded: false;
}

export type Heading = ProjectHeading | OthersHeading;

export type ListItem = ThreadedRow | Heading;

export function isHeading(item: ListItem | undefined): item is Heading {
	return item !== undefined && !("row" in item);
}

/** Identifies a row of the list: the path of its session; for a heading a text that is not a path. */
export function keyOf(item: ListItem): string {
	if (!isHeading(item)) return item.row.path;
	return item.heading === undefined ? "also like this" : headingKey(item.heading);
}

export function headingKey(directory: string): string {
	return `project ${projectKey(directory)}`;
}

export function isSelectable(item: ListItem): boolean {
	return !isHeading(item) || item.isFolded;
}

/** The index, or that of the nearest row that the cursor may be on, first in this direction; 0 if there is none. */
export function selectableAt(items: readonly ListItem[], index: number, by: 1 | -1): number {
	return Math.max(0, nearestIndex(items, index, by, isSelectable));
}

/** Sessions ordered by project, with headings. */
export function withHeadings(rows: readonly ThreadedRow[], folded: ReadonlySet<string>): readonly ListItem[] {
	const items: ListItem[] = [];
	for (let from = 0; from < rows.length; ) {
		const heading = projectKey(rows[from]?.row.cwd ?? "");
		let to = from + 1;
		let count = 1;
		// A run belongs to the session above it, wherever it worked.
		for (
			let next = rows[to];
			next !== undefined && (isRunBelow(next) || projectKey(next.row.cwd) === heading);
			next = rows[++to]
		)
			if (!isRunBelow(next)) count += 1;
		const isFolded = folded.has(heading);
		items.push({ heading, count, isFolded });
		if (!isFolded) for (let at = from; at < to; at++) items.push(rows[at] as ThreadedRow);
		from = to;
	}
	return items;
}

/** The rows; from index `from` on they match other forms of the words, have a heading, and are not grouped by project. */
export function withOthers(
	rows: readonly ThreadedRow[],
	from: number,
	itemsOf: (rows: readonly ThreadedRow[]) => readonly ListItem[],
): readonly ListItem[] {
	const count = rows.slice(from).filter((item) => !isRunBelow(item)).length;
	if (count === 0) return itemsOf(rows);
	const heading: OthersHeading = { heading: undefined, count, isAlone: from === 0, isFolded: false };
	return [...itemsOf(rows.slice(0, from)), heading, ...rows.slice(from)];
}

/** The index of the item with a key; undefined if there is none. `near`: a likely index, which is checked first. */
export function indexOfKey(items: readonly ListItem[], key: string, near = 0): number | undefined {
	const item = items[near];
	if (item !== undefined && keyOf(item) === key) return near;
	const index = items.findIndex((other) => keyOf(other) === key);
	return index === -1 ? undefined : index;
}
