import { mapInTurn } from "../shared/steps.ts";
import type { BlamedCommit, BlamedLine, CommitName } from "./blame.ts";
import { type GitReason, git } from "./git.ts";

export interface GitBlame {
	readonly lines: readonly Omit<BlamedLine, "text">[];
	/** All names that the file had when these lines were written, relative to the top of the repository. */
	readonly names: readonly string[];
	/** When commits up to the revision changed the file, Unix ms. */
	readonly committedMs: readonly number[];
	/** By line, the commits up to HEAD and to the revision that added it to the file, without merges. */
	readonly addedBy: ReadonlyMap<string, readonly AddingCommit[]>;
}

/** A commit that added a line to a file, and where the line is in it. */
interface AddingCommit extends CommitName {
	readonly origin: NonNullable<BlamedLine["origin"]>;
}

interface GitBlameOptions {
	/** The commit in which the file is blamed. @default HEAD, and what was changed in the working tree since */
	readonly revision?: string;
	/** Further lines whose commits are wanted. */
	readonly texts?: readonly string[];
	readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `git blame` on the lines `from` to `to` of a file; `directory` is in its repository, `file` relative to that. Without a span only
 * the commits of `texts` are found.
 */
export async function gitBlame(
	directory: string,
	file: string,
	span: { readonly from: number; readonly to: number } | undefined,
	{ revision = "HEAD", texts = [], signal }: GitBlameOptions = {},
): Promise<GitBlame | GitReason> {
	const revisions = revision === "HEAD" ? [] : [revision];
	const lines = span === undefined ? [] : [`-L${span.from},${span.to}`];
	const command = ["blame", "--porcelain", "--no-textconv", ...lines, ...revisions, "--", file];
	const blame = span === undefined ? "" : await git(directory, command, signal);
	if (typeof blame !== "string") return blame;
	const parsed = parsePorcelain(blame);
	const facts = await git(directory, ["rev-parse", "--is-shallow-repository", "--show-toplevel"], signal);
	const [shallow, root = directory] = typeof facts === "string" ? facts.replace(/\n$/, "").split(/\n(.*)/s) : [];
	const commits = new Map(
		await mapInTurn([...parsed.headers], async ([hash, headers]) => {
			const isBoundary = headers.has("boundary");
			const earlierMs = isBoundary ? [] : await timesOf(root, `${hash}^@`, nameIn(headers), signal);
			return [hash, { ...commitOf(hash, headers), isCutOff: isBoundary && shallow === "true", earlierMs }] as const;
		}),
	);
	const names = new Set([...parsed.headers.values()].map(nameIn));
	const blamedTexts = blame.split("\n").flatMap((line) => (line.startsWith("\t") ? [plain(line.slice(1))] : []));
	const wantedTexts = new Set([...blamedTexts, ...texts]);
	const addedBy = await addingCommits(
		root,
		names.size > 0 ? [...names] : [file],
		wantedTexts,
		["HEAD", ...revisions],
		signal,
	);
	return {
		addedBy,
		lines: parsed.lines.map(({ hash, ...line }) => ({ ...line, commit: commits.get(hash) })),
		names: [...names],
		committedMs: await timesOf(directory, revision, file, signal),
	};
}

/** When commits up to a revision changed a file, Unix ms. */
async function timesOf(
	directory: string,
	revision: string,
	file: string,
	signal?: AbortSignal,
): Promise<readonly number[]> {
	// Without any revision, `git log` would use HEAD.
	const revisions = revision.endsWith("^@")
		? linesOf(await git(directory, ["rev-parse", revision], signal))
		: [revision];
	if (revisions.length === 0) return [];
	const log = await git(directory, ["log", "--full-history", "--format=%at", ...revisions, "--", file], signal);
	return linesOf(log).map((time) => Number(time) * 1000);
}

/** The lines that Git printed; none if it failed. */
function linesOf(output: string | GitReason): readonly string[] {
	return typeof output === "string" ? output.split("\n").filter(Boolean) : [];
}

/** The commits that added some lines to a file under any of its names. */
async function addingCommits(
	root: string,
	names: readonly string[],
	texts: ReadonlySet<string>,
	revisions: readonly string[],
	signal?: AbortSignal,
): Promise<ReadonlyMap<string, readonly AddingCommit[]>> {
	const added = new Map<string, AddingCommit[]>();
	if (texts.size === 0) return added;
	const only = ["--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=0", "--dst-prefix=b/"];
	const format = "--format=commit %H %at %ct%x00%an%x00%s";
	const log = await git(root, ["log", "--full-history", "-p", format, ...only, ...revisions, "--", ...names], signal);
	let commit: CommitName | undefined;
	let path = "";
	/** Number of the next line; undefined outside of hunks. */
	let number: number | undefined;
	for (const line of typeof log === "string" ? log.split("\n") : []) {
		const [, hash, authored, committed, author = "", summary = ""] =
			/^commit ([0-9a-f]{40,64}) (\d+) (\d+)\0(.*)\0(.*)$/.exec(line) ?? [];
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

/** The hash of lines that are not committed yet. */
const NO_COMMIT = /^0+$/;

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
		} else if (line !== "" && !NO_COMMIT.test(hash)) {
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

function commitOf(hash: string, headers: Headers): Omit<BlamedCommit, "isCutOff" | "earlierMs"> {
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
