import { isObject } from "../shared/json.ts";
import { fieldsOf, textOf } from "../store/format/fields.ts";
import { parseJson } from "../store/format/parse.ts";
import { git, gitObjects } from "./git.ts";

/** Who wrote some lines of a file in a commit, as its git-ai note says. */
interface AttestedLines {
	/** Numbers of the lines in the commit: the first and the last of each range. */
	readonly ranges: ReadonlyArray<readonly [from: number, to: number]>;
	readonly by: Attested;
}

/** A session of a tool, by the id that the tool has given it, or a person. */
type Attested = { readonly tool: string; readonly id: string } | { readonly person: string };

/** What a commit says about the sessions that it was made in. */
export interface CommitClaims {
	/** By the path of a file in the commit; of several entries for a line the last one counts. */
	readonly attested: ReadonlyMap<string, readonly AttestedLines[]>;
	/** The sessions named by its trailers, with the key of the trailer: ids, or texts that contain them. */
	readonly named: readonly { readonly key: string; readonly text: string }[];
}

/** Commits whose claims are read at a time: the command line has room for them. */
const AT_ONCE = 1000;
/** Separates the fields of a commit, and begins the next one; no note and no message has these. */
const [FIELD, RECORD] = ["\0", "\x01"];

/**
 * Reads what commits say about sessions: the notes of git-ai (refs/notes/ai, its standard 3.0.0), and the trailers
 * `Entire-Checkpoint` and `…-Session`. Commits that say nothing are left out. `repository`: an existing directory of it.
 */
export async function readClaims(
	repository: string,
	hashes: readonly string[],
	signal?: AbortSignal,
): Promise<ReadonlyMap<string, CommitClaims>> {
	const format = "--format=%x01%H%x00%(trailers:only,unfold)%x00%N";
	const notes = ["--no-notes", "--notes=refs/notes/ai", "--no-show-signature"];
	const records: string[] = [];
	for (let from = 0; from < hashes.length; from += AT_ONCE) {
		const some = hashes.slice(from, from + AT_ONCE);
		const log = await git(repository, ["log", "--no-walk=unsorted", ...notes, format, ...some, "--"], signal);
		if (typeof log === "string") records.push(...log.split(RECORD).slice(1));
	}
	const commits = records.map((record) => {
		const [hash = "", trailers = "", note = ""] = record.split(FIELD);
		return { hash, trailers: trailersIn(trailers), attested: attestedIn(note) };
	});
	const ids = commits.flatMap(({ trailers }) => trailers.flatMap(({ key, text }) => (isCheckpoint(key) ? [text] : [])));
	const sessions = await sessionsOfCheckpoints([...new Set(ids)], repository, signal);
	return new Map(
		commits.flatMap(({ hash, trailers, attested }) => {
			const named = trailers.flatMap(({ key, text }) =>
				isCheckpoint(key) ? (sessions.get(text) ?? []).map((session) => ({ key, text: session })) : [{ key, text }],
			);
			return named.length > 0 || attested.size > 0 ? [[hash, { attested, named }] as const] : [];
		}),
	);
}

/** Who wrote a line of a file in a commit, as its note says; undefined if it does not say. */
export function attestedAuthor({ attested }: CommitClaims, path: string, line: number): Attested | undefined {
	return attested.get(path)?.findLast(({ ranges }) => ranges.some(([from, to]) => from <= line && line <= to))?.by;
}

/** The lines of a git-ai note: paths, each followed by keys with ranges of lines; behind "---" what the keys mean, as JSON. */
function attestedIn(note: string): CommitClaims["attested"] {
	const attested = new Map<string, AttestedLines[]>();
	const [head = "", ...rest] = note.split(/^---\r?$/m);
	const metadata = parseJson(rest.join("---"));
	if (!isObject(metadata) || !textOf(metadata.schema_version).startsWith("authorship/3.")) return attested;
	let path = "";
	for (const line of head.split(/\r?\n/)) {
		const [, key = "", spec = ""] = /^ {2}(\S+) (\S+)$/.exec(line) ?? [];
		if (key === "") path = line.replace(/^"(.*)"$/, "$1");
		const by = key === "" ? undefined : authorOf(key, metadata);
		if (by === undefined) continue;
		const ranges = spec.split(",").map((range): [number, number] => {
			const [from = "", to = from] = range.split("-");
			return [Number(from), Number(to)];
		});
		const ofPath = attested.get(path) ?? [];
		attested.set(path, [...ofPath, { ranges, by }]);
	}
	return attested;
}

/** What a key of a note means: "h_…" a person, "s_…::t_…" a session, any other one a session of git-ai before 1.4. */
function authorOf(key: string, metadata: Readonly<Record<string, unknown>>): Attested | undefined {
	if (key.startsWith("h_")) {
		const person = textOf(fieldsOf(fieldsOf(metadata.humans)[key]).author);
		return person === "" ? undefined : { person };
	}
	const [session = ""] = key.split("::");
	const records = fieldsOf(key.startsWith("s_") ? metadata.sessions : metadata.prompts);
	const agent = fieldsOf(fieldsOf(records[session]).agent_id);
	const id = textOf(agent.id);
	return id === "" ? undefined : { tool: textOf(agent.tool), id };
}

const TRAILER = /^([A-Za-z][A-Za-z0-9-]*)\s*:\s*(.+?)\s*$/;

/** The trailers that name sessions, or a checkpoint of Entire. */
function trailersIn(text: string): CommitClaims["named"] {
	return text.split("\n").flatMap((line) => {
		const [, key = "", value = ""] = TRAILER.exec(line) ?? [];
		return /-session(?:-id)?$/i.test(key) || isCheckpoint(key) ? [{ key, text: value }] : [];
	});
}

function isCheckpoint(key: string): boolean {
	return /^entire-checkpoint$/i.test(key);
}

/** Sessions of a checkpoint that are looked for: it has the metadata of each in a folder, "0", "1", …. */
const MOST_SESSIONS = 5;

/** The sessions of checkpoints of Entire. Each is a ref of its own, or a folder of one branch that all of them share. */
async function sessionsOfCheckpoints(
	ids: readonly string[],
	repository: string,
	signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
	const sessions = new Map<string, string[]>();
	const validIds = ids.filter((id) => /^[0-9A-Za-z]{12,26}$/.test(id));
	if (validIds.length === 0) return sessions;
	const branch = "entire/checkpoints/v1";
	const list = ["for-each-ref", "--format=%(refname)", `refs/heads/${branch}`, `refs/remotes/*/${branch}`];
	const refs = await git(repository, list, signal);
	const branches = typeof refs === "string" ? refs.split("\n").filter(Boolean) : [];
	const files = validIds.flatMap((id) => {
		const shared = branches.map((ref) => `${ref}:${id.slice(0, 2)}/${id.slice(2)}/`);
		const roots = [`refs/entire/checkpoints/${id.slice(-2)}/${id}:`, ...shared];
		const indexes = [...Array(MOST_SESSIONS).keys()];
		return roots.flatMap((root) => indexes.map((index) => ({ id, name: `${root}${index}/metadata.json` })));
	});
	const objects = await gitObjects(
		repository,
		files.map(({ name }) => name),
		signal,
	);
	for (const { id, name } of files) {
		const session = textOf(fieldsOf(parseJson(objects.get(name)?.toString("utf8") ?? "")).session_id);
		if (session !== "") sessions.set(id, [...(sessions.get(id) ?? []), session]);
	}
	return sessions;
}
