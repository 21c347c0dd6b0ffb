import { type EntryKind, entryKind } from "../../../conversation/entries/entry-kind.ts";
import type { Place } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import type { Sum } from "../../../conversation/entries/turn-sum.ts";
import { type Turn, turnsOf } from "../../../conversation/entries/turns.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { LineChange } from "../../../store/format/tool-change.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Ground, type Line, type Span, span } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, joinText, sanitizeLine, sliceText } from "../../../ui/text/sanitize.ts";
import { cutText, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";

/** A row of rendered conversation. */
export interface ReadRow {
	readonly line: Line;
	readonly ground?: Ground;
}

export interface TurnDrawing {
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

/** A prompt as a band. */
function promptRows(prompt: SessionEntry, { session, place, width, promptRows: most }: TurnDrawing): ReadRow[] {
	return firstRows(describeRow(prompt, session, place).text, width - 2, most).map((row, index) => ({
		line: [{ text: joinText(cleanText(index === 0 ? "❯ " : "  "), row), tone: "prompt", bold: true }],
		ground: "prompt",
	}));
}

/** Kinds of entries that get rows, besides prompts. */
const SHOWN_KINDS: ReadonlySet<EntryKind> = new Set<EntryKind>([
	"answer",
	"result",
	"command",
	"compaction",
	"branch-summary",
	"message",
]);

/** The rows of an entry other than a prompt: a step in one row, the beginning of a text, or none. */
function entryRows(entry: SessionEntry, { session, place, width, answerRows }: TurnDrawing): ReadRow[] {
	if (!SHOWN_KINDS.has(entryKind(entry))) return [];
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
	const left: Line = [
		span(`  ${sanitizeLine(verb?.text ?? "")} `, verb?.tone ?? "verb"),
		span(sanitizeLine(text), tone),
		span(said === "" ? "" : `  ${sanitizeLine(said)}`, "muted"),
	];
	const right = outcome.map((part) => span(` ${sanitizeLine(part.text)}`, part.tone));
	return [{ line: joinEnds(left, right, width) }];
}

/** The first rows of a text; the last one ends with "…" if there is more. */
export function firstRows(text: string, width: number, most: number): CleanText[] {
	const rows = wrapText(sanitizeLine(text), width);
	if (rows.length <= most) return rows;
	return rows
		.slice(0, most)
		.map((row, index) => (index === most - 1 ? cutText(joinText(row, cleanText(" …")), width) : row));
}

/** Entries at the end of a path that are searched for its last answer. */
const NEAR_END = 200;

/**
 * A path in at most `room` rows: whole if it fits, else each turn as its prompt and last answer; if that is still too long,
 * the first of these turns and how the path ended.
 */
export function pathRows(path: readonly SessionEntry[], drawing: TurnDrawing, room: number): readonly ReadRow[] {
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
const STEPS: ReadonlySet<EntryKind> = new Set<EntryKind>(["result", "command"]);

/** A turn as its prompt and last answer, with its number of steps. */
function* outcomeRows({ prompt, rest }: Turn, drawing: TurnDrawing): Generator<ReadRow, void> {
	if (prompt !== undefined) yield* promptRows(prompt, drawing);
	const steps = rest.filter((entry) => STEPS.has(entryKind(entry))).length;
	const counted = steps === 0 ? [] : [span(` ${formatCounted(steps, "step")}`, "muted")];
	const said = endRows(rest, drawing)[0]?.line ?? [];
	if (said.length > 0 || steps > 0) yield { line: joinEnds(said, counted, drawing.width) };
}

/** The last answer of a path, or if none is near its end, its last entry with rows. */
function endRows(path: readonly SessionEntry[], drawing: TurnDrawing): ReadRow[] {
	const near = path.slice(-NEAR_END);
	const answer = near.findLast((entry) => entryKind(entry) === "answer");
	if (answer !== undefined) return entryRows(answer, drawing);
	const last = near.findLast((entry) => entryRows(entry, drawing).length > 0);
	return last === undefined ? [] : entryRows(last, drawing);
}

/** A file with its changed lines: "src/types.ts +12 −3". */
export function fileSpans(path: string, { added, removed }: LineChange): Span[] {
	return [
		span(sanitizeLine(path)),
		...(added > 0 ? [span(` +${formatCount(added)}`, "added")] : []),
		...(removed > 0 ? [span(` −${formatCount(removed)}`, "removed")] : []),
	];
}

/** The files of a sum in one row: as many as fit, and the number of further ones; undefined without any. */
export function filesLine({ files }: Sum, width: number): Line | undefined {
	if (files.size === 0) return undefined;
	const line: Span[] = [span("files ", "muted")];
	let shown = 0;
	for (const [path, change] of files) {
		const spans = [span("  "), ...fileSpans(path, change)];
		const more = span(`  … ${formatCount(files.size - shown)} more`, "muted");
		if (shown > 0 && lineWidth([...line, ...spans, more]) > width) return [...line, more];
		line.push(...spans);
		shown += 1;
	}
	return line;
}
