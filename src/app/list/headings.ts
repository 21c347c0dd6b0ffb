import type { ThreadedRow } from "./thread.ts";

/** The heading above the sessions of a project. The cursor goes over it, unless it is folded. */
export interface Heading {
	/** Directory of the project. */
	readonly heading: string;
	/** How many of its sessions the list has. */
	readonly count: number;
	/** Whether its sessions are not shown. */
	readonly isFolded: boolean;
}

/** A row of the list on the screen. */
export type ListItem = ThreadedRow | Heading;

export function isHeading(item: ListItem | undefined): item is Heading {
	return item !== undefined && "heading" in item;
}

/** What a row of the list is known by: the path of its session; a heading by its directory, which no file has as its path. */
export function keyOf(item: ListItem): string {
	return isHeading(item) ? headingKey(item.heading) : item.row.path;
}

export function headingKey(directory: string): string {
	return `project ${directory}`;
}

/** Whether the cursor may be on a row. */
export function isSelectable(item: ListItem): boolean {
	return !isHeading(item) || item.isFolded;
}

/** Sessions that are ordered by project, with a heading above those of each. */
export function withHeadings(rows: readonly ThreadedRow[], folded: ReadonlySet<string>): readonly ListItem[] {
	const items: ListItem[] = [];
	for (let from = 0; from < rows.length; ) {
		const heading = rows[from]?.row.cwd ?? "";
		let to = from + 1;
		while (rows[to]?.row.cwd === heading && to < rows.length) to++;
		const isFolded = folded.has(heading);
		items.push({ heading, count: to - from, isFolded });
		if (!isFolded) for (let at = from; at < to; at++) items.push(rows[at] as ThreadedRow);
		from = to;
	}
	return items;
}
