import { projectKey } from "../../../shared/paths.ts";
import { formatAge, formatCost, formatCount, formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, joinEnds } from "../../../ui/text/width.ts";
import type { Heading } from "../../world/list/headings.ts";
import type { ProjectSum } from "../../world/list/listed-sum.ts";
import { HERE_SIGN } from "../../world/list/row-cells.ts";
import {
	COLUMN_GAP,
	COLUMN_INFO,
	type Order,
	type PlacedColumn,
	pathRoom,
	sortOf,
} from "../../world/state/list-columns.ts";

interface HeadingDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly home: string;
	readonly cwd: string;
	/** What the sessions of each project come to; undefined where the list is not grouped. */
	readonly sums: ReadonlyMap<string, ProjectSum> | undefined;
	/** Unix ms. */
	readonly now: number;
}

/** Heading of a project: whether it is unfolded, its directory, and its number of sessions; or of the sessions with other forms. */
export function drawHeading(heading: Heading, drawing: HeadingDrawing): Line {
	const { width, selected } = drawing;
	if (heading.isGap === true) return [];
	const sign = heading.heading === undefined ? [] : [span(heading.isFolded ? "▸ " : "▾ ", "frame")];
	return cutLine([span(selected ? "› " : "  ", "accent"), ...sign, ...headingText(heading, drawing)], width);
}

/** "~/work/api ◂  12 sessions · $1.59 · 21m · ◐ 3", "also like this  2 sessions". */
function headingText(item: Heading, { home, cwd, sums, now }: HeadingDrawing): Line {
	const count = span(`  ${formatCounted(item.count, "session")}`, "muted");
	if (item.heading === undefined) {
		const typed = item.isAlone ? [span("nothing as typed · ", "muted")] : [];
		return [...typed, strong("also like this"), count];
	}
	const { heading } = item;
	const directory = sanitizeLine(shortenHome(heading, home)) || "no directory";
	return [
		strong(directory, "heading"),
		...(heading === projectKey(cwd) ? [span(HERE_SIGN, "current")] : []),
		count,
		...sumText(sums?.get(heading), now),
	];
}

/** What a project cost, its age, and how many of its sessions wait. */
function sumText(sum: ProjectSum | undefined, now: number): Line {
	if (sum === undefined) return [];
	const { cost, latestMs, waiting } = sum;
	return [
		span(`${cost > 0 ? ` · ${formatCost(cost)}` : ""} · ${formatAge(latestMs, now)}`, "muted"),
		...(waiting === 0 ? [] : [span(` · ◐ ${formatCount(waiting)}`, "current")]),
	];
}

/** In front of the head of the sorted column: largest or newest first, and reversed. */
const ARROWS = ["▾", "▴"] as const;

/** The heads of the columns, with the sort order. A click on one sorts by it. */
export function drawColumnHeads(title: Line, columns: readonly PlacedColumn[], order: Order, width: number): Line {
	return joinEnds(title, [...columns.flatMap((column) => drawColumnHead(column, order)), span(" ")], width);
}

/** The heads while paths of files replace the columns. */
export function drawFileHeads(title: Line, columns: readonly PlacedColumn[], order: Order, width: number): Line {
	const age = columns.filter(({ column }) => column === "age");
	const room = pathRoom(width);
	if (room <= 0) return drawColumnHeads(title, columns, order, width);
	const file = span(`${" ".repeat(COLUMN_GAP)}${"file".padEnd(room)}`, "muted");
	return joinEnds(title, [file, ...age.flatMap((column) => drawColumnHead(column, order)), span(" ")], width);
}

function drawColumnHead({ column, width }: PlacedColumn, { sort, reversed }: Order): Line {
	const info = COLUMN_INFO[column];
	const order = sortOf(column);
	const isSorted = order === sort;
	const text = `${isSorted ? ARROWS[reversed ? 1 : 0] : ""}${info.heading}`;
	const aligned = info.align === "left" ? text.slice(0, width).padEnd(width) : text.padStart(width);
	// An arrow may reach into the gap.
	const gap = " ".repeat(Math.max(0, COLUMN_GAP + width - aligned.length));
	return [
		span(gap),
		{ ...span(aligned, isSorted ? "accent" : "muted"), ...(order !== undefined && { press: `sort-${order}` }) },
	];
}
