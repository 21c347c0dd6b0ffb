import { compareLines } from "../conversation/render/compare-text.ts";
import { type DiffLine, parseDiff } from "../conversation/render/diff-lines.ts";
import { fileDiff } from "../conversation/render/edit-lines.ts";
import { lineKey, linesWithEnds } from "./lines.ts";

/** A hunk of a unified diff: at least one line of it is removed or added. */
export interface PatchHunk {
	/** Numbers of its first line in the old and the new file, from 1; where it has none there, that of the line before. */
	readonly old: number;
	readonly now: number;
	/** Each with its line end. */
	readonly lines: readonly PatchLine[];
}

interface PatchLine {
	readonly kind: "same" | "removed" | "added";
	readonly text: string;
}

/** One edit of a file, as a part of a patch. */
export type EditPatch =
	/** What changed where. `lineEnd`: what the call shows of the line ends of the file. */
	| { readonly of: "hunks"; readonly hunks: readonly PatchHunk[]; readonly lineEnd: "\r\n" | undefined }
	/** All of a file that was written. */
	| { readonly of: "file"; readonly text: string }
	/** The lines that it was asked to replace, whose place in the file is not known. */
	| { readonly of: "texts"; readonly lines: readonly DiffLine[] };

/** What may be before the first hunk of a file that was there before, and has the same name and mode afterwards. */
const TOP = /^(?:(?:Index: |=+(?=\r?\n)|diff --git |index |--- |\+\+\+ )[^\n]*(?:\n|$))*$/;
/** What another file begins with. */
const OTHER_FILE = /^(?:diff --git |Index: )/m;

/**
 * The hunks of the first file of a unified diff that somebody else wrote. Undefined if there are none, or one is not what its head
 * says: nothing of it is taken then.
 */
export function readHunks(patch: string): readonly PatchHunk[] | undefined {
	const start = patch.search(/^@@ /m);
	if (start === -1 || !TOP.test(patch.slice(0, start))) return undefined;
	const [body = ""] = patch
		.slice(start)
		.replace(/(?<!\n)\n+$/, "")
		.split(OTHER_FILE, 1);
	const hunks = writtenHunks(body);
	const heads = [...body.matchAll(/^@@ .*?@@/gm)].map(([head]) => head.replace(/[-+]\d+(?= )/g, "$&,1"));
	return hunks?.map(headOf).join() === heads.join() ? hunks : undefined;
}

/** The hunks of a diff in any form that somebody else wrote; undefined if its numbers are not right. */
export function writtenHunks(diff: string): readonly PatchHunk[] | undefined {
	return patchHunks(withEnds(parseDiff(diff)));
}

/** Adds line feeds to lines, but where the diff says that there is none. */
function* withEnds(lines: Iterable<DiffLine>): Generator<DiffLine, void> {
	let last: DiffLine | undefined;
	for (const line of lines) {
		const isOpen = line.kind === "note" && line.text.startsWith("\\");
		if (last !== undefined) yield isOpen ? last : { ...last, text: `${last.text}\n` };
		last = isOpen && last !== undefined ? undefined : line;
	}
	if (last !== undefined) yield { ...last, text: `${last.text}\n` };
}

/** The hunks that turn one text into the other. */
export function hunksBetween(before: string, after: string): readonly PatchHunk[] {
	return patchHunks(fileDiff(linesWithEnds(before), linesWithEnds(after), { compareLines })) ?? [];
}

/** Lines of a diff as hunks; undefined if not all of them have the number that follows from those before, or nothing changes. */
export function patchHunks(lines: Iterable<DiffLine>): readonly PatchHunk[] | undefined {
	const hunks: PatchHunk[] = [];
	let read: PatchLine[] = [];
	/** Numbers of the next line in both files, and of the first one of the hunk. */
	let [old, now] = [1, 1];
	let start = { old, now };
	const end = (): void => {
		const hasOld = read.some(({ kind }) => kind !== "added");
		const hasNew = read.some(({ kind }) => kind !== "removed");
		const begin = { old: start.old - Number(!hasOld), now: start.now - Number(!hasNew) };
		if (read.some(({ kind }) => kind !== "same")) hunks.push({ ...begin, lines: read });
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
		read.push({ kind, text });
	}
	end();
	const all = hunks.flatMap((hunk) => hunk.lines);
	// Behind a line without an end nothing can follow.
	const isEnded = (["removed", "added"] as const).every((other) =>
		all
			.filter(({ kind }) => kind !== other)
			.slice(0, -1)
			.every(({ text }) => text.endsWith("\n")),
	);
	return isEnded && all.length > 0 ? hunks : undefined;
}

const SIGNS = { same: " ", removed: "-", added: "+" } as const;

/** A hunk as Git reads it. */
export function hunkText(hunk: PatchHunk): string {
	const body = hunk.lines.map(({ kind, text }) => {
		return `${SIGNS[kind]}${text}${text.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"}`;
	});
	return `${headOf(hunk)}\n${body.join("")}`;
}

function headOf({ old, now, lines }: PatchHunk): string {
	const countOf = (other: PatchLine["kind"]): number => lines.filter(({ kind }) => kind !== other).length;
	return `@@ -${old},${countOf("added")} +${now},${countOf("removed")} @@`;
}

/** Hunks whose lines end as those of their file, if they do not already say so. */
export function inLineEnds(hunks: readonly PatchHunk[], lineEnd: "\r\n" | "\n"): readonly PatchHunk[] {
	return hunks.map((hunk) => {
		if (lineEnd === "\n" || hunk.lines.some(({ text }) => text.endsWith("\r\n"))) return hunk;
		return { ...hunk, lines: hunk.lines.map((line) => ({ ...line, text: line.text.replace(/\n$/, lineEnd) })) };
	});
}

/** A text with the changes of hunks, whose old lines need not have its line ends; undefined if they do not fit. */
export function withHunks(text: string, hunks: readonly PatchHunk[]): string | undefined {
	const lines = linesWithEnds(text);
	const parts: string[] = [];
	let next = 0;
	for (const hunk of hunks) {
		const start = hunk.old - (hunk.lines.some(({ kind }) => kind !== "added") ? 1 : 0);
		if (start < next || start > lines.length) return undefined;
		for (; next < start; next++) parts.push(lines[next] ?? "");
		for (const { kind, text: changed } of hunk.lines) {
			const line = kind === "added" ? changed : lines[next++];
			if (line === undefined || lineKey(line) !== lineKey(changed)) return undefined;
			if (kind !== "removed") parts.push(line);
		}
	}
	for (; next < lines.length; next++) parts.push(lines[next] ?? "");
	// What follows a line without an end would become a part of it.
	return parts.slice(0, -1).every((line) => line.endsWith("\n")) ? parts.join("") : undefined;
}
