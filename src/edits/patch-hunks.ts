import type { DiffLine } from "../conversation/render/diff-lines.ts";

/** A hunk of a unified diff: at least one line of it is removed or added, and its counts are those of its lines. */
export interface PatchHunk {
	/** Numbers of its first line in the old and the new file, from 1; where it has none there, that of the line before. */
	readonly old: number;
	readonly now: number;
	readonly lines: readonly PatchLine[];
}

interface PatchLine {
	readonly sign: Sign;
	/** Without its line feed. */
	readonly text: string;
	/** Whether it is the last line of a file that does not end with a line feed. */
	readonly isOpen: boolean;
}

type Sign = " " | "-" | "+";

/** One edit of a file, as a part of a patch. */
export type EditPatch =
	/** What changed where. `lineEnd`: what the call shows of the line ends of the file. */
	| { readonly of: "hunks"; readonly hunks: readonly PatchHunk[]; readonly lineEnd: "\r\n" | undefined }
	/** All of a file that was written. */
	| { readonly of: "file"; readonly text: string }
	/** The lines that it was asked to replace, whose place in the file is not known. */
	| { readonly of: "texts"; readonly lines: readonly DiffLine[] };

const HEAD = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
/** What may be before the first hunk of a file that was there before, and has the same name and mode afterwards. */
const TOP = /^(?:(?:Index: |=+(?=\r?\n)|diff --git |index |--- |\+\+\+ )[^\n]*\n?)*$/;
/** What another file begins with. */
const OTHER_FILE = /^(?:diff --git |Index: )/;

/**
 * The hunks of the first file of a unified diff that somebody else wrote. Undefined if there are none, or one is not what its head
 * says: nothing of it is taken then.
 */
export function readHunks(patch: string): readonly PatchHunk[] | undefined {
	const start = patch.search(/^@@ /m);
	if (start === -1 || !TOP.test(patch.slice(0, start))) return undefined;
	const lines = patch.slice(start).replace(/\n+$/, "").split("\n");
	const hunks: PatchHunk[] = [];
	for (let at = 0; at < lines.length && !OTHER_FILE.test(lines[at] ?? ""); ) {
		const hunk = readHunk(lines, at);
		if (hunk === undefined) return undefined;
		hunks.push(hunk.hunk);
		at = hunk.end;
	}
	return hunks;
}

function readHunk(
	lines: readonly string[],
	at: number,
): { readonly hunk: PatchHunk; readonly end: number } | undefined {
	const [, old, oldCount = 1, now, nowCount = 1] = HEAD.exec(lines[at]?.slice(0, 100) ?? "") ?? [];
	if (old === undefined) return undefined;
	const rest = { " ": 0, "-": Number(oldCount), "+": Number(nowCount) };
	const read: PatchLine[] = [];
	let end = at + 1;
	for (; rest["-"] > 0 || rest["+"] > 0 || lines[end]?.startsWith("\\"); end++) {
		const line = lines[end] ?? "";
		const [sign, last] = [line[0], read.at(-1)];
		if (sign === "\\") {
			// Behind a line without an end nothing can follow.
			if (last === undefined || last.isOpen || (last.sign === " " ? rest["-"] + rest["+"] : rest[last.sign]) > 0)
				return undefined;
			read[read.length - 1] = { ...last, isOpen: true };
			continue;
		}
		if (sign !== " " && sign !== "-" && sign !== "+") return undefined;
		if (sign !== "+" && rest["-"]-- === 0) return undefined;
		if (sign !== "-" && rest["+"]-- === 0) return undefined;
		read.push({ sign, text: line.slice(1), isOpen: false });
	}
	const hunk = { old: Number(old), now: Number(now), lines: read };
	const isPlaced = (hunk.old > 0 || Number(oldCount) === 0) && (hunk.now > 0 || Number(nowCount) === 0);
	return isPlaced && read.some(({ sign }) => sign !== " ") ? { hunk, end } : undefined;
}

