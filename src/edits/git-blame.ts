import { eachLine } from "../conversation/render/diff-lines.ts";
import { largest } from "../shared/columns.ts";
import { sameLines } from "./align-lines.ts";
import type { BlamedCommit, BlamedLine, FileSpan } from "./blame.ts";
import { type GitReason, isReason } from "./git-process.ts";
import type { Repository } from "./repository.ts";

export interface GitBlame {
	readonly lines: readonly Omit<BlamedLine, "text">[];
	/** All names that the file had when these lines were written, relative to the top of the repository. */
	readonly names: readonly string[];
}

/**
 * The commits of lines of a text that a file has, or had, given a commit that has the file; those that it does not have are in none. `path`
 * is relative to the top of the repository.
 */
export async function blameLines(
	repository: Repository,
	commit: string,
	path: string,
	lines: readonly string[],
	{ from, to }: FileSpan,
): Promise<GitBlame | GitReason> {
	const committed = await repository.find([{ commit, path }]);
	if (isReason(committed)) return committed;
	const id = committed[0]?.id;
	if (id === undefined) return { reason: "Git does not have the file" };
	const blobs = await repository.blobs([id]);
	if (isReason(blobs)) return blobs;
	const text = blobs.get(id)?.toString("utf8");
	if (text === undefined) return { reason: "Git does not have its content here" };
	const counterparts = sameLines(lines, [...eachLine(text.replace(/^\uFEFF/, ""))]);
	const places = counterparts.slice(from - 1, to).flatMap((index) => (index === -1 ? [] : [index + 1]));
	const [first, last] = [places.toSorted((one, other) => one - other)[0], largest(places)];
	if (first === undefined) return { lines: [], names: [] };
	const blame = await repository.blame(commit, path, { from: first, to: last });
	if (isReason(blame)) return blame;
	const { headers, lines: blamed } = parsePorcelain(blame);
	const commits = new Map([...headers].map(([hash, ofCommit]) => [hash, commitOf(hash, ofCommit)]));
	const byNumber = new Map(blamed.map((line) => [line.number, line]));
	return {
		lines: counterparts.slice(from - 1, to).flatMap((index, at) => {
			const { hash = "", ...line } = byNumber.get(index + 1) ?? {};
			return hash === "" ? [] : [{ ...line, number: from + at, commit: commits.get(hash) }];
		}),
		names: [...new Set([...headers.values()].map(nameIn))],
	};
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
