import type { DiffLine } from "./diff-lines.ts";
import { eachLine } from "./each-line.ts";

const HUNK = /^@@ -(\d{1,9})(?:,\d*)? \+(\d{1,9})(?:,\d*)? @@ ?/;
/** What stands between files. */
const FILE = /^(?:diff --git |Index: )/;
/** UTF-16 units of a line in which the numbers of a hunk are, and of a diff in which its first hunk begins. */
const HEAD = 100;
const LONGEST_HEADER = 4096;

/**
 * The lines of a unified diff. How many lines a hunk says to have is not looked at: where a model wrote it, that is often
 * wrong. The name of the first file is left out: who shows the diff has said it.
 */
export function* parseUnifiedDiff(diff: string): Generator<DiffLine, void> {
	const lines = new LineReader(!/^@@ -\d/m.test(diff.slice(0, LONGEST_HEADER)));
	let number = 0;
	let previous: string | undefined;
	for (const line of eachLine(diff)) {
		number++;
		const isName = previous?.startsWith("--- ") === true && line.startsWith("+++ ");
		if (isName) {
			lines.endHunk();
			if (number > 2) yield* [note(previous ?? ""), note(line)];
			previous = undefined;
		} else {
			if (previous !== undefined) yield* lines.read(previous);
			previous = line;
		}
	}
	if (previous !== undefined) yield* lines.read(previous);
}

/** Reads lines one by one and counts them. */
class LineReader {
	#isInHunk: boolean;
	/** Numbers of the next line; unknown before the first hunk. */
	#before: number | undefined;
	#after: number | undefined;
	#isFirstHunk = true;

	/** `hasNoHunks`: there are only lines with signs. */
	constructor(hasNoHunks: boolean) {
		this.#isInHunk = hasNoHunks;
	}

	endHunk(): void {
		this.#isInHunk = false;
	}

	*read(line: string): Generator<DiffLine, void> {
		const start = line.slice(0, HEAD);
		const hunk = HUNK.exec(start);
		if (hunk !== null) return yield* this.#beginHunk(hunk, line);
		if (FILE.test(start)) this.#isInHunk = false;
		if (!this.#isInHunk || line.startsWith("\\")) return yield note(line);
		const text = line.slice(1);
		if (line.startsWith("-")) return yield { kind: "removed", before: this.#nextBefore(), after: undefined, text };
		if (line.startsWith("+")) return yield { kind: "added", before: undefined, after: this.#nextAfter(), text };
		const before = this.#nextBefore();
		yield { kind: "same", before, after: this.#nextAfter(), text: line.startsWith(" ") ? text : line };
	}

	*#beginHunk(hunk: RegExpExecArray, line: string): Generator<DiffLine, void> {
		const section = line.slice(hunk[0].length);
		this.#before = Number(hunk[1]);
		this.#after = Number(hunk[2]);
		this.#isInHunk = true;
		const leavesOut = !this.#isFirstHunk || this.#before > 1 || section !== "";
		this.#isFirstHunk = false;
		if (leavesOut) yield { kind: "gap", before: undefined, after: undefined, text: section };
	}

	#nextBefore(): number | undefined {
		return this.#before === undefined ? undefined : this.#before++;
	}

	#nextAfter(): number | undefined {
		return this.#after === undefined ? undefined : this.#after++;
	}
}

function note(text: string): DiffLine {
	return { kind: "note", before: undefined, after: undefined, text };
}
