import { widenColumns } from "../../shared/columns.ts";
import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { fieldsOf, textOf } from "../../store/format/fields.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { entryFacts } from "../entries/entry-facts.ts";
import type { EntryKind } from "../entries/entry-kind.ts";
import { outlineSteps } from "../entries/outline.ts";
import { isBeside, type OutlineColumns } from "../entries/outline-columns.ts";

/** The kinds of entries by their code in the column `kind`. */
const KINDS = [
	...(["prompt", "answer", "calls", "result", "command", "system", "compaction", "branch-summary", "message"] as const),
	...(["model", "thinking-level", "label", "name", "custom", "usage", "context-edit", "unknown"] as const),
] satisfies readonly EntryKind[];

export const CODES = Object.fromEntries(KINDS.map((kind, code) => [kind, code])) as Readonly<Record<EntryKind, number>>;

// For each entry they are looked at several times: a number is at hand, a field of a record must be looked up.
const { prompt: PROMPT, answer: ANSWER, calls: CALLS, result: RESULT, command: COMMAND } = CODES;
const { model: MODEL, "thinking-level": THINKING } = CODES;

/** Bits of the column `flags`. */
export const HAS_FAILED = 1;
/** Another model or thinking level than before on the path. */
export const CHANGES_SETTING = 2;
/** The first of a day, or after a pause. */
export const AFTER_PAUSE = 4;

/** From this time on without anything said, a pause is marked. */
const PAUSE_MS = 3_600_000;

/** What the tree needs to know of every entry, as columns by entry index; they grow as the columns of the outline do. */
export interface EntryColumns {
	readonly outline: OutlineColumns;
	readonly count: number;
	readonly kind: Uint8Array;
	readonly flags: Uint8Array;
	/** Unix ms; NaN where there is none. */
	readonly time: Float64Array;
	/** The first entry of the turn: its prompt, the first of a branch, or a root. */
	readonly turn: Int32Array;
	/** By the first entry of a turn: its last answer, and how many steps it has. -1 where there is none. */
	readonly lastAnswer: Int32Array;
	readonly lastSaid: Int32Array;
	readonly stepsIn: Int32Array;
	/** The entry by which the model, and the thinking level, was set last on the path to an entry; -1 before any. */
	readonly modelAt: Int32Array;
	readonly thinkingAt: Int32Array;
	/** By place in the drawing: how many prompts, steps, failures and dollars there are before it. */
	readonly promptsBefore: Int32Array;
	readonly stepsBefore: Int32Array;
	readonly errorsBefore: Int32Array;
	readonly costBefore: Float64Array;
}

// biome-ignore format: a list
const BY_ENTRY = [
	"kind", "flags", "time", "turn", "lastAnswer", "lastSaid", "stepsIn", "modelAt", "thinkingAt",
] as const;
const BEFORE = ["promptsBefore", "stepsBefore", "errorsBefore", "costBefore"] as const;

type GrowingColumns = { -readonly [Name in keyof EntryColumns]: EntryColumns[Name] };

/** By the list of a session's entries, which stays the same list when the session grows. */
const columnsOfEntries = new WeakMap<readonly SessionEntry[], GrowingColumns>();

/** The columns of a session, remembered, and extended when it has grown. */
export function* entryColumns(session: Session): Steps<EntryColumns> {
	const { columns: outline } = yield* outlineSteps(session);
	const earlier = columnsOfEntries.get(session.entries);
	const columns = earlier?.outline === outline ? earlier : emptyColumns(outline);
	columnsOfEntries.set(session.entries, columns);
	// Between two steps the session may grow, and another caller may fill in more of the columns.
	while (columns.count < outline.count) {
		widenColumns(columns, BY_ENTRY, outline.count);
		widenColumns(columns, BEFORE, outline.count + 1);
		const end = Math.min(outline.count, columns.count + ENTRIES_PER_STEP);
		for (let place = columns.count; place < end; place++) addEntry(columns, place);
		columns.count = end;
		yield;
	}
	return columns;
}

function emptyColumns(outline: OutlineColumns): GrowingColumns {
	const { count } = outline;
	const indexes = () => new Int32Array(count);
	return {
		outline,
		count: 0,
		kind: new Uint8Array(count),
		flags: new Uint8Array(count),
		time: new Float64Array(count),
		turn: indexes(),
		lastAnswer: indexes(),
		lastSaid: indexes(),
		stepsIn: indexes(),
		modelAt: indexes(),
		thinkingAt: indexes(),
		promptsBefore: new Int32Array(count + 1),
		stepsBefore: new Int32Array(count + 1),
		errorsBefore: new Int32Array(count + 1),
		costBefore: new Float64Array(count + 1),
	};
}

