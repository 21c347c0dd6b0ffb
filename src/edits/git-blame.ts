import type { BlamedCommit, BlamedLine, CommitName } from "./blame.ts";
import { type GitReason, isReason } from "./git-process.ts";
import type { Repository } from "./repository.ts";

export interface GitBlame {
	readonly lines: readonly Omit<BlamedLine, "text">[];
	/** All names that the file had when these lines were written, relative to the top of the repository. */
	readonly names: readonly string[];
}

/** A commit that added a line to a file, and where the line is in it. */
interface AddingCommit extends CommitName {
	readonly origin: NonNullable<BlamedLine["origin"]>;
}

/** Runs `git blame` on the lines `from` to `to` of a file in a commit; `path` is relative to the top of the repository. */
export async function gitBlame(
	repository: Repository,
	revision: string,
	path: string,
	span: { readonly from: number; readonly to: number },
): Promise<GitBlame | GitReason> {
	const blame = await repository.blame(revision, path, span);
	if (isReason(blame)) return blame;
	const { headers, lines } = parsePorcelain(blame);
	const commits = new Map([...headers].map(([hash, ofCommit]) => [hash, commitOf(hash, ofCommit)]));
	return {
		lines: lines.map(({ hash, ...line }) => ({ ...line, commit: commits.get(hash) })),
		names: [...new Set([...headers.values()].map(nameIn))],
	};
}

/** By line, the commits up to a revision that added it to a file, under any of its names; without merges. */
export async function addingCommits(
	repository: Repository,
	revision: string,
	paths: readonly string[],
	texts: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly AddingCommit[]>> {
	const format = "--format=commit %H %at %ct%x00%an%x00%s";
	const how = ["-p", format, "--find-renames", "--unified=0", "--dst-prefix=b/"];
	const log = texts.size === 0 ? "" : await repository.log(how, [revision], paths);
	return isReason(log) ? new Map() : additionsIn(log, texts);
}

const COMMIT_LINE = /^commit ([0-9a-f]{40,64}) (\d+) (\d+)\0(.*)\0(.*)$/;

/** The commits that added some lines, as a log with its changes says. */
function additionsIn(log: string, texts: ReadonlySet<string>): ReadonlyMap<string, readonly AddingCommit[]> {
	const added = new Map<string, AddingCommit[]>();
	let commit: CommitName | undefined;
	let path = "";
	/** Number of the next line; undefined outside of hunks. */
	let number: number | undefined;
	for (const line of log.split("\n")) {
		const [, hash, authored, committed, author = "", summary = ""] = COMMIT_LINE.exec(line) ?? [];
		const start = /^@@ -\S+ \+(\d+)/.exec(line)?.[1];
		if (hash !== undefined) {
			commit = { hash, authorMs: Number(authored) * 1000, committedMs: Number(committed) * 1000, author, summary };
			number = undefined;
		} else if (start !== undefined) number = Number(start);
		else if (line.startsWith("diff ")) number = undefined;
		else if (number === undefined) path = /^\+\+\+ "?b\//.test(line) ? unquoted(line.slice(4)).slice(2) : path;
		else if (commit !== undefined && line.startsWith("+")) {
			const text = plain(line.slice(1));
			const by = { ...commit, origin: { path, number } };
			number++;
			const earlierCommits = added.get(text);
			if (earlierCommits !== undefined) earlierCommits.push(by);
			else if (texts.has(text)) added.set(text, [by]);
		}
	}
	return added;
}

/** A line without the carriage return that may end it. */
function plain(line: string): string {
	return line.endsWith("\r") ? line.slice(0, -1) : line;
}

type Headers = ReadonlyMap<string, string>;

interface ParsedBlame {
	readonly lines: readonly (Pick<BlamedLine, "number" | "origin"> & { readonly hash: string })[];
	/** By the hash of the commit. */
	readonly headers: ReadonlyMap<string, Headers>;
}

function parsePorcelain(text: string): ParsedBlame {
	const lines: ParsedBlame["lines"][number][] = [];
	const headers = new Map<string, Map<string, string>>();
	let [hash, original, number] = ["", 0, 0];
	for (const line of text.split("\n")) {
		const [, lineHash, ...numbers] = /^([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?$/.exec(line) ?? [];
		if (line.startsWith("\t")) {
			const ofCommit = headers.get(hash);
			lines.push({ number, hash, ...(ofCommit && { origin: { path: nameIn(ofCommit), number: original } }) });
		} else if (lineHash !== undefined) {
			hash = lineHash;
			[original = 0, number = 0] = numbers.map(Number);
		} else if (line !== "" && hash !== "") {
			const [, name = "", value = ""] = /^(\S+)(?: (.*))?$/.exec(line) ?? [];
			const ofCommit = headers.get(hash) ?? new Map<string, string>();
			headers.set(hash, ofCommit.set(name, value));
		}
	}
	return { lines, headers };
}

/** The name that the file had in a commit. */
function nameIn(headers: Headers): string {
	return unquoted(headers.get("filename") ?? "");
}

function commitOf(hash: string, headers: Headers): BlamedCommit {
	const timeOf = (name: string) => Number(headers.get(name) ?? Number.NaN) * 1000;
	const [author = "", summary = ""] = [headers.get("author"), headers.get("summary")];
	return { hash, authorMs: timeOf("author-time"), committedMs: timeOf("committer-time"), author, summary, headers };
}

/** Decodes a file name with unusual characters, which Git quotes like a C string. */
function unquoted(name: string): string {
	if (!name.startsWith('"')) return name;
	const bytes = name.slice(1, -1).replace(/\\([0-7]{3}|.)/g, (_, code: string) => {
		if (/^[0-7]{3}$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
		return (
			({ n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" } as Record<string, string>)[code] ?? code
		);
	});
	return Buffer.from(bytes, "latin1").toString("utf8");
}
