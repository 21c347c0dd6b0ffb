import { z } from "zod";
import { PATH, TIME } from "./wire.ts";

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
	/**
	 * The sums over all sessions, over some only, or over all except some, once everything is counted. `more`: the paths go on in another
	 * request with this id.
	 */
	z.object({
		id: z.int(),
		type: z.literal("stats"),
		only: z.array(z.string()).optional(),
		except: z.array(z.string()).optional(),
		more: z.boolean().optional(),
	}),
	z.object({ id: z.int(), type: z.literal("cancel") }),
]);

export type Request = z.infer<typeof REQUEST>;

/** A request without its id, of each type on its own. */
export type RequestBody = Request extends infer One ? (One extends Request ? Omit<One, "id"> : never) : never;

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
	z.object({ id: z.int(), type: z.literal("progress"), done: z.int().nonnegative(), total: z.int().nonnegative() }),
	/** `visible`: id of the last request of that type; `inForms`: other forms of the words are still searched for. */
	z.object({ id: z.int(), type: z.literal("settled"), visible: z.int(), inForms: z.boolean() }),
	z.object({ id: z.int(), type: z.literal("bytes"), from: z.int(), data: z.base64() }),
	/** The bytes end; `size`: of the file. */
	z.object({ id: z.int(), type: z.literal("end"), size: z.int() }),
	/** Some lines of one of the tables of sums. */
	z.object({ id: z.int(), type: z.literal("lines"), of: z.string(), lines: z.array(z.unknown()) }),
	/** All lines of all tables have been sent; `sums`: the totals. */
	z.object({ id: z.int(), type: z.literal("sums"), sums: z.unknown() }),
	z.object({ id: z.int(), type: z.literal("error"), message: z.string() }),
	/** Nothing yet: the request is being worked on; `done`: how much the server has worked, in any unit. It grows while it does. */
	z.object({ id: z.int(), type: z.literal("busy"), done: z.int().nonnegative().optional() }),
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
