import { z } from "zod";
import type { DiagnosticCode } from "../../store/format/diagnostic.ts";
import type { SessionCounts } from "../model/counts.ts";
import type { Ending } from "../model/ending.ts";
import type { SessionRow } from "../model/row.ts";
import { KINDS, type Kind } from "../query/kinds.ts";
import type { SearchResult } from "../search/search.ts";

/*
 * Rows, counts and results as they stand in the lines of the protocol. Each is checked on its own: what does not have the shape below
 * is refused.
 */

/** Texts of a row in a line, at most, in UTF-16 units: what no list shows is not sent. No path is longer, either. */
const MAX_TEXT = 4000;
/** Diagnostics of a row in a line; the others are in the file. */
const MAX_DIAGNOSTICS = 50;

/** Every code, by which a row from there may be damaged. A newer code is left out. */
const CODES: Readonly<Record<DiagnosticCode, true>> = {
	unreadable: true,
	empty: true,
	"not-a-session": true,
	"utf-16": true,
	"multi-line": true,
	"bad-line": true,
	"glued-line": true,
	"repeated-line": true,
	"torn-tail": true,
	"invalid-utf8": true,
	"byte-order-mark": true,
	"old-version": true,
	"newer-version": true,
	"header-field": true,
	"extra-header": true,
	"entry-field": true,
	"duplicate-id": true,
	"missing-parent": true,
	"parent-cycle": true,
	"line-too-long": true,
};

const ENDINGS: Readonly<Record<Ending, true>> = {
	"": true,
	asks: true,
	failed: true,
	aborted: true,
	"open-call": true,
	unanswered: true,
};

const oneOf = <Name extends string>(names: Readonly<Record<Name, unknown>>) =>
	z.custom<Name>((value) => typeof value === "string" && Object.hasOwn(names, value));

/** A time in Unix ms that `Date` can hold. */
export const TIME = z.number().min(-8.64e15).max(8.64e15);

const DIAGNOSTIC = z.object({
	code: oneOf(CODES),
	severity: z.enum(["damage", "note"]),
	line: z.int().optional(),
	message: z.string(),
});

/** A session's path on its own machine: absolute, and nothing that a terminal or a line of output would stumble on. */
export const PATH = z.string().regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\n\r\0]*$/);

const ROW = z.object({
	path: PATH,
	id: z.string(),
	cwd: z.string(),
	name: z.string().optional(),
	firstMessage: z.string(),
	prompt: z.string().optional(),
	created: TIME,
	modified: TIME,
	aheadMs: TIME.optional(),
	messageCount: z.int().nonnegative(),
	parentSession: z.string().optional(),
	size: z.int().nonnegative(),
	diagnostics: z.array(DIAGNOSTIC.catch(() => UNKNOWN_NOTE)).max(MAX_DIAGNOSTICS),
	archived: z.literal(true).optional(),
	run: z
		.object({
			parent: z.string().optional(),
			runId: z.string().optional(),
			index: z.int().optional(),
			isFork: z.boolean(),
			agent: z.string().optional(),
			task: z.string().optional(),
		})
		.optional(),
});

const UNKNOWN_NOTE: z.infer<typeof DIAGNOSTIC> = {
	code: "newer-version",
	severity: "note",
	message: "Something that this version of pi-grove does not know was found.",
};

const AMOUNT = z.number().nonnegative();

/** A time as it is sent; 0 for one that is not valid. */
function timeOf(date: Date): number {
	return date.getTime() || 0;
}

const COUNTS = z.object({
	turns: AMOUNT,
	branches: AMOUNT,
	errors: AMOUNT,
	onBranches: z.object({ turns: AMOUNT, errors: AMOUNT, tokens: AMOUNT, cost: AMOUNT }).optional(),
	tokens: AMOUNT,
	cost: AMOUNT,
	unpriced: AMOUNT.optional(),
	labels: AMOUNT,
	model: z.string(),
	ending: oneOf(ENDINGS).catch(""),
	endedMs: TIME,
});

/** Texts of a result, at most, in UTF-16 units: a snippet is a few lines of a terminal. */
const MAX_RESULT_TEXT = 1000;
const SHORT_TEXT = z.string().max(MAX_RESULT_TEXT);

const SNIPPET = z.object({ text: SHORT_TEXT, ranges: z.array(z.tuple([z.int(), z.int()])).max(MAX_RESULT_TEXT) });

const RESULT = z.object({
	path: PATH,
	rank: z.number(),
	modified: TIME,
	count: z.int().nonnegative(),
	more: z.boolean(),
	best: z.object({
		line: z.int(),
		entryId: SHORT_TEXT,
		kind: oneOf<Kind>(KINDS),
		active: z.boolean(),
		snippet: SNIPPET,
	}),
	answer: SNIPPET.optional(),
	other: z
		.array(z.object({ word: SHORT_TEXT, matched: SHORT_TEXT }))
		.max(MAX_RESULT_TEXT)
		.optional(),
});

/** A row as it is sent. */
export function rowToWire(row: SessionRow): object {
	const {
		id,
		cwd,
		name,
		firstMessage,
		prompt,
		created,
		modified,
		parentSession,
		diagnostics,
		run,
		ownRun: _,
		tells: __,
		...rest
	} = row;
	const cut = (text: string | undefined) => text?.slice(0, MAX_TEXT);
	return {
		...rest,
		// A header may say anything.
		id: cut(id),
		cwd: cut(cwd),
		parentSession: cut(parentSession),
		name: cut(name),
		firstMessage: firstMessage.slice(0, MAX_TEXT),
		prompt: cut(prompt),
		created: timeOf(created),
		modified: timeOf(modified),
		diagnostics: diagnostics
			.slice(0, MAX_DIAGNOSTICS)
			.map((one) => ({ ...one, message: one.message.slice(0, MAX_TEXT) })),
		...(run && { run: { ...run, parent: cut(run.parent), runId: cut(run.runId) } }),
	};
}

/** A result as it is sent. */
export function resultToWire(result: SearchResult): object {
	const { best } = result;
	return { ...result, best: { ...best, entryId: best.entryId.slice(0, MAX_RESULT_TEXT) } };
}

/** A row that was sent; undefined if it is none. */
export function rowFromWire(value: unknown): SessionRow | undefined {
	const { data } = ROW.safeParse(value);
	if (data === undefined) return undefined;
	const { created, modified, run, ...rest } = data;
	return {
		...rest,
		created: new Date(created),
		modified: new Date(modified),
		...(run && { run: { ...run, parent: run.parent, runId: run.runId, index: run.index } }),
	};
}

/** Counts that were sent, with the path of their session; undefined if they are none. */
export function countsFromWire(value: unknown): [path: string, counts: SessionCounts] | undefined {
	return z.tuple([PATH, COUNTS]).safeParse(value).data;
}

/** A result that was sent; undefined if it is none. */
export function resultFromWire(value: unknown): SearchResult | undefined {
	return RESULT.safeParse(value).data;
}

/** The counts as they are sent: what reports say of runs stays there. */
export function countsToWire({
	turns,
	branches,
	errors,
	tokens,
	cost,
	labels,
	model,
	ending,
	endedMs,
}: SessionCounts): object {
	return { turns, branches, errors, tokens, cost, labels, model: model.slice(0, MAX_TEXT), ending, endedMs };
}
