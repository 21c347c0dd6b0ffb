import type { Branch, Branches } from "../../../conversation/branches/branch.ts";
import { isShown } from "../../../conversation/branches/compare-ends.ts";
import { type EntryKind, entryKind } from "../../../conversation/entries/entry-kind.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { type Place, placeOf } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import { type Sum, sumOf, workParts } from "../../../conversation/entries/turn-sum.ts";
import { type Turn, turnsOf } from "../../../conversation/entries/turns.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatAgo, formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Ground, type Line, type Span, span } from "../../../ui/text/line.ts";
import { blanks, type CleanText, cleanText, joinText, sanitizeLine, sliceText } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { Box } from "../../../ui/view.ts";

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
export function previewRows(
	branches: Branches,
	index: number,
	size: Pick<Box, "width" | "height">,
	home: string,
	now: number,
): readonly ReadRow[] {
	const { session, list } = branches;
	const branch = list[index];
	if (branch === undefined) return [];
	const { width, height } = size;
	const isLow = height < LOW_HEIGHT;
	const place = placeOf(session, home);
	const turn: TurnDrawing = { session, place, width, promptRows: isLow ? 1 : 2, answerRows: isLow ? 1 : 3 };
	const short = { ...turn, promptRows: 1, answerRows: 1 };
	const facts = factRows(branch, branches, size, home, now);
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
	const branchRows = rows(branch.path, turn, room - least);
	const theirs = hasInstead ? rows(instead.path, short, room - branchRows.length) : [];
	return [...facts, ...gap, ...branchRows, ...files, ...below, ...theirs, ...theirFiles].slice(0, height);
}

/** The sum of the active path after a branch left it, computed for each frame of its preview; undefined for a long path. */
const activeInstead = memoLast(
	(branches: Branches, index: number, home: string): { path: readonly SessionEntry[]; sum: Sum | undefined } => {
		const { session, list } = branches;
		const { byId, parentOf } = session.tree;
		const outline = outlineOf(session);
		let fork = list[index]?.id;
		while (fork !== undefined && !outline.isActive(fork)) fork = parentOf.get(fork);
		// Only what comes after the fork is walked: the path before it may be very long.
		const path: SessionEntry[] = [];
		let at = list.find(({ kind }) => kind === "active")?.id;
		for (; at !== undefined && at !== fork; at = parentOf.get(at)) {
			const entry = byId.get(at);
			if (entry !== undefined) path.push(entry);
		}
		path.reverse();
		return { path, sum: path.length > MAX_COUNTED ? undefined : sumOf(path, session, placeOf(session, home)) };
	},
);

/** Where and when a branch left another one, and its totals. */
function factRows(
	branch: Branch,
	{ session, list }: Branches,
	{ width, height }: Pick<Box, "width" | "height">,
	home: string,
	now: number,
): ReadRow[] {
	const { kind, parent, forkAt, sum } = branch;
	const from = parent === undefined ? undefined : list[parent]?.path[forkAt];
	const rows: Line[] = [];
	if (from !== undefined) {
		const [text = blanks(0)] = firstRows(describeRow(from, session, placeOf(session, home)).text, width - 6, 1);
		rows.push([span("from  ", "muted"), { text }]);
	}
	const age = sum.endMs === undefined ? "" : formatAgo(sum.endMs, now);
	if (kind === "abandoned")
		rows.push([span("left  ", "muted"), span(`${age}${age === "" ? "" : ", "}never continued`)]);
	else if (kind === "active")
		rows.push([span("end   ", "current"), span(`pi continues here${age === "" ? "" : ` · ${age}`}`)]);
	else rows.push([span("start ", "current"), span("what all branches begin with")]);
	if (height >= LOW_HEIGHT) {
		const parts = [sum.turns === 0 ? "" : formatCounted(sum.turns, "turn"), ...workParts(sum)].filter(Boolean);
		rows.push([span("sum   ", "muted"), span(parts.join(" · "))]);
	}
	return rows.map((line) => ({ line: cutLine(line, width) }));
}

export interface ReadRow {
	readonly line: Line;
	readonly ground?: Ground | undefined;
}

interface TurnDrawing {
	readonly session: Session;
	readonly place: Place;
	readonly width: number;
	/** Largest number of rows of a prompt, and of an answer. */
	readonly promptRows: number;
	readonly answerRows: number;
}

/** A turn in few rows: the prompt, each step with its outcome, and the beginnings of the answers. */
function* turnRows({ prompt, rest }: Turn, drawing: TurnDrawing): Generator<ReadRow, void> {
	if (prompt !== undefined) yield* promptRows(prompt, drawing);
	for (const entry of rest) yield* entryRows(entry, drawing);
}

function promptRows(prompt: SessionEntry, { session, place, width, promptRows: most }: TurnDrawing): ReadRow[] {
	return firstRows(describeRow(prompt, session, place).text, width - 2, most).map((row, index) => ({
		line: [{ text: joinText(cleanText(index === 0 ? "❯ " : "  "), row), tone: "prompt", bold: true }],
		ground: "prompt",
	}));
}

