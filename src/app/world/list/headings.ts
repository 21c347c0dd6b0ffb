import type { HomeSection, SectionName } from "./home.ts";
import type { ThreadedRow } from "./thread.ts";

/** The heading above the sessions of a project. The cursor goes over it, unless it is folded. */
export interface ProjectHeading {
	/** Directory of the project. */
	readonly heading: string;
	/** How many of its sessions the list has below it. */
	readonly count: number;
	/** Whether its sessions are not shown. */
	readonly isFolded: boolean;
}

/** The heading of a section, or of what is in none. The cursor goes over it. */
export interface SectionHeading {
	readonly section: SectionName | "others";
	/** How many sessions stand below it. */
	readonly count: number;
	/** How many there are by its rule, wherever they stand. */
	readonly total: number;
}

export type Heading = ProjectHeading | SectionHeading;

/** A row of the list on the screen. */
export type ListItem = ThreadedRow | Heading;

export function isHeading(item: ListItem | undefined): item is Heading {
	return item !== undefined && !("row" in item);
}

export function isSectionHeading(item: ListItem | undefined): item is SectionHeading {
	return item !== undefined && "section" in item;
}

/** What a row of the list is known by: the path of its session; a heading by what no file has as its path. */
export function keyOf(item: ListItem): string {
	if (!isHeading(item)) return item.row.path;
	return isSectionHeading(item) ? `section ${item.section}` : headingKey(item.heading);
}

export function headingKey(directory: string): string {
	return `project ${directory}`;
}

/** Whether the cursor may be on a row. */
export function isSelectable(item: ListItem): boolean {
	if (!isHeading(item)) return true;
	return !isSectionHeading(item) && item.isFolded;
}

/** The row at an index, or where the cursor goes over that one, the next one that it does not, first in this direction. */
export function selectableAt(items: readonly ListItem[], index: number, by: 1 | -1): number {
	const from = (direction: 1 | -1): number => {
		let at = index;
		for (let item = items[at]; item !== undefined && !isSelectable(item); item = items[at]) at += direction;
		return at;
	};
	const [first, second] = [from(by), from(by === 1 ? -1 : 1)];
	return items[first] === undefined && items[second] !== undefined ? second : first;
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

/** The sections, and below them all others, as they are without sections. */
export function belowSections(
	sections: readonly HomeSection[],
	others: readonly ListItem[],
	count: number,
): ListItem[] {
	const above = sections.flatMap(({ name, rows, total }): ListItem[] => [
		{ section: name, count: rows.length, total },
		...rows,
	]);
	if (count > 0) above.push({ section: "others", count, total: count });
	return above.concat(others);
}
