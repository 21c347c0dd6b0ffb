import type { SessionEntry } from "../../store/format/schema.ts";
import type { Place } from "../conversation/place.ts";
import { addEntry, emptySum, type Sum, sumParts } from "../conversation/turn-sum.ts";
import { memoLast } from "../model/memo.ts";
import type { Line, Span } from "../model/view.ts";
import { formatAge, formatCounted } from "../text/format.ts";
import { span } from "../text/span.ts";
import { cutLine } from "../text/width.ts";
import type { Branch, Branches } from "./branch.ts";
import { partingOf } from "./common-path.ts";
import { firstRows, type ReadRow, type TurnDrawing } from "./draw-turn.ts";
import { filesLine } from "./files-row.ts";
import { pathRows } from "./path-rows.ts";

/** The box that a preview fills, and what it is drawn with. */
export interface PreviewDrawing {
	readonly width: number;
	readonly height: number;
	readonly place: Place;
	/** Present time, Unix ms. */
	readonly now: number;
}

const BLANK: ReadRow = { line: [] };
/** Rows that a path has at least, however little room there is. */
const LEAST_ROWS = 2;
/** The part of the room that a branch has, when what the active path did instead stands below it. */
const OWN_SHARE = 0.65;
/** Entries of the active path whose sum is counted for a preview. */
const MOST_COUNTED = 2000;

/** A branch in as many rows as its pane has: where it left, its path, what the active path did instead, the files of both. */
export function previewRows(branches: Branches, index: number, drawing: PreviewDrawing): readonly ReadRow[] {
	const { session, list } = branches;
	const branch = list[index];
	if (branch === undefined) return [];
	const { width, height, place } = drawing;
	const turn: TurnDrawing = { session, place, width, promptRows: 2, answerRows: 3 };
	const facts = factRows(branch, branches, drawing);
	const files = filesRows(branch.sum, width);
	const instead = branch.kind === "abandoned" ? activeInstead(branches, index, place) : undefined;
	const room = height - facts.length - files.length - 1;
	if (instead === undefined || instead.path.length === 0)
		return [...facts, BLANK, ...pathRows(branch.path, turn, Math.max(LEAST_ROWS, room)), ...files].slice(0, height);
	const theirFiles = instead.sum === undefined ? [] : filesRows(instead.sum, width);
	const rest = room - theirFiles.length - 2;
	const short = { ...turn, promptRows: 1, answerRows: 1 };
	const theirs = (rows: number): readonly ReadRow[] => pathRows(instead.path, short, Math.max(LEAST_ROWS, rows));
	const least = theirs(Math.floor(rest * (1 - OWN_SHARE)));
	const own = pathRows(branch.path, turn, Math.max(LEAST_ROWS, rest - least.length));
	const title: ReadRow = { line: [span("on the active path instead", "muted")] };
	return [...facts, BLANK, ...own, ...files, BLANK, title, ...theirs(rest - own.length), ...theirFiles].slice(
		0,
		height,
	);
}

/** What the active path did where it and a branch parted; its sum only if that is not long. */
const activeInstead = memoLast(
	(branches: Branches, index: number, place: Place): { path: readonly SessionEntry[]; sum: Sum | undefined } => {
		const active = branches.list.findIndex(({ kind }) => kind === "active");
		const { right: path } = partingOf(branches, index, active);
		if (path.length > MOST_COUNTED) return { path, sum: undefined };
		const sum = emptySum();
		for (const entry of path) addEntry(sum, entry, branches.session, place);
		return { path, sum };
	},
);

function filesRows(sum: Sum, width: number): ReadRow[] {
	const line = filesLine(sum, width);
	return line === undefined ? [] : [{ line: cutLine(line, width) }];
}

/** Where a branch left which other one, and since when. */
function factRows(branch: Branch, { list }: Branches, { width, now }: PreviewDrawing): ReadRow[] {
	const { kind, prompts, parent, forkAt, sum } = branch;
	const from = parent === undefined ? undefined : list[parent]?.path[forkAt];
	const rows: Line[] = [];
	if (prompts.before !== undefined && from !== undefined) {
		rows.push([span("from  ", "muted"), ...firstRows(prompts.before, width - 6, 1).map((text): Span => ({ text }))]);
	}
	const age = sum.endMs === undefined ? "" : ago(sum.endMs, now);
	if (kind === "abandoned")
		rows.push([span("left  ", "muted"), span(`${age}${age === "" ? "" : ", "}never gone on with`)]);
	else if (kind === "active")
		rows.push([span("leaf  ", "current"), span(`pi goes on here${age === "" ? "" : ` · ${age}`}`)]);
	else rows.push([span("root  ", "current"), span("what all branches begin with")]);
	const parts = [sum.turns === 0 ? "" : formatCounted(sum.turns, "turn"), ...sumParts(sum)].filter(Boolean);
	rows.push([span("sum   ", "muted"), span(parts.join(" · "))]);
	return rows.map((line) => ({ line: cutLine(line, width) }));
}

function ago(time: number, now: number): string {
	const age = formatAge(time, now);
	return age === "now" ? "just now" : `${age} ago`;
}
