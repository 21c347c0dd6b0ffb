import { holdsTerm, SearchText, spanOf } from "../../catalog/query/match.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import { makeSnippet, rangesIn } from "../../catalog/query/snippet.ts";
import { hasWords } from "../../catalog/query/term.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatCount, formatCounted, formatDuration } from "../../ui/text/format.ts";
import { highlight, type Line, type Span, span, type Tone } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { graphemeStart, lineWidth, textWidth } from "../../ui/text/width.ts";
import { placeOf } from "../entries/place.ts";
import { describeRow, type RowDescription } from "../entries/row.ts";
import { costWords, filesPart, type Sum, sumOf } from "../entries/turn-sum.ts";
import { labelMark, leafMark, type TreeRowDrawing, timeMark } from "./draw-marks.ts";
import { CODES, type EntryColumns } from "./entry-columns.ts";
import { textsOf } from "./match-entry.ts";
import { isSaid } from "./shown-entries.ts";

/** Cells by which a step is indented under its prompt. */
const INDENT = 2;
/** Verbs that are words are padded to this width, so that the texts behind them line up. */
const VERB_WIDTH = 5;
/** Between a command and what it printed. */
const GAP = "  ";

interface EntryLine {
	readonly left: Line;
	readonly right: readonly Span[];
	readonly isPrompt: boolean;
}

/** Draws an entry in `room` cells. `index`: of the entry; `hasRuns`: whether the runs that it started say what it printed. */
export function drawEntryText(
	entry: SessionEntry,
	index: number,
	drawing: TreeRowDrawing,
	room: number,
	hasRuns = false,
): EntryLine {
	const described = describeRow(entry, drawing.session, drawing.place);
	const row = hasRuns && drawing.query.terms.length === 0 ? { ...described, said: "" } : described;
	const right = rightEnd(entry, index, row, drawing);
	const isPrompt = row.kind === "prompt";
	const leftSide = leftPart(entry, row, drawing, room - lineWidth(right));
	return { left: isPrompt ? leftSide.map((part) => ({ ...part, bold: true })) : leftSide, right, isPrompt };
}

function leftPart(entry: SessionEntry, row: RowDescription, drawing: TreeRowDrawing, room: number): Line {
	const { verb, mark, text, said, tone } = row;
	const beginning: Line = [
		...(isIndented(row) ? [span(" ".repeat(INDENT))] : []),
		...(verb === undefined ? [] : [span(`${padVerb(sanitizeLine(verb.text))} `, verb.tone)]),
		...(mark === undefined ? [] : [span(`${sanitizeLine(mark.text)} · `, mark.tone)]),
	];
	const { query, session, place, isHit } = drawing;
	const gap: Line = said === "" ? [] : [span(GAP)];
	const plain: Line = [...beginning, span(sanitizeLine(text), tone), ...gap, span(sanitizeLine(said), "muted")];
	if (query.terms.length === 0) return plain;
	const roomLeft = room - lineWidth(beginning);
	const isInSaid = showsMatch(said, query);
	if (showsMatch(text, query))
		return [
			...beginning,
			...markMatches(text, query, tone, roomLeft),
			...gap,
			...markMatches(said, query, "muted", roomLeft),
		];
	const snippet = isInSaid ? said : isHit ? matchSnippet(entry, session, query, place.home) : "";
	if (snippet === "") return plain;
	const isAfter = isStep(row) || isInSaid;
	const start = isAfter ? [span(`${sanitizeLine(text).slice(0, roomLeft >> 1)}${GAP}`, tone)] : [];
	return [
		...beginning,
		...start,
		...markMatches(snippet, query, isAfter ? "muted" : tone, roomLeft - lineWidth(start)),
	];
}

function isStep({ kind }: Pick<RowDescription, "kind">): boolean {
	return kind === "result" || kind === "command";
}

/** Steps, calls and bookkeeping are indented under their prompt. */
function isIndented({ kind }: RowDescription): boolean {
	return isStep({ kind }) || kind === "calls" || CODES[kind] >= CODES.model;
}

function padVerb(verb: string): string {
	return /^[a-z]+$/i.test(verb) ? verb.padEnd(VERB_WIDTH) : verb;
}

/** What stands at the end of a row besides its outcome: the label, the sign of the end, the time. */
export function rowMarks(entry: SessionEntry, index: number, drawing: TreeRowDrawing): Span[] {
	const label = labelMark(drawing.session.tree.labels.get(entry.id), drawing);
	return [...label, ...leafMark(entry.id, drawing), ...timeMark(index, false, drawing)];
}

