import type { SessionCounts } from "../../../catalog/model/counts.ts";
import { ENDING_BADGES, type Ending } from "../../../catalog/model/ending.ts";
import { isPinned, type Marked, type Marks, sessionTags } from "../../../catalog/model/marks.ts";
import { type SessionRow, timeAhead } from "../../../catalog/model/row.ts";
import { stateOf } from "../../../catalog/query/conditions.ts";
import { projectKey } from "../../../shared/paths.ts";
import { formatAge, formatCost, formatCount, formatShort, formatSize } from "../../../ui/text/format.ts";
import { type Line, type Span, span, type Tone } from "../../../ui/text/line.ts";
import { blanks, type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, lineWidth, textWidth } from "../../../ui/text/width.ts";
import { COLUMN_GAP, COLUMN_INFO, type Column, columnNumber, type PlacedColumn } from "../state/list-columns.ts";
import { type ProjectNames, partFor, partOfProject } from "./projects.ts";

export interface CellFacts {
	readonly row: SessionRow;
	/** Undefined until it has been counted. */
	readonly counts: SessionCounts | undefined;
	/** What it has cost with its runs, in dollars; undefined until it has been counted. */
	readonly cost: number | undefined;
	readonly projects: ProjectNames;
	/** Whether the program was started in the session's directory. */
	readonly isHere: boolean;
	/** When it or one of its runs was last active, Unix ms. */
	readonly activeMs: number;
	/** The latest of that and of the forks drawn below it, by which it stands where it does. */
	readonly familyMs?: number | undefined;
	/** How it ended, if it waits for the person. */
	readonly ending: Ending;
	/** Git branch of its directory; undefined while it is not known, "" if there is none. */
	readonly git: string | undefined;
	/** Unix ms. */
	readonly now: number;
}

interface Cell {
	readonly text: CleanText;
	readonly tone: Tone;
}

/** Follows the name of the project in which the program was started. */
export const HERE_SIGN = " ◂";
/** Shown for what has not been counted yet. */
const UNKNOWN: Cell = { text: cleanText("…"), tone: "frame" };
const NOTHING: Cell = { text: blanks(0), tone: "muted" };

/** The columns beside a title, each with the gap before it. */
export function drawCells(columns: readonly PlacedColumn[], facts: CellFacts): Line {
	return columns.flatMap(({ column, width }) => {
		if (column === "project") return [span(" ".repeat(COLUMN_GAP)), ...projectCell(facts, width)];
		const { text, tone } = column === "age" ? ageCell(facts) : cellOf(column, facts);
		const part = text === "" ? undefined : partOfCell(column, facts);
		const cell: Span = { text: cutText(text, width), tone, ...(part !== undefined && { types: part }) };
		const padding = " ".repeat(Math.max(0, width - textWidth(cell.text)));
		return COLUMN_INFO[column].align === "left"
			? [span(" ".repeat(COLUMN_GAP)), cell, span(padding)]
			: [span(`${" ".repeat(COLUMN_GAP)}${padding}`), cell];
	});
}

function projectCell({ row, projects, isHere }: CellFacts, width: number): Line {
	const mark = isHere ? HERE_SIGN : "";
	const name = cutText(projects.names.get(projectKey(row.cwd))?.text ?? NOTHING.text, width - mark.length);
	const cell: Span = { text: name, tone: "muted", ...(row.cwd !== "" && { types: partOfProject(projects, row.cwd) }) };
	const line = [cell, span(mark, "current")];
	return [...line, span(" ".repeat(Math.max(0, width - lineWidth(line))))];
}

/** Cells of the name of a place. */
const MAX_PLACE = 8;

/** " @mini", " @mini+1": where a session is, if not here, and in how many other places besides; " +1" for one that is here. */
function placeBadge({ place, alsoIn = [] }: SessionRow): CleanText {
	const more = alsoIn.length === 0 ? "" : `+${alsoIn.length}`;
	if (place === undefined) return cleanText(more === "" ? "" : ` ${more}`);
	return cleanText(` @${cutText(sanitizeLine(place), MAX_PLACE)}${more}`);
}

/** The badge of a place, which a click asks for. */
export function placeSpans(row: SessionRow): Line {
	const badge: Span = { text: placeBadge(row), tone: "muted" };
	return [row.place === undefined ? badge : { ...badge, types: partFor("place", row.place) }];
}

