import { memoEach } from "../../shared/memo.ts";
import { prefixOf, projectKey, withSlashes } from "../../shared/paths.ts";
import { originalOf } from "../../store/files/conflict-copy.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { type Run, runsOf } from "../families/run.ts";
import { agentOf } from "../families/run-agents.ts";
import type { SessionCounts } from "../model/counts.ts";
import { ENDING_BADGES, type Ending } from "../model/ending.ts";
import { doneUntil, isPinned, type Marks, sessionTags, waitingComments } from "../model/marks.ts";
import { fileName, HERE, isNamed, type SessionRow, usedMs } from "../model/row.ts";
import type { Visibility } from "../model/visibility.ts";
import { type Amount, meetsAmount, parseAmount } from "./amounts.ts";
import { isDate, type Period, periodOf } from "./dates.ts";
import { fold, hasNeedle, type Needle, needleOf } from "./fold.ts";

/** Fields that compare the time of a session's last message, or of an entry, with some days. */
const DATE_FIELDS = ["since", "after", "before", "on"] as const;

/** Fields that compare a number, with what the number measures. */
const AMOUNT_FIELDS = {
	cost: "dollars",
	size: "bytes",
	messages: "count",
	tokens: "count",
	turns: "count",
	errors: "count",
	runs: "count",
} as const;

type DateField = (typeof DATE_FIELDS)[number];
type AmountField = keyof typeof AMOUNT_FIELDS;

/** What a query requires of a session itself, not of its texts. Plain data. */
export type Condition = (
	| { readonly field: "is"; readonly value: string }
	| { readonly field: "tag"; readonly value: string }
	| { readonly field: "project"; readonly value: Needle | WholeDirectory | WholeFolder }
	| { readonly field: "agent" | "branch"; readonly value: Needle }
	/** The beginning of a place's name, in lower case. */
	| { readonly field: "place"; readonly value: string }
	| {
			readonly field: DateField;
			readonly value: string;
			/** The days that it means, if already resolved; otherwise it depends on the present day. */
			readonly period?: Period;
	  }
	| { readonly field: AmountField; readonly value: Amount }
	/** Conditions of which one suffices. */
	| { readonly field: "either"; readonly value: readonly Condition[] }
	/** Whether a term that is optional was found: its index among the terms of the query. */
	| { readonly field: "term"; readonly value: number }
) & {
	/** Whether it is negated: `-is:named`. */
	readonly not: boolean;
};

interface WholeDirectory {
	readonly whole: string;
}

/** The whole name of a directory's last folder, folded. */
interface WholeFolder {
	readonly folder: string;
}

/** Facts that conditions need besides the row. */
export interface RowFacts {
	/** Paths of the sessions in use. */
	readonly live: Pick<ReadonlySet<string>, "has">;
	readonly marks: Marks;
	readonly counts: ReadonlyMap<string, SessionCounts>;
	/** The names of all session files, without their directories: a fork whose parent is not among them is an orphan. */
	readonly fileNames: Pick<ReadonlySet<string>, "has">;
	/** The sessions of runs, by the path of the session that started them. */
	readonly runs: ReadonlyMap<string, readonly SessionRow[]>;
	/** What sessions with runs have cost with them, in dollars, by path. */
	readonly familyCosts: ReadonlyMap<string, number>;
	/** The directories of sessions that do not exist any more. */
	readonly gone: Pick<ReadonlySet<string>, "has">;
	/** The Git branches of directories, as far as they are known. */
	readonly branches: ReadonlyMap<string, string>;
	/** Unix ms; the beginning of the day suffices. */
	readonly now: number;
	/** Whether an optional term of the query is in the session. @default none is */
	readonly holds?: (term: number) => boolean;
}

export function fileNames(paths: Iterable<string>): ReadonlySet<string> {
	return new Set([...paths].map(fileName));
}

type StateTest = (row: SessionRow, facts: RowFacts) => boolean;

function counted(isSo: (counts: Partial<SessionCounts>) => boolean): StateTest {
	return ({ path }, { counts }) => isSo(counts.get(path) ?? {});
}

/** The value of `is:` for what a row says of an ending. */
export function stateOf(words: string): string {
	return words.replace(" ", "-");
}

/** The states of sessions that wait for the person, by what their rows say. */
const ENDING_STATES = Object.entries(ENDING_BADGES).map(([ending, { words, meaning }]): State => {
	return [stateOf(words), meaning, (row, facts) => shownEnding(row, facts) === ending];
});

