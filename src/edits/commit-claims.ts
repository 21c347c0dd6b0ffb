import { isObject } from "../shared/json.ts";
import { fieldsOf, textOf } from "../store/format/fields.ts";
import { parseJson } from "../store/format/parse.ts";
import { git } from "./git.ts";

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
	const claims = new Map<string, CommitClaims>();
	const format = "--format=%x01%H%x00%(trailers:only,unfold)%x00%N";
	const notes = ["--no-notes", "--notes=refs/notes/ai", "--no-show-signature"];
	for (let from = 0; from < hashes.length; from += AT_ONCE) {
		const some = hashes.slice(from, from + AT_ONCE);
		const log = await git(repository, ["log", "--no-walk=unsorted", ...notes, format, ...some, "--"], signal);
		for (const record of typeof log === "string" ? log.split(RECORD).slice(1) : []) {
			const [hash = "", trailers = "", note = ""] = record.split(FIELD);
			const named = await namedIn(trailers, repository, signal);
			const attested = attestedIn(note);
			if (named.length > 0 || attested.size > 0) claims.set(hash, { attested, named });
		}
	}
	return claims;
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

const TRAILER = /^([A-Za-z][A-Za-z0-9-]*)\s*:\s*(.+)$/;

async function namedIn(trailers: string, repository: string, signal?: AbortSignal): Promise<CommitClaims["named"]> {
	const named: { key: string; text: string }[] = [];
	for (const line of trailers.split("\n")) {
		const [, key = "", text = ""] = TRAILER.exec(line) ?? [];
		if (/-session(?:-id)?$/i.test(key)) named.push({ key, text });
		else if (/^entire-checkpoint$/i.test(key))
			for (const id of await sessionsOfCheckpoint(text.trim(), repository, signal)) named.push({ key, text: id });
	}
	return named;
}

/** A checkpoint of Entire has the metadata of its sessions in the folders "0", "1", …: of its own ref, or of one branch for all. */
async function sessionsOfCheckpoint(id: string, repository: string, signal?: AbortSignal): Promise<readonly string[]> {
	if (!/^[0-9A-Za-z]{12,26}$/.test(id)) return [];
	const ownRef = `refs/entire/checkpoints/${id.slice(-2)}/${id}`;
	const branch = "entire/checkpoints/v1";
	const shared = [`refs/heads/${branch}`, `refs/remotes/*/${branch}`];
	const refs = await git(repository, ["for-each-ref", "--format=%(refname)", ownRef, ...shared], signal);
	for (const ref of typeof refs === "string" ? refs.split("\n").filter(Boolean) : []) {
		const root = ref === ownRef ? `${ref}:` : `${ref}:${id.slice(0, 2)}/${id.slice(2)}/`;
		const ids: string[] = [];
		for (let index = 0; ; index++) {
			const metadata = await git(repository, ["cat-file", "blob", `${root}${index}/metadata.json`], signal);
			if (typeof metadata !== "string") break;
			ids.push(textOf(fieldsOf(parseJson(metadata)).session_id));
		}
		const sessions = ids.filter((session) => session !== "");
		if (sessions.length > 0) return sessions;
	}
	return [];
}