/** The rows of an entry other than a prompt: a step in one row, the beginning of a text, or none. */
function entryRows(entry: SessionEntry, { session, place, width, answerRows }: TurnDrawing): ReadRow[] {
	if (!isShown(entry)) return [];
	const { kind, mark, verb, text, tone, said, outcome } = describeRow(entry, session, place);
	const words = [mark?.text, verb?.text, text].filter((word) => word !== undefined && word !== "");
	if (kind !== "result" && kind !== "command") {
		const begin = mark ?? verb;
		const marked = sanitizeLine(begin?.text ?? "").length;
		return firstRows(words.join(" "), width, answerRows).map((row, index) => ({
			line:
				index > 0 || begin === undefined
					? [{ text: row, tone }]
					: [
							{ text: sliceText(row, 0, marked), tone: begin.tone },
							{ text: sliceText(row, marked), tone },
						],
		}));
	}
	const leftEnd: Line = [
		span(`  ${sanitizeLine(verb?.text ?? "")} `, verb?.tone ?? "verb"),
		span(sanitizeLine(text), tone),
		span(said === "" ? "" : `  ${sanitizeLine(said)}`, "muted"),
	];
	const right = outcome.map((part) => span(` ${sanitizeLine(part.text)}`, part.tone));
	return [{ line: joinEnds(leftEnd, right, width) }];
}

/** The first rows of a text; the last one ends with "…" if there is more. */
export function firstRows(text: string, width: number, most: number): CleanText[] {
	const rows = wrapText(sanitizeLine(text), width);
	if (rows.length <= most) return rows;
	return rows
		.slice(0, most)
		.map((row, index) => (index === most - 1 ? cutText(joinText(row, cleanText(" …")), width) : row));
}

/**
 * A path in at most `room` rows: whole if it fits, else each turn as its prompt and last answer; if that is still too long,
 * the first of these turns and how the path ended.
 */
function pathRows(path: readonly SessionEntry[], drawing: TurnDrawing, room: number): readonly ReadRow[] {
	const whole = firstOf(turnsOf(path), (turn) => turnRows(turn, drawing), room + 1);
	if (whole.length <= room) return whole;
	const short = { ...drawing, promptRows: 1, answerRows: 1 };
	const outcomes = firstOf(turnsOf(path), (turn) => outcomeRows(turn, short), room + 1);
	if (outcomes.length <= room) return outcomes;
	const end = room > 2 ? endRows(path, short) : [];
	return [...outcomes.slice(0, room - 1 - end.length), { line: [span("  …", "muted")] }, ...end];
}

/** The rows of the first turns, up to `enough`. */
function firstOf(turns: Iterable<Turn>, draw: (turn: Turn) => Iterable<ReadRow>, enough: number): ReadRow[] {
	const rows: ReadRow[] = [];
	for (const turn of turns) {
		for (const row of draw(turn)) {
			rows.push(row);
			if (rows.length === enough) return rows;
		}
	}
	return rows;
}

/** What counts as a step. A turn may have any number of them, so only their kind is checked. */
const STEPS: ReadonlySet<EntryKind> = new Set(["result", "command"]);

/** A turn as its prompt and last answer, with its number of steps. */
function* outcomeRows({ prompt, rest }: Turn, drawing: TurnDrawing): Generator<ReadRow, void> {
	if (prompt !== undefined) yield* promptRows(prompt, drawing);
	const steps = rest.filter((entry) => STEPS.has(entryKind(entry))).length;
	const counted = steps === 0 ? [] : [span(` ${formatCounted(steps, "step")}`, "muted")];
	const answerLine = endRows(rest, drawing)[0]?.line ?? [];
	if (answerLine.length > 0 || steps > 0) yield { line: joinEnds(answerLine, counted, drawing.width) };
}

/** The last answer of a path, or if it has none, its last entry with rows. */
function endRows(path: readonly SessionEntry[], drawing: TurnDrawing): ReadRow[] {
	const last =
		path.findLast((entry) => entryKind(entry) === "answer") ??
		path.findLast((entry) => entryRows(entry, drawing).length > 0);
	return last === undefined ? [] : entryRows(last, drawing);
}

function filesRows({ files }: Sum, width: number): ReadRow[] {
	if (files.size === 0) return [];
	const line: Span[] = [span("files ", "muted")];
	let shownCount = 0;
	for (const path of files.keys()) {
		const spans = [span("  "), span(sanitizeLine(path))];
		const more = span(`  … ${formatCount(files.size - shownCount)} more`, "muted");
		if (shownCount > 0 && lineWidth([...line, ...spans, more]) > width) {
			line.push(more);
			break;
		}
		line.push(...spans);
		shownCount += 1;
	}
	return [{ line: cutLine(line, width) }];
}