/** A value of `is:`, its meaning, and what it holds for. */
type State = readonly [value: string, meaning: string, isSo: StateTest];

/** All values of `is:` that say what rows show; the commonest first. */
// biome-ignore format: a table
const STATE_TABLE: readonly State[] = [
	["waiting", "asked something or stopped midway in the last 14 days, and nobody said it is done", isWaiting],
	...ENDING_STATES,
	["running", "is in use by a running pi", ({ path }, { live }) => live.has(path)],
	["pinned", "is pinned", (row, { marks }) => isPinned(row, marks)],
	["tagged", "has a tag", (row, { marks }) => sessionTags(row, marks).length > 0],
	["reviewed", "has comments on its lines that were not sent", (row, { marks }) => waitingComments(row, marks).length > 0],
	["error", "has steps or answers on the active path that failed", counted(({ errors = 0 }) => errors > 0)],
	["labeled", "has an entry with a label", counted(({ labels = 0 }) => labels > 0)],
	["named", "has a name", isNamed],
	["fork", "was made from another session", isFork],
	["branched", "has more than one branch", counted(({ branches = 1 }) => branches > 1)],
	["run", "is the work of a subagent", ({ run }) => run !== undefined],
	["archived", "is in the archive", ({ archived }) => archived === true],
	["gone", "was in a directory that does not exist any more", ({ cwd, place }, { gone }) => place === undefined && gone.has(cwd)],
	["damaged", "is damaged", ({ diagnostics }) => isDamaged(diagnostics)],
	["empty", "has no message", ({ messageCount }) => messageCount === 0],
	["copy", "is a copy that a program for synchronizing files has made of another one", isConflictCopy],
];

/** Values that hardly anybody asks for: no message and no completion lists them. */
// biome-ignore format: a table
const RARE_STATES: readonly State[] = [
	["orphan", "was made from a session that is gone", isOrphan],
	["rewound", "pi continues it from the middle, because of a name or a label", counted(({ rewound }) => rewound !== undefined)],
];

/** A map, because the keys to look up are typed by the user. */
const STATES: ReadonlyMap<string, StateTest> = new Map(
	[...STATE_TABLE, ...RARE_STATES].map(([value, , isSo]) => [value, isSo]),
);

/** Values of `is:` and their meanings, without those that hardly anybody asks for. */
export const IS_VALUES: ReadonlyMap<string, string> = new Map(STATE_TABLE.map(([value, meaning]) => [value, meaning]));

/** The states in `IS_VALUES` that a session is in. */
export function statesOf(row: SessionRow, facts: RowFacts): readonly string[] {
	return STATE_TABLE.flatMap(([value, , isSo]) => (isSo(row, facts) ? [value] : []));
}

const DAY_MS = 86_400_000;
/** Days after which nobody waits for a session any more. */
const WAITING_DAYS = 14;

/**
 * Whether a session recently ended with a question or midway, no pi and none of its runs is working on it, and the user has not
 * marked it as done.
 */
export function isWaiting(
	row: SessionRow,
	{ counts, live, marks, now, runs }: Pick<RowFacts, "counts" | "live" | "marks" | "now" | "runs">,
): boolean {
	const { path, modified, run } = row;
	// The questions of a subagent are for the session that started it.
	const ending = counts.get(path)?.ending ?? "";
	if (run !== undefined || ending === "" || live.has(path)) return false;
	if (ending === "open-call" && hasLiveRun(path, runs, live)) return false;
	const last = modified.getTime();
	return last >= now - WAITING_DAYS * DAY_MS && last > doneUntil(row, marks);
}

/** How a session ended, as its row says it: if it waits for the person, or a pi that has it open does not work on it. */
export function shownEnding(row: SessionRow, facts: Parameters<typeof isWaiting>[1]): Ending {
	const ending = facts.counts.get(row.path)?.ending ?? "";
	const isAtWork = ending === "open-call" || ending === "unanswered";
	return isWaiting(row, facts) || (facts.live.has(row.path) && !isAtWork) ? ending : "";
}

/**
 * Whether a run below a session is in use: a pi writes nothing to the session itself while it waits for one. `runs`: those of
 * each session, by its path.
 */
export function hasLiveRun(path: string, runs: RowFacts["runs"], live: RowFacts["live"]): boolean {
	const below = [...(runs.get(path) ?? [])];
	// Grows while it is read.
	for (const run of below) {
		if (live.has(run.path)) return true;
		below.push(...(runs.get(run.path) ?? []));
	}
	return false;
}

