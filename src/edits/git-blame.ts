import { mapInTurn } from "../shared/steps.ts";
import type { BlamedCommit, BlamedLine } from "./blame.ts";
import { type GitReason, git } from "./git.ts";

export interface GitBlame {
	readonly lines: readonly Omit<BlamedLine, "text">[];
	/** All names that the file had when these lines were written, relative to the top of the repository. */
	readonly names: readonly string[];
	/** When commits up to HEAD changed the file, Unix ms. */
	readonly committedMs: readonly number[];
	/** By line, the commits up to HEAD that added it to the file, without merges. */
	readonly addedBy: ReadonlyMap<string, readonly AddingCommit[]>;
}

type AddingCommit = Pick<BlamedCommit, "hash" | "authorMs">;

/** Runs `git blame` on the lines `from` to `to` of a file; `directory` is in its repository, `file` relative to that. */
export async function gitBlame(
	directory: string,
	file: string,
	{ from, to }: { readonly from: number; readonly to: number },
): Promise<GitBlame | GitReason> {
	const blame = await git(directory, ["blame", "--porcelain", "--no-textconv", `-L${from},${to}`, "--", file]);
	if (typeof blame !== "string") return blame;
	const parsed = parsePorcelain(blame);
	const shallow = await git(directory, ["rev-parse", "--is-shallow-repository"]);
	const isShallow = typeof shallow === "string" && shallow.trim() === "true";
	const top = await git(directory, ["rev-parse", "--show-toplevel"]);
	const root = typeof top === "string" ? top.replace(/\n$/, "") : directory;
	const commits = new Map(
		await mapInTurn([...parsed.commits.values()], async ({ name, isBoundary, ...commit }) => {
			const earlierMs = isBoundary ? [] : await timesOf(root, `${commit.hash}^@`, name);
			return [commit.hash, { ...commit, isCutOff: isBoundary && isShallow, earlierMs }] as const;
		}),
	);
	const names = new Set([...parsed.commits.values()].map(({ name }) => name));
	const blamedTexts = new Set(
		blame.split("\n").flatMap((line) => (line.startsWith("\t") ? [plain(line.slice(1))] : [])),
	);
	const addedBy = await addingCommits(root, [...names], blamedTexts);
	return {
		addedBy,
		lines: parsed.lines.map(({ number, hash }) => ({ number, commit: commits.get(hash) })),
		names: [...names],
		committedMs: await timesOf(directory, "HEAD", file),
	};
}

/** When commits up to a revision changed a file, Unix ms. */
async function timesOf(directory: string, revision: string, file: string): Promise<readonly number[]> {
	// Without any revision, `git log` would use HEAD.
	const revisions = revision.endsWith("^@") ? linesOf(await git(directory, ["rev-parse", revision])) : [revision];
	if (revisions.length === 0) return [];
	const log = await git(directory, ["log", "--full-history", "--format=%at", ...revisions, "--", file]);
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
): Promise<ReadonlyMap<string, readonly AddingCommit[]>> {
	const added = new Map<string, AddingCommit[]>();
	if (names.length === 0) return added;
	const only = ["--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=0"];
	const log = await git(root, [
		"log",
		"--full-history",
		"-p",
		"--format=commit %H %at",
		...only,
		"HEAD",
		"--",
		...names,
	]);
	let commit: AddingCommit | undefined;
	let isHunk = false;
	for (const line of typeof log === "string" ? log.split("\n") : []) {
		const [, hash, time] = /^commit ([0-9a-f]{40,64}) (\d+)$/.exec(line) ?? [];
		if (hash !== undefined) {
			commit = { hash, authorMs: Number(time) * 1000 };
			isHunk = false;
		} else if (line.startsWith("@@ ")) isHunk = true;
		else if (line.startsWith("diff ")) isHunk = false;
		else if (isHunk && commit !== undefined && line.startsWith("+")) {
			const text = plain(line.slice(1));
			const by = added.get(text);
			if (by !== undefined) by.push(commit);
			else if (texts.has(text)) added.set(text, [commit]);
		}
	}
	return added;
}

/** A line without the carriage return that may end it. */
function plain(line: string): string {
	return line.endsWith("\r") ? line.slice(0, -1) : line;
}

interface ParsedCommit extends Omit<BlamedCommit, "isCutOff" | "earlierMs"> {
	readonly name: string;
	readonly isBoundary: boolean;
}

/** The hash of lines that are not committed yet. */
const NO_COMMIT = /^0+$/;

function parsePorcelain(text: string): {
	readonly lines: readonly { readonly number: number; readonly hash: string }[];
	readonly commits: ReadonlyMap<string, ParsedCommit>;
} {
	const lines: { number: number; hash: string }[] = [];
	const fields = new Map<string, Map<string, string>>();
	let hash = "";
	for (const line of text.split("\n")) {
		const [, lineHash, number] = /^([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?$/.exec(line) ?? [];
		if (line.startsWith("\t")) continue;
		if (lineHash !== undefined) {
			hash = lineHash;
			lines.push({ number: Number(number), hash });
			continue;
		}
		const [, name = "", value = ""] = /^(\S+)(?: (.*))?$/.exec(line) ?? [];
		const commitFields = fields.get(hash) ?? new Map<string, string>();
		if (name !== "") fields.set(hash, commitFields.set(name, value));
	}
	const commits = [...fields].filter(([hash]) => !NO_COMMIT.test(hash));
	return { lines, commits: new Map(commits.map(([hash, commitFields]) => [hash, commitOf(hash, commitFields)])) };
}

function commitOf(hash: string, fields: ReadonlyMap<string, string>): ParsedCommit {
	const timeOf = (name: string) => Number(fields.get(name) ?? Number.NaN) * 1000;
	return {
		hash,
		authorMs: timeOf("author-time"),
		committedMs: timeOf("committer-time"),
		author: fields.get("author") ?? "",
		summary: fields.get("summary") ?? "",
		name: unquoted(fields.get("filename") ?? ""),
		isBoundary: fields.has("boundary"),
	};
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