/** Fills in the entry that is drawn at a place; those before it, its ancestors among them, are filled in already. */
function addEntry(columns: GrowingColumns, place: number): void {
	const { outline, kind, time, flags } = columns;
	const index = outline.order[place] ?? 0;
	const entry = outline.session.entries[index];
	if (entry === undefined) return;
	const above = outline.table.parent[index] ?? -1;
	const { kind: itsKind, end, cost } = entryFacts(entry, outline.session);
	const failed = end === "failed";
	const code = CODES[itsKind];
	kind[index] = code;
	time[index] = timeOf(entry.timestamp);
	const isStep = code === RESULT || code === COMMAND;
	flags[index] = (failed ? HAS_FAILED : 0) | (above !== -1 && pauses(time[above], time[index]) ? AFTER_PAUSE : 0);
	addSettings(columns, index, above, entry);
	addToTurn(columns, index, above, isStep);
	columns.promptsBefore[place + 1] = (columns.promptsBefore[place] ?? 0) + (code === PROMPT ? 1 : 0);
	columns.stepsBefore[place + 1] = (columns.stepsBefore[place] ?? 0) + (isStep ? 1 : 0);
	columns.errorsBefore[place + 1] = (columns.errorsBefore[place] ?? 0) + (failed ? 1 : 0);
	columns.costBefore[place + 1] = (columns.costBefore[place] ?? 0) + cost;
}

function addToTurn(columns: GrowingColumns, index: number, above: number, isStep: boolean): void {
	const { outline, kind, turn, lastAnswer, lastSaid, stepsIn } = columns;
	const code = kind[index];
	const isFirst = above === -1 || code === PROMPT || isBeside(outline, index);
	const first = isFirst ? index : (turn[above] ?? index);
	turn[index] = first;
	if (isFirst) {
		lastAnswer[index] = -1;
		lastSaid[index] = -1;
		stepsIn[index] = 0;
	}
	if (code === ANSWER) lastAnswer[first] = index;
	if (code === ANSWER || code === CALLS || isStep) lastSaid[first] = index;
	if (isStep) stepsIn[first] = (stepsIn[first] ?? 0) + 1;
}

function addSettings(
	{ kind, flags, modelAt, thinkingAt, outline }: GrowingColumns,
	index: number,
	above: number,
	entry: SessionEntry,
) {
	modelAt[index] = above === -1 ? -1 : (modelAt[above] ?? -1);
	thinkingAt[index] = above === -1 ? -1 : (thinkingAt[above] ?? -1);
	const code = kind[index];
	if (code !== MODEL && code !== THINKING) return;
	const column = code === MODEL ? modelAt : thinkingAt;
	const previous = outline.session.entries[column[index] ?? -1];
	if (previous !== undefined && settingOf(previous) !== settingOf(entry))
		flags[index] = (flags[index] ?? 0) | CHANGES_SETTING;
	column[index] = index;
}

/** What an entry sets: the model, or the thinking level. */
export function settingOf(entry: SessionEntry): string {
	const { modelId, thinkingLevel } = fieldsOf(entry);
	return textOf(modelId) || textOf(thinkingLevel);
}

function pauses(earlierMs: number | undefined, now: number | undefined): boolean {
	const passed = (now ?? Number.NaN) - (earlierMs ?? Number.NaN);
	return passed >= PAUSE_MS || (passed > 0 && isNewDay(earlierMs ?? 0, now ?? 0));
}

/** The day, in the person's time zone, that was looked at last: from its midnight to the next, Unix ms. */
let day = { from: 0, to: 0 };

/** Whether a later time is on another day than an earlier one. To ask for the day costs much more than to compare times. */
export function isNewDay(earlierMs: number, now: number): boolean {
	if (now >= day.from && now < day.to) return earlierMs < day.from;
	const at = new Date(now);
	const from = new Date(at.getFullYear(), at.getMonth(), at.getDate());
	const to = new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1);
	day = { from: from.getTime(), to: to.getTime() };
	return earlierMs < day.from;
}
