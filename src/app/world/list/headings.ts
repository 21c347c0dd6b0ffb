import { projectKey } from "../../../shared/paths.ts";
import type { PageRow } from "../../../ui/page/page-rows.ts";
import { isRunBelow } from "./families.ts";
import type { ThreadedRow } from "./thread.ts";

/** The heading above the sessions of a project. The cursor skips it unless it is folded. */
interface ProjectHeading extends PageRow {
	/** The project, as `projectKey` names it. */
	readonly heading: string;
	readonly count: number;
	readonly isFolded: boolean;
	readonly isGap?: undefined;
}

/** The heading above the sessions that have the words of the query only in other forms. The cursor skips it. */
interface OthersHeading extends PageRow {
	readonly heading: undefined;
	readonly count: number;
	/** Whether no session has the words as typed. */
	readonly isAlone: boolean;
	readonly isFolded: false;
	/** Set for the blank row between two projects, which is no heading at all. */
	readonly isGap?: true;
}

export type Heading = ProjectHeading | OthersHeading;

/** A row of the list. Its key is the path of its session; that of a heading is a text that is not a path. */
export type ListItem = ThreadedRow | Heading;

export function isHeading(item: ListItem | undefined): item is Heading {
	return item !== undefined && !("row" in item);
}

export function headingKey(directory: string): string {
	return `project ${projectKey(directory)}`;
}

const NO_PROJECT = { isSkipped: true, heading: undefined, isFolded: false } as const;
const GAP: Omit<OthersHeading, "key"> = { ...NO_PROJECT, count: 0, isAlone: false, isGap: true };

/** Sessions ordered by project, with headings. `hasGaps`: with a blank row after the sessions of each. */
export function withHeadings(
	rows: readonly ThreadedRow[],
	folded: ReadonlySet<string>,
	hasGaps: boolean,
): readonly ListItem[] {
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
		if (hasGaps && from > 0 && !isHeading(items.at(-1))) items.push({ ...GAP, key: `above ${headingKey(heading)}` });
		items.push({ key: headingKey(heading), isSkipped: !isFolded, heading, count, isFolded });
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
	const heading: OthersHeading = { ...NO_PROJECT, key: "also like this", count, isAlone: from === 0 };
	return [...itemsOf(rows.slice(0, from)), heading, ...rows.slice(from)];
}
