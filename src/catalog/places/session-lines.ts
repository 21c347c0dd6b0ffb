import { z } from "zod";
import type { DiagnosticCode } from "../../store/format/diagnostic.ts";
import type { SessionCounts } from "../model/counts.ts";
import type { SessionRow } from "../model/row.ts";
import { KINDS, type Kind } from "../query/kinds.ts";
import type { SearchResult } from "../search/search.ts";
import type { StatsSums } from "../stats/aggregate-stats.ts";
import { MAX_DIAGNOSTICS, MAX_TEXT } from "./place.ts";
import { parsed } from "./serve.ts";

/*
 * What the commands print for another pi-grove: sessions (`list --json --raw`) and results (`search --json --raw`), a line each, and sums
 * (`stats --json`). What does not have the shape below is refused.
 */

const TEXT = z.string().transform((text) => text.slice(0, MAX_TEXT));
const COUNT = z.int().nonnegative();
const AMOUNT = z.number().nonnegative();
/** A time in Unix ms that `Date` can hold. */
const TIME = z.number().min(-8.64e15).max(8.64e15);
/** A session's path on its own machine: absolute, and nothing that a terminal or a line of output would stumble on. */
const PATH = z
	.string()
	.max(MAX_TEXT)
	.regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\n\r\0]*$/);

const DIAGNOSTIC = z.object({
	// A newer pi-grove may know others.
	code: z.custom<DiagnosticCode>((value) => typeof value === "string"),
	severity: z.enum(["damage", "note"]),
	line: z.int().optional(),
	message: TEXT,
});

const COUNTS = z.object({
	turns: AMOUNT,
	branches: AMOUNT,
	errors: AMOUNT,
	onBranches: z.object({ turns: AMOUNT, errors: AMOUNT, tokens: AMOUNT, cost: AMOUNT }).optional(),
	tokens: AMOUNT,
	cost: AMOUNT,
	unpriced: AMOUNT.optional(),
	elsewhere: z.object({ tokens: AMOUNT, cost: AMOUNT }).optional(),
	workedMs: AMOUNT.optional(),
	labels: AMOUNT,
	model: TEXT,
	ending: z.enum(["", "asks", "failed", "aborted", "open-call", "unanswered"]).catch(""),
	endedMs: TIME,
});

const SESSION = z.object({
	path: PATH,
	id: TEXT,
	cwd: TEXT,
	name: TEXT.optional(),
	firstMessage: TEXT,
	prompt: TEXT.optional(),
	created: TIME,
	modified: TIME,
	aheadMs: TIME.optional(),
	messageCount: COUNT,
	parentSession: TEXT.optional(),
	size: COUNT,
	diagnostics: z.array(DIAGNOSTIC).max(MAX_DIAGNOSTICS),
	archived: z.literal(true).optional(),
	run: z
		.object({
			parent: TEXT.optional(),
			runId: TEXT.optional(),
			index: z.int().optional(),
			isFork: z.boolean(),
			agent: TEXT.optional(),
			task: TEXT.optional(),
		})
		.optional(),
	counts: COUNTS.optional(),
	live: z.literal(true).optional(),
});

export interface ListedLine {
	readonly row: SessionRow;
	/** Undefined if it was not counted yet. */
	readonly counts: SessionCounts | undefined;
	readonly isLive: boolean;
}

/** Reads a line of `list --json --raw`; undefined if it is not a session. */
export function listedLine(line: string): ListedLine | undefined {
	const session = parsed(SESSION, line);
	if (session === undefined) return undefined;
	const { created, modified, run, counts, live = false, ...rest } = session;
	const row: SessionRow = {
		...rest,
		created: new Date(created),
		modified: new Date(modified),
		...(run && { run: { ...run, parent: run.parent, runId: run.runId, index: run.index } }),
	};
	return { row, counts, isLive: live };
}

/** Texts of a result, at most, in UTF-16 units: a snippet is a few lines of a terminal. */
const SHORT_TEXT = z.string().max(1000);
const SNIPPET = z.object({ text: SHORT_TEXT, ranges: z.array(z.tuple([z.int(), z.int()])).max(1000) });

const RESULT = z.object({
	path: PATH,
	rank: z.number(),
	modified: TIME,
	count: COUNT,
	more: z.boolean(),
	best: z.object({
		line: z.int(),
		entryId: SHORT_TEXT,
		kind: z.custom<Kind>((value) => typeof value === "string" && Object.hasOwn(KINDS, value)),
		active: z.boolean(),
		snippet: SNIPPET,
	}),
	answer: SNIPPET.optional(),
	lacks: z.array(COUNT).max(1000).optional(),
	other: z
		.array(z.object({ word: SHORT_TEXT, matched: SHORT_TEXT }))
		.max(1000)
		.optional(),
});

/** Reads a line of `search --json --raw`; undefined if it is not a result. */
export function resultOf(line: string): SearchResult | undefined {
	return parsed(RESULT, line);
}

const SPENT = { tokens: AMOUNT, cost: AMOUNT };
// An older pi-grove does not count the time.
const WORKED = AMOUNT.default(0);
const LINE = z.object({
	...{ key: TEXT, sessions: COUNT, bytes: COUNT, ...SPENT },
	...{ abandoned: z.object(SPENT), workedMs: WORKED },
});
const AGENT = z.object({ key: TEXT, runs: COUNT, failures: COUNT, ms: z.number(), ...SPENT });
const SUMS = z.object({
	sessions: COUNT,
	runs: COUNT,
	counted: COUNT,
	unpriced: COUNT,
	bytes: COUNT,
	...SPENT,
	abandoned: z.object(SPENT),
	workedMs: WORKED,
	mostExpensive: z.array(LINE).default([]),
	projects: z.array(LINE),
	models: z.array(LINE),
	months: z.array(LINE),
	days: z.array(LINE),
	agents: z.array(AGENT),
});

/** Reads what `stats --json` prints; undefined if it is not that. */
export function sumsOf(text: string): StatsSums | undefined {
	return parsed(SUMS, text);
}
