import { z } from "zod";
import type { DiagnosticCode } from "../../store/format/diagnostic.ts";
import type { SessionCounts } from "../model/counts.ts";
import type { Ending } from "../model/ending.ts";
import type { SessionRow } from "../model/row.ts";
import { KINDS, type Kind } from "../query/kinds.ts";
import type { SearchResult } from "../search/search.ts";

/*
 * The lines of JSON between pi-grove and `pi-grove serve --stdio` on another machine: docs/protocol.md. Nothing that comes from
 * there is trusted: whatever does not have the shape below is refused.
 */

/** The version of the protocol, and the oldest one that is understood. */
export const PROTOCOL = { newest: 1, oldest: 1 } as const;

/** Longest line in either direction, in bytes. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** Bytes of a file in one line. */
export const READ_BYTES = 256 * 1024;

/** A request of the client; `id` is in every answer to it. */
const REQUEST = z.discriminatedUnion("type", [
	/** All sessions, then what changes, until it is canceled. `since`: the `stamp` of an earlier listing that is still known. */
	z.object({ id: z.int(), type: z.literal("list"), since: z.string().optional() }),
	/** The paths of all sessions, for a client whose signature differs. */
	z.object({ id: z.int(), type: z.literal("paths") }),
	/** Replaces the search before it. */
	z.object({ id: z.int(), type: z.literal("search"), query: z.string() }),
	/** The sessions whose results the current search should count to their end. */
	z.object({ id: z.int(), type: z.literal("visible"), paths: z.array(z.string()) }),
	/** Bytes of a listed session, from an offset to another or the end. */
	z.object({
		id: z.int(),
		type: z.literal("read"),
		path: z.string(),
		from: z.int().nonnegative(),
		to: z.int().nonnegative().optional(),
	}),
	z.object({ id: z.int(), type: z.literal("cancel") }),
]);

export type Request = z.infer<typeof REQUEST>;

/** A request without its id, of each type on its own. */
export type RequestBody = Request extends infer One ? (One extends Request ? Omit<One, "id"> : never) : never;

/** Every code, by which a row from there may be damaged. A newer code is left out. */
const CODES: Readonly<Record<DiagnosticCode, true>> = {
	unreadable: true,
	empty: true,
	"not-a-session": true,
	"bad-line": true,
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
const TIME = z.number().min(-8.64e15).max(8.64e15);

const DIAGNOSTIC = z.object({
	code: oneOf(CODES),
	severity: z.enum(["damage", "note"]),
	line: z.int().optional(),
	message: z.string(),
});

/** A session's path on its own machine: absolute, and nothing that a terminal or a line of output would stumble on. */
const PATH = z.string().regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\n\r\0]*$/);

