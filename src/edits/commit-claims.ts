import { isObject } from "../shared/json.ts";
import { fieldsOf, textOf } from "../store/format/fields.ts";
import { parseJson } from "../store/format/parse.ts";
import { isReason } from "./git-process.ts";
import type { Repository } from "./repository.ts";

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

/** What git-ai keeps its notes in. */
const NOTES = "refs/notes/ai";

/**
 * Reads what commits say about sessions: the notes of git-ai (refs/notes/ai, its standard 3.0.0), and trailers `…-Session`. Commits that say
 * nothing are left out.
 */
export async function readClaims(
	repository: Repository,
	hashes: readonly string[],
): Promise<ReadonlyMap<string, CommitClaims>> {
	const [records, notes] = await Promise.all([
		repository.show("%H%x00%(trailers:only,unfold)%x00", hashes),
		notesOf(repository, hashes),
	]);
	// No message has a NUL.
	const fields = isReason(records) ? [] : records.split("\0");
	return new Map(
		hashes.flatMap((_, index) => {
			const [hash = "", trailers = ""] = fields.slice(2 * index).map((field) => field.trim());
			const named = trailersIn(trailers);
			const attested = attestedIn(notes.get(hash) ?? "");
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

/** The trailers that name sessions. */
function trailersIn(text: string): CommitClaims["named"] {
	return text.split("\n").flatMap((line) => {
		const [, key = "", value = ""] = TRAILER.exec(line) ?? [];
		return /-session(?:-id)?$/i.test(key) ? [{ key, text: value }] : [];
	});
}

/** The notes of git-ai for commits; each is a file by the hash, in folders by its beginning where there are many. */
async function notesOf(repository: Repository, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
	const commit = (await repository.mayHaveRefs([NOTES])) ? await repository.resolve(NOTES) : undefined;
	if (commit === undefined || isReason(commit)) return new Map();
	const files = hashes.flatMap((hash) => {
		const [first, second] = [hash.slice(0, 2), hash.slice(2, 4)];
		const paths = [hash, `${first}/${hash.slice(2)}`, `${first}/${second}/${hash.slice(4)}`];
		return paths.map((path) => ({ hash, commit, path }));
	});
	const entries = await repository.find(files);
	if (isReason(entries)) return new Map();
	const blobs = await repository.blobs(entries.flatMap((file) => file?.id ?? []));
	if (isReason(blobs)) return new Map();
	return new Map(
		files.flatMap(({ hash }, index) => {
			const text = blobs.get(entries[index]?.id ?? "")?.toString("utf8");
			return text === undefined ? [] : [[hash, text] as const];
		}),
	);
}