const SIGNS = { same: " ", removed: "-", added: "+" } as const;

/** Lines of a diff as hunks; undefined if not all of them have the number that follows from those before, or nothing changes. */
export function hunksOf(lines: Iterable<DiffLine>): readonly PatchHunk[] | undefined {
	const hunks: PatchHunk[] = [];
	let read: PatchLine[] = [];
	/** Numbers of the next line in both files, and of the first one of the hunk. */
	let [old, now] = [1, 1];
	let start = { old, now };
	const end = (): void => {
		const has = (sign: Sign): boolean => read.some((line) => line.sign === " " || line.sign === sign);
		const begin = { old: start.old - (has("-") ? 0 : 1), now: start.now - (has("+") ? 0 : 1) };
		if (read.some(({ sign }) => sign !== " ")) hunks.push({ ...begin, lines: read });
		read = [];
	};
	for (const { kind, before, after, text } of lines) {
		if (kind === "note") return undefined;
		if (kind === "gap") {
			end();
			continue;
		}
		if (read.length === 0) {
			const shift = now - old;
			old = before ?? (after ?? 0) - shift;
			now = old + shift;
			if (old < 1) return undefined;
			start = { old, now };
		}
		const isPlaced = (kind === "added" || before === old) && (kind === "removed" || after === now);
		if (!isPlaced) return undefined;
		if (kind !== "added") old++;
		if (kind !== "removed") now++;
		read.push({ sign: SIGNS[kind], text, isOpen: false });
	}
	end();
	return hunks.length === 0 ? undefined : hunks;
}

/** A hunk as Git reads it. `lineEnd`: of the file, if the lines do not already say so. */
export function hunkText({ old, now, lines }: PatchHunk, lineEnd: "\r\n" | "\n"): string {
	const countOf = (other: Sign): number => lines.filter(({ sign }) => sign !== other).length;
	const returns = endingOf(lines, lineEnd);
	const body = lines.map(({ sign, text, isOpen }) => {
		return isOpen ? `${sign}${text}\n\\ No newline at end of file\n` : `${sign}${text}${returns}\n`;
	});
	return `@@ -${old},${countOf("+")} +${now},${countOf("-")} @@\n${body.join("")}`;
}

/** What the lines of a hunk lack before their line feeds. */
function endingOf(lines: readonly PatchLine[], lineEnd: "\r\n" | "\n"): "\r" | "" {
	return lineEnd === "\n" || lines.some(({ text }) => text.endsWith("\r")) ? "" : "\r";
}

/** A text with the changes of hunks, whose old lines need not have its line ends; undefined if they do not fit. */
export function withHunks(text: string, hunks: readonly PatchHunk[], lineEnd: "\r\n" | "\n"): string | undefined {
	const lines = text === "" ? [] : text.split(/(?<=\n)/);
	const parts: string[] = [];
	let next = 0;
	for (const hunk of hunks) {
		const start = hunk.old - (hunk.lines.some(({ sign }) => sign !== "+") ? 1 : 0);
		if (start < next || start > lines.length) return undefined;
		for (; next < start; next++) parts.push(lines[next] ?? "");
		const returns = endingOf(hunk.lines, lineEnd);
		for (const { sign, text: changed, isOpen } of hunk.lines) {
			if (sign === "+") parts.push(isOpen ? changed : `${changed}${returns}\n`);
			else {
				const line = lines[next++];
				if (line === undefined || isOpen === line.endsWith("\n") || bare(line) !== bare(changed)) return undefined;
				if (sign === " ") parts.push(line);
			}
		}
	}
	for (; next < lines.length; next++) parts.push(lines[next] ?? "");
	// What follows a line without an end would become a part of it.
	return parts.slice(0, -1).every((line) => line.endsWith("\n")) ? parts.join("") : undefined;
}

function bare(line: string): string {
	return line.replace(/\r?\n?$/, "");
}
