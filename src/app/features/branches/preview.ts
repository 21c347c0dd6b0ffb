import { type Branch, type Branches, partingOf } from "../../../conversation/branches/branch.ts";
import { promptWords } from "../../../conversation/branches/prompt-words.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import { type Sum, sumOf, sumParts } from "../../../conversation/entries/turn-sum.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { formatAgo, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { blanks } from "../../../ui/text/sanitize.ts";
import { cutLine } from "../../../ui/text/width.ts";
import { filesLine, firstRows, pathRows, type ReadRow, type TurnDrawing } from "./draw-path.ts";

/** The size of a preview, and what it is drawn with. */
export interface PreviewDrawing {
	readonly width: number;
	readonly height: number;
	/** The person's home directory. */
	readonly home: string;
	/** Current time, Unix ms. */
	readonly now: number;
}

/** A pane with fewer rows has no blank rows, and leaves out what the row of the branch shows too. */
const LOW_HEIGHT = 16;
const BLANK: ReadRow = { line: [] };
/** Rows of a path at least, however little room there is. */
const MIN_ROWS = 2;
/** Share of the room for the branch when the active path is shown below it. */
const OWN_SHARE = 0.65;
/** Entries of the active path that are summed up for a preview; a longer path has no sum. */
const MAX_COUNTED = 2000;

/** Fills the pane with a branch: where it left, its path, what the active path did instead, and the files of both. */
export function previewRows(branches: Branches, index: number, drawing: PreviewDrawing): readonly ReadRow[] {
	const { session, list } = branches;
	const branch = list[index];
	if (branch === undefined) return [];
	const { width, height, home } = drawing;
	const isLow = height < LOW_HEIGHT;
	const place = placeOf(session, home);
	const turn: TurnDrawing = { session, place, width, promptRows: isLow ? 1 : 2, answerRows: isLow ? 1 : 3 };
	const short = { ...turn, promptRows: 1, answerRows: 1 };
	const facts = factRows(branch, branches, drawing);
	const gap = isLow ? [] : [BLANK];
	const files = filesRows(branch.sum, width);
	const instead = branch.kind === "abandoned" ? activeInstead(branches, index, home) : undefined;
	const hasInstead = instead !== undefined && instead.path.length > 0;
	const theirFiles = hasInstead && instead.sum !== undefined ? filesRows(instead.sum, width) : [];
	const below = hasInstead ? [...gap, { line: cutLine([span("on the active path instead", "muted")], width) }] : [];
	const room = height - [facts, gap, files, below, theirFiles].reduce((sum, rows) => sum + rows.length, 0);
	const rows = (path: readonly SessionEntry[], how: TurnDrawing, most: number): readonly ReadRow[] =>
		pathRows(path, how, Math.max(MIN_ROWS, most));
	const least = hasInstead ? rows(instead.path, short, Math.floor(room * (1 - OWN_SHARE))).length : 0;
	const own = rows(branch.path, turn, room - least);
	const theirs = hasInstead ? rows(instead.path, short, room - own.length) : [];
	return [...facts, ...gap, ...own, ...files, ...below, ...theirs, ...theirFiles].slice(0, height);
}

/** What the active path did after a branch left it; its sum is undefined if it is long. */
const activeInstead = memoLast(
	(branches: Branches, index: number, home: string): { path: readonly SessionEntry[]; sum: Sum | undefined } => {
		const { session, list } = branches;
		const active = list.findIndex(({ kind }) => kind === "active");
		const { right: path } = partingOf(branches, index, active);
		return { path, sum: path.length > MAX_COUNTED ? undefined : sumOf(path, session, placeOf(session, home)) };
	},
);

function filesRows(sum: Sum, width: number): ReadRow[] {
	const line = filesLine(sum, width);
	return line === undefined ? [] : [{ line: cutLine(line, width) }];
}

/** Where and when a branch left another one, and its totals. */
function factRows(
	branch: Branch,
	{ session, list, counts }: Branches,
	{ width, height, now, home }: PreviewDrawing,
): ReadRow[] {
	const { kind, prompts, parent, forkAt, sum } = branch;
	const from = parent === undefined ? undefined : list[parent]?.path[forkAt];
	const rows: Line[] = [];
	if (from !== undefined) {
		const asked = prompts.before === undefined ? "" : `${promptWords(prompts.before, counts)} · `;
		const [said = blanks(0)] = firstRows(
			`${asked}${describeRow(from, session, placeOf(session, home)).text}`,
			width - 6,
			1,
		);
		rows.push([span("from  ", "muted"), { text: said }]);
	}
	const age = sum.endMs === undefined ? "" : formatAgo(sum.endMs, now);
	if (kind === "abandoned")
		rows.push([span("left  ", "muted"), span(`${age}${age === "" ? "" : ", "}never continued`)]);
	else if (kind === "active")
		rows.push([span("leaf  ", "current"), span(`pi goes on here${age === "" ? "" : ` · ${age}`}`)]);
	else rows.push([span("root  ", "current"), span("what all branches begin with")]);
	if (height < LOW_HEIGHT) return rows.map((line) => ({ line: cutLine(line, width) }));
	const parts = [sum.turns === 0 ? "" : formatCounted(sum.turns, "turn"), ...sumParts(sum)].filter(Boolean);
	rows.push([span("sum   ", "muted"), span(parts.join(" · "))]);
	return rows.map((line) => ({ line: cutLine(line, width) }));
}