function rightEnd(entry: SessionEntry, index: number, row: RowDescription, drawing: TreeRowDrawing): Span[] {
	const label = labelMark(drawing.session.tree.labels.get(entry.id), drawing);
	const isPrompt = row.kind === "prompt";
	const endsTurn = drawing.isTurns && !isPrompt && isSaid(drawing.columns, index);
	const hasOutcome = drawing.details !== "none" && !endsTurn;
	const outcome = hasOutcome ? row.outcome.map(({ text, tone }) => span(` ${sanitizeLine(text)}`, tone)) : [];
	const total = endsTurn ? turnMarks(index, drawing) : [];
	return [...label, ...outcome, ...leafMark(entry.id, drawing), ...total, ...timeMark(index, isPrompt, drawing)];
}

/** Totals of a turn, in the row of its last answer: "5 steps 2 files 2m $0.011". */
function turnMarks(index: number, { columns, session, place }: TreeRowDrawing): Span[] {
	const sum = turnTotal(columns, session, index, place.home);
	return sum === undefined ? [] : shortSum(sum);
}

function shortSum(sum: Sum): Span[] {
	const parts: readonly (readonly [text: string, tone: Tone])[] = [
		[sum.steps === 0 ? "" : formatCounted(sum.steps, "step"), "muted"],
		[sum.errors === 0 ? "" : `${formatCount(sum.errors)}✗`, "error"],
		[filesPart(sum), "muted"],
		[sum.workedMs === 0 ? "" : formatDuration(sum.workedMs), "muted"],
		[costWords(sum), "muted"],
	];
	return parts.filter(([text]) => text !== "").map(([text, tone]) => span(` ${text}`, tone));
}

/** Entries of a turn that is summed up while drawing; of longer ones only the steps are known. */
const MAX_ENTRIES = 2000;

/** Cached by the last entry of a turn. `first` is compared because the start of a turn depends on the active path. */
const cache = new WeakMap<SessionEntry, { readonly first: number; readonly sum: Sum }>();

/** Totals of a turn from its prompt to the entry at this index; undefined if it has too many entries. */
export function turnTotal(columns: EntryColumns, session: Session, index: number, home: string): Sum | undefined {
	const { entries } = session;
	const last = entries[index];
	const first = columns.turn[index] ?? index;
	const cached = last && cache.get(last);
	if (cached?.first === first) return cached.sum;
	const path: SessionEntry[] = [];
	for (let at = index; at !== -1; at = at === first ? -1 : (columns.outline.table.parent[at] ?? -1)) {
		const entry = entries[at];
		if (entry !== undefined && path.push(entry) > MAX_ENTRIES) return undefined;
	}
	const sum = sumOf(path.reverse(), session, placeOf(session, home));
	if (last !== undefined) cache.set(last, { first, sum });
	return sum;
}

/** Characters of context before a match. */
const BEFORE = 16;
/** A match that begins within this share of the room is visible without cutting the start. */
const VISIBLE_SHARE = 0.7;
/** Characters of an entry that are searched while its row is drawn. */
const MAX_CHARACTERS = 100_000;
/** Texts of an entry that are searched while its row is drawn. */
const MAX_TEXTS = 50;

/** A row's text with its matches marked; cut to start before the first match if that is far in, and the rest does not fill the row. */
function markMatches(text: string, query: Query, tone: Tone, room: number): Line {
	const clean = sanitizeLine(text);
	const ranges = rangesIn(clean, query.terms);
	const first = ranges[0]?.[0] ?? 0;
	const excess = textWidth(clean) + 1 - room;
	const isVisible = first < room * VISIBLE_SHARE || excess <= 1;
	const cut = isVisible ? 0 : graphemeStart(clean, Math.min(first - BEFORE, excess));
	const shifted = ranges.map(([start, end]) => [start - cut, end - cut] as const);
	return [...(cut > 0 ? [span("…", tone)] : []), ...highlight(clean.slice(cut), shifted, tone)];
}

/** Whether a text, as a row shows it, contains a word of the query. */
function showsMatch(text: string, query: Query): boolean {
	return rangesIn(sanitizeLine(text), query.terms).length > 0;
}

const snippets = new WeakMap<SessionEntry, { readonly query: Query; readonly text: string }>();

/** The text around the first match in an entry; "" if that is too far into a long text, or in the label or the id, which stand elsewhere. */
function matchSnippet(entry: SessionEntry, session: Session, query: Query, home: string): string {
	const snippet = snippets.get(entry);
	if (snippet?.query === query) return snippet.text;
	const text = findSnippet(entry, session, query, home);
	snippets.set(entry, { query, text });
	return text;
}

function findSnippet(entry: SessionEntry, session: Session, query: Query, home: string): string {
	let budget = MAX_CHARACTERS;
	for (const whole of textsOf(entry, session, home).slice(0, MAX_TEXTS)) {
		if (budget <= 0) break;
		if (whole.kind === "id") continue;
		const text =
			whole.text.length > budget ? new SearchText(whole.kind, whole.text.slice(0, budget), whole.tool) : whole;
		budget -= text.text.length;
		const term = query.terms.find((each) => hasWords(each) && holdsTerm(text, each));
		if (term !== undefined) return makeSnippet(text, spanOf(text, term), query.terms).text;
	}
	return "";
}