/** The facts about a session, and which optional terms of a query it has by the result of the search. */
export function withTerms(
	facts: RowFacts,
	{ terms }: { readonly terms: readonly { readonly isOptional?: true | undefined }[] },
	result: { readonly lacks?: readonly number[] | undefined } | undefined,
): RowFacts {
	if (result === undefined || !terms.some(({ isOptional }) => isOptional)) return facts;
	return { ...facts, holds: (term) => result.lacks?.includes(term) !== true };
}

export function rowMeets(row: SessionRow, conditions: readonly Condition[], facts: RowFacts): boolean {
	return conditions.every((condition) => meets(row, condition, facts) !== condition.not);
}

function meets(row: SessionRow, condition: Condition, facts: RowFacts): boolean {
	switch (condition.field) {
		case "is":
			return STATES.get(condition.value)?.(row, facts) ?? false;
		case "either":
			return condition.value.some((one) => meets(row, one, facts) !== one.not);
		case "term":
			return facts.holds?.(condition.value) ?? false;
		case "tag":
			return hasTag(sessionTags(row, facts.marks), condition.value, facts.marks);
		case "project":
			return isProject(row.cwd, condition.value);
		case "agent":
			return agentsOf(row, facts).some((agent) => hasNeedle(agent, condition.value));
		case "branch":
			return hasNeedle(facts.branches.get(row.cwd) ?? "", condition.value);
		case "place":
			return [row.place ?? HERE, ...(row.alsoIn ?? [])].some((one) => one.toLowerCase().startsWith(condition.value));
		case "runs":
			return meetsAmount(askedRuns(row.path, facts)?.length, condition.value);
		case "size":
			return meetsAmount(row.size, condition.value);
		case "messages":
			return meetsAmount(row.messageCount, condition.value);
		case "cost":
			return meetsAmount(facts.familyCosts.get(row.path) ?? facts.counts.get(row.path)?.cost, condition.value);
		case "tokens":
		case "turns":
		case "errors":
			return meetsAmount(facts.counts.get(row.path)?.[condition.field], condition.value);
		default:
			return meetsDate(usedMs(row, facts.now), condition, facts.now);
	}
}

/** Whether one of a session's tags is meant: the one that is called so, or if there is none in use, any that begins so. */
function hasTag(tags: readonly string[], typed: string, marks: Marks): boolean {
	const isWhole = tagsInUse(marks).has(typed);
	return tags.some((tag) => (isWhole ? tag.toLowerCase() === typed : tag.toLowerCase().startsWith(typed)));
}

const tagsInUse = memoEach(
	({ tags }: Marks): ReadonlySet<string> =>
		new Set([...tags.values()].flatMap((files) => [...files.values()].flat()).map((tag) => tag.toLowerCase())),
);

/** The agents of a session: its own if it is a run, and those of its runs that have no session of their own to be found by. */
function agentsOf(row: SessionRow, facts: RowFacts): readonly string[] {
	// The session that started it may have been archived since; the path of the run does not lead there.
	const parent = parentsIn(facts.runs).get(row.path) ?? row.run?.parent ?? "";
	const ownAgents = row.run === undefined ? [] : [agentOf(row, facts.counts.get(parent)?.runs)];
	const withoutSession = (askedRuns(row.path, facts) ?? []).filter(({ session }) => session === undefined);
	return [...ownAgents, ...withoutSession.flatMap(({ report }) => report?.agent ?? [])];
}

/** Path of each run → path of the session that started it. */
const parentsIn = memoEach(
	(runs: RowFacts["runs"]): ReadonlyMap<string, string> =>
		new Map([...runs].flatMap(([path, below]) => below.map((run) => [run.path, path] as const))),
);

/** The runs that a session has started, with or without a session; undefined until it has been counted. */
export function askedRuns(
	path: string,
	{ counts, runs }: Pick<RowFacts, "counts" | "runs">,
): readonly Run<SessionRow>[] | undefined {
	const counted = counts.get(path);
	return counted && runsOf(runs.get(path) ?? [], counted.runs ?? []);
}

type DateCondition = Extract<Condition, { readonly field: DateField }>;

/** Whether a time is since, after, before or on the days that a date means. */
function meetsDate(time: number, { field, value, period: resolvedPeriod }: DateCondition, now: number): boolean {
	const period = resolvedPeriod ?? periodOf(value, now);
	if (period === undefined) return false;
	switch (field) {
		case "since":
			return time >= period.from;
		case "after":
			return time >= period.to;
		case "before":
			return time < period.from;
		case "on":
			return time >= period.from && time < period.to;
	}
}