/** The part of a query for the sessions with the same in a column. */
function partOfCell(column: Column, { counts, git, ending }: CellFacts): string | undefined {
	switch (column) {
		case "state":
			return ending === "" ? undefined : `is:${stateOf(ENDING_BADGES[ending].words)}`;
		case "git":
			return git === undefined ? undefined : partFor("branch", git);
		case "model":
			return counts && partFor("model", counts.model);
		case "errors":
			return "is:error";
		default:
			return undefined;
	}
}

/** "2d"; "└1d" if one of its forks was used later; "+55d" for a session whose clock was ahead. */
function ageCell({ row, activeMs, familyMs = activeMs, now }: CellFacts): Cell {
	const ahead = timeAhead(row, now);
	if (ahead !== undefined) return { ...muted(formatAge(ahead, now)), tone: "warning" };
	const [own, family] = [formatAge(activeMs, now), formatAge(familyMs, now)];
	return muted(own === family ? own : `└${family}`.slice(-COLUMN_INFO.age.width));
}

const ENDING_TONES: Readonly<Record<Exclude<Ending, "">, Tone>> = {
	asks: "accent",
	failed: "error",
	aborted: "warning",
	"open-call": "warning",
	unanswered: "warning",
};

function cellOf(column: Column, { row, counts, cost, git, ending }: CellFacts): Cell {
	switch (column) {
		case "state":
			if (ending === "") return NOTHING;
			return { text: cleanText(ENDING_BADGES[ending].words), tone: ENDING_TONES[ending] };
		case "git":
			return row.cwd === "" ? NOTHING : git === undefined ? UNKNOWN : { text: sanitizeLine(git), tone: "muted" };
		case "messages":
			return countOf(row.messageCount);
		case "size":
			return muted(formatSize(row.size));
		case "cost":
			return cost === undefined ? UNKNOWN : costCell(cost, (counts?.unpriced ?? 0) > 0);
		default: {
			const fact = columnNumber(column, row);
			if (fact !== undefined) return countOf(fact);
			return counts === undefined ? UNKNOWN : countCell(column, counts);
		}
	}
}

/** "≥$0.11" or "?" where the price of an answer is unknown. */
function costCell(cost: number, isUnpriced: boolean): Cell {
	if (cost > 0) return muted(`${isUnpriced ? "≥" : ""}${formatCost(cost)}`);
	return isUnpriced ? muted("?") : NOTHING;
}

function countCell(column: Column, counts: SessionCounts): Cell {
	switch (column) {
		case "model":
			return { text: sanitizeLine(counts.model), tone: "muted" };
		case "turns":
			return countOf(counts.turns);
		case "errors":
			return counts.errors > 0 ? { ...muted(formatShort(counts.errors)), tone: "error" } : NOTHING;
		case "tokens":
			return counts.tokens > 0 ? muted(formatShort(counts.tokens)) : NOTHING;
		default:
			return NOTHING;
	}
}

/** A number in the five cells of its column: "9,999", "10k". */
function countOf(count: number): Cell {
	return muted(count < 10_000 ? formatCount(count) : formatShort(count));
}

function muted(text: string): Cell {
	return { text: cleanText(text), tone: "muted" };
}

const PIN = "★ ";

export function partOfTag(tag: string): string {
	return /\D/.test(tag) ? `#${tag}` : partFor("tag", tag);
}

/** "#idea #wip" */
export function drawTags(tags: readonly string[]): Line {
	return tags.map(
		(tag, index): Span => ({ ...span(`${index === 0 ? "" : " "}#${tag}`, "label"), types: partOfTag(tag) }),
	);
}

export function pinOf(row: Marked, marks: Pick<Marks, "pinned">): Line {
	return isPinned(row, marks) ? [span(PIN, "label")] : [];
}

/** The tags after its title, as many as fit into `room` cells. */
export function tagsOf(row: Marked, marks: Pick<Marks, "tags">, room: number): Line {
	const all = sessionTags(row, marks);
	const line: Span[] = [];
	let cells = room - TAG_GAP;
	for (const tag of drawTags(all)) {
		cells -= textWidth(tag.text);
		if (cells >= 0) line.push(tag);
	}
	return line.length === 0 ? [] : [span(" ".repeat(TAG_GAP)), ...line];
}

const TAG_GAP = 2;

/** All tags in use, the most used first. */
export function knownTags({ tags }: Pick<Marks, "tags">): readonly string[] {
	const counts = new Map<string, number>();
	for (const files of tags.values())
		for (const tag of [...files.values()].flat()) counts.set(tag, (counts.get(tag) ?? 0) + 1);
	return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([tag]) => tag);
}