const ROW = z.object({
	path: PATH,
	id: z.string(),
	cwd: z.string(),
	name: z.string().optional(),
	firstMessage: z.string(),
	prompt: z.string().optional(),
	created: TIME,
	modified: TIME,
	messageCount: z.int().nonnegative(),
	parentSession: z.string().optional(),
	size: z.int().nonnegative(),
	diagnostics: z.array(DIAGNOSTIC.catch(() => UNKNOWN_NOTE)),
	archived: z.literal(true).optional(),
	run: z
		.object({
			parent: z.string().optional(),
			runId: z.string().optional(),
			index: z.int().optional(),
			isFork: z.boolean(),
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
	tokens: AMOUNT,
	cost: AMOUNT,
	labels: AMOUNT,
	model: z.string(),
	ending: oneOf(ENDINGS).catch(""),
	endedMs: TIME,
});

const SNIPPET = z.object({ text: z.string(), ranges: z.array(z.tuple([z.int(), z.int()])) });

const RESULT = z.object({
	path: PATH,
	rank: z.number(),
	modified: TIME,
	count: z.int().nonnegative(),
	more: z.boolean(),
	best: z.object({
		line: z.int(),
		entryId: z.string(),
		kind: oneOf<Kind>(KINDS),
		active: z.boolean(),
		snippet: SNIPPET,
	}),
	answer: SNIPPET.optional(),
	other: z.array(z.object({ word: z.string(), matched: z.string() })).optional(),
});

/** The first line of the server. */
const HELLO = z.object({
	type: z.literal("hello"),
	/** The newest version of the protocol that it speaks, and the oldest. */
	protocol: z.int(),
	oldest: z.int(),
	/** Of pi-grove there. */
	version: z.string(),
	/** Home directory. */
	home: z.string(),
	/** Where its sessions are. */
	sessions: z.string(),
	/** Its clock, in Unix ms. */
	now: TIME,
});

export type Hello = z.infer<typeof HELLO>;

/** A line of the server after its first one. Rows, counts and results are checked one by one, so that an odd one costs no others. */
const ANSWER = z.discriminatedUnion("type", [
	z.object({ id: z.int(), type: z.literal("rows"), rows: z.array(z.unknown()) }),
	z.object({ id: z.int(), type: z.literal("gone"), paths: z.array(PATH) }),
	z.object({ id: z.int(), type: z.literal("counts"), counts: z.array(z.unknown()) }),
	/** The sessions that are in use there; replaces the earlier ones. */
	z.object({ id: z.int(), type: z.literal("live"), paths: z.array(PATH) }),
	z.object({ id: z.int(), type: z.literal("problems"), problems: z.array(z.string()) }),
	/** All sessions have been sent. */
	z.object({ id: z.int(), type: z.literal("listed"), signature: z.string() }),
	/** All of them have been counted; `stamp` is for `since`, empty where nothing can be stored. */
	z.object({ id: z.int(), type: z.literal("counted"), stamp: z.string() }),
	z.object({ id: z.int(), type: z.literal("paths"), paths: z.array(PATH) }),
	z.object({ id: z.int(), type: z.literal("results"), results: z.array(z.unknown()) }),
	z.object({ id: z.int(), type: z.literal("lost"), paths: z.array(PATH) }),
	z.object({ id: z.int(), type: z.literal("progress"), done: z.int(), total: z.int() }),
	/** `visible`: id of the last request of that type; `inForms`: other forms of the words are still searched for. */
	z.object({ id: z.int(), type: z.literal("settled"), visible: z.int(), inForms: z.boolean() }),
	z.object({ id: z.int(), type: z.literal("bytes"), from: z.int(), data: z.base64() }),
	/** The bytes end; `size`: of the file. */
	z.object({ id: z.int(), type: z.literal("end"), size: z.int() }),
	z.object({ id: z.int(), type: z.literal("error"), message: z.string() }),
	/** Nothing yet: the request is being worked on. */
	z.object({ id: z.int(), type: z.literal("busy") }),
]);

export type Answer = z.infer<typeof ANSWER>;
/** An answer without the id of its request. */
export type AnswerBody = Answer extends infer One ? (One extends Answer ? Omit<One, "id"> : never) : never;

/** Reads a line of the client; undefined if it is not a request, or not one that is known. */
export function parseRequest(line: string): Request | undefined {
	return parsed(REQUEST, line);
}

/** The id of a request that is not known, so that its client learns of that; 0 for what has none. */
export function requestId(line: string): number {
	return parsed(z.object({ id: z.int() }), line)?.id ?? 0;
}

/** Reads the first line of a server; undefined for anything else, such as the greeting of a shell. */
export function parseHello(line: string): Hello | undefined {
	return parsed(HELLO, line);
}

/** Reads another line of a server; undefined for what is unknown or malformed. */
export function parseAnswer(line: string): Answer | undefined {
	return parsed(ANSWER, line);
}

function parsed<Schema extends z.ZodType>(schema: Schema, line: string): z.infer<Schema> | undefined {
	try {
		return schema.safeParse(JSON.parse(line)).data;
	} catch {
		return undefined;
	}
}

/** Texts of a row in a line, at most, in UTF-16 units: what no list shows is not sent. */
const MAX_TEXT = 4000;
/** Diagnostics of a row in a line; the others are in the file. */
const MAX_DIAGNOSTICS = 50;

/** A row as it is sent. */
export function rowToWire(row: SessionRow): object {
	const { name, firstMessage, prompt, created, modified, diagnostics, run, ...rest } = row;
	const cut = (text: string | undefined) => text?.slice(0, MAX_TEXT);
	return {
		...rest,
		name: cut(name),
		firstMessage: firstMessage.slice(0, MAX_TEXT),
		prompt: cut(prompt),
		created: timeOf(created),
		modified: timeOf(modified),
		diagnostics: diagnostics
			.slice(0, MAX_DIAGNOSTICS)
			.map((one) => ({ ...one, message: one.message.slice(0, MAX_TEXT) })),
		...(run && { run: { ...run } }),
	};
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
		...(run && { run: { parent: run.parent, runId: run.runId, index: run.index, isFork: run.isFork } }),
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