interface EntryConditionFacts {
	/** Unix ms; NaN if it has no time. */
	readonly time: number;
	readonly isLabeled: boolean;
	/** Whether it is a step or an answer that failed. */
	readonly hasFailed: boolean;
	/** Whether an optional term of the query is in the entry. */
	readonly holds?: (term: number) => boolean;
}

/** Whether an entry satisfies all conditions, which must come from `entryConditions`. */
export function entryMeets(entry: EntryConditionFacts, conditions: readonly Condition[]): boolean {
	return conditions.every((condition) => entryMeetsOne(entry, condition) !== condition.not);
}

function entryMeetsOne(entry: EntryConditionFacts, condition: Condition): boolean {
	if (isDateCondition(condition)) return meetsDate(entry.time, condition, 0);
	if (condition.field === "term") return entry.holds?.(condition.value) ?? false;
	if (condition.field === "either") return condition.value.some((one) => entryMeetsOne(entry, one) !== one.not);
	return condition.value === "error" ? entry.hasFailed : entry.isLabeled;
}

/** Values of `is:` that hold for entries too. */
const ENTRY_STATES: ReadonlySet<Condition["value"]> = new Set(["labeled", "error"]);

/** Whether a condition can be checked for an entry; others are about the session as a whole. */
export function isAboutEntries(condition: Condition): boolean {
	if (condition.field === "either") return condition.value.every(isAboutEntries);
	if (condition.field === "term" || isDateCondition(condition)) return true;
	return condition.field === "is" && ENTRY_STATES.has(condition.value);
}

/**
 * The conditions of a query for the entries of a tree, with dates resolved at `now` (Unix ms). Those about the session are
 * left out: they say which session is meant, not which of its entries.
 */
export function entryConditions(conditions: readonly Condition[], now: number): readonly Condition[] {
	return conditions.filter(isAboutEntries).map((condition) => {
		if (condition.field === "either") return { ...condition, value: entryConditions(condition.value, now) };
		const period = isDateCondition(condition) ? periodOf(condition.value, now) : undefined;
		return isDateCondition(condition) && period !== undefined ? { ...condition, period } : condition;
	});
}

/**
 * Separates conditions about sessions from dates, which are resolved at `now` (Unix ms) for `entryMeets`. A date that something else
 * could stand for is about the session.
 */
export function splitDates(
	conditions: readonly Condition[],
	now: number,
): { readonly sessions: readonly Condition[]; readonly dates: readonly Condition[] } {
	return {
		sessions: conditions.filter((one) => !isOfDates(one)),
		dates: entryConditions(conditions.filter(isOfDates), now),
	};
}

function isOfDates(condition: Condition): boolean {
	return condition.field === "either" ? condition.value.every(isOfDates) : isDateCondition(condition);
}

/** The conditions, and those of which one suffices one by one. */
export function flatConditions(conditions: readonly Condition[]): readonly Condition[] {
	return conditions.flatMap((one) => (one.field === "either" ? one.value : [one]));
}

export function isDateCondition(condition: Condition): condition is DateCondition {
	return isDateField(condition.field);
}

export function isDateField(field: string): field is DateField {
	return DATE_FIELDS.some((name) => name === field);
}

/**
 * Whether the last folder of a session's directory contains the text; a text with a slash is compared with the whole directory,
 * one after `=` must be equal to either.
 */
function isProject(cwd: string, needle: Needle | WholeDirectory | WholeFolder): boolean {
	const project = projectKey(cwd);
	return isCalled(project, needle) || (project !== cwd && isCalled(cwd, needle));
}

function isCalled(directory: string, needle: Needle | WholeDirectory | WholeFolder): boolean {
	if ("folder" in needle) return fold(projectName(directory)) === needle.folder;
	if ("whole" in needle) return directory === projectKey(needle.whole);
	const text = withSlashes(needle.text, directory);
	// "/work/api/" is typed, or completed, for the directory as well as for what is in it.
	const isPath = /[/\\]/.test(text);
	return hasNeedle(isPath ? withSlashes(prefixOf(directory)) : projectName(directory), { ...needle, text });
}

/** The last folder of a directory, by which people know a project. */
export function projectName(cwd: string): string {
	return fileName(cwd.replace(/[/\\]+$/, ""));
}

function isFork({ parentSession, run }: SessionRow): boolean {
	return run === undefined && parentSession !== undefined && parentSession !== "";
}

function isConflictCopy({ path }: SessionRow, { fileNames }: RowFacts): boolean {
	return originalOf(path, (other) => fileNames.has(fileName(other))) !== undefined;
}

function isOrphan(row: SessionRow, { fileNames }: RowFacts): boolean {
	return isFork(row) && !fileNames.has(fileName(row.parentSession ?? ""));
}

/** The condition of a field in `CONDITION_FIELDS`; undefined if the value is not valid. */
export function parseCondition(field: string, value: string, not: boolean): Condition | undefined {
	const lower = value.toLowerCase();
	if (field === "is") return STATES.has(lower) ? { field, value: lower, not } : undefined;
	if (field === "tag") return { field, value: lower, not };
	if (field === "place") return { field, value: lower, not };
	if (field === "agent" || field === "branch") return { field, value: needleOf(value), not };
	if (field === "project" && /^=[^/\\]+$/.test(value)) return { field, value: { folder: fold(value.slice(1)) }, not };
	if (field === "project" && value.startsWith("=")) return { field, value: { whole: projectKey(value.slice(1)) }, not };
	// "~/work" is typed for a session in "/home/me/work".
	if (field === "project") return { field, value: needleOf(value.replace(/^~(?=[/\\])/, "")), not };
	if (isDateField(field)) return isDate(value) ? { field, value: lower, not } : undefined;
	const amount = isAmountField(field) ? parseAmount(value, AMOUNT_FIELDS[field]) : undefined;
	return isAmountField(field) && amount !== undefined ? { field, value: amount, not } : undefined;
}

export function isAmountField(field: string): field is AmountField {
	return Object.hasOwn(AMOUNT_FIELDS, field);
}

export const CONDITION_FIELDS: readonly string[] = [
	"is",
	"tag",
	"project",
	"agent",
	"branch",
	"place",
	...DATE_FIELDS,
	...Object.keys(AMOUNT_FIELDS),
];

export function needsCounts(conditions: readonly Condition[]): boolean {
	return flatConditions(conditions).some(({ field, value }) =>
		field === "is" ? COUNTED_STATES.has(value) : COUNTED.has(field),
	);
}

/** Values of `is:` for sessions that wait for the person. */
export const WAITING_STATES: ReadonlySet<Condition["value"]> = new Set([
	"waiting",
	...ENDING_STATES.map(([value]) => value),
]);
const COUNTED_STATES = WAITING_STATES.union(new Set(["labeled", "branched", "error", "rewound"]));
const COUNTED: ReadonlySet<string> = new Set(["cost", "tokens", "turns", "errors", "agent", "runs"]);

/** Whether the query asks for archived sessions, which are otherwise left out. */
export function asksForArchived(conditions: readonly Condition[]): boolean {
	return flatConditions(conditions).some(({ field, value, not }) => field === "is" && value === "archived" && !not);
}

/** Whether the query asks for sessions of other places, which only the scope of all places lists otherwise. */
export function asksForPlaces(conditions: readonly Condition[]): boolean {
	return flatConditions(conditions).some(({ field, not }) => field === "place" && !not);
}

/** Whether the query asks for runs of subagents, which lists of the user's own words otherwise leave out. */
function asksForRuns(conditions: readonly Condition[]): boolean {
	return flatConditions(conditions).some(
		({ field, value, not }) => !not && (field === "agent" || (field === "is" && value === "run")),
	);
}

/** Which sessions a query is about. `runs`: whether the runs of subagents are among them even if it does not ask for these. */
export function visibilityOf(conditions: readonly Condition[], runs = true): Visibility {
	return { archived: asksForArchived(conditions) ? "also" : "none", runs: runs || asksForRuns(conditions) };
}

/** Why a single search outside the browser cannot answer a valid query, in one sentence; undefined if it can. */
export function unanswerable(query: {
	readonly terms: readonly unknown[];
	readonly without: readonly unknown[];
	readonly conditions: readonly Condition[];
}): string | undefined {
	const { terms, without, conditions } = query;
	if (flatConditions(conditions).some(({ field, value }) => field === "is" && value === "running"))
		return "is:running does not work here: only the browser watches which sessions are in use.";
	if (flatConditions(conditions).some(({ field }) => field === "branch"))
		return "branch: does not work here: only the browser reads the Git branches of directories.";
	return terms.length + without.length + conditions.length === 0 ? "it contains nothing to search for." : undefined;
}
