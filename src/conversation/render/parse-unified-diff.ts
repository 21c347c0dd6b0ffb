import type { DiffLine } from "./diff-lines.ts";
import { eachLine } from "./each-line.ts";

const HUNK = /^@@ -(\d{1,9})(?:,\d*)? \+(\d{1,9})(?:,\d*)? @@ ?/;
/** Separates files. */
const FILE = /^(?:diff --git |Index: )/;
/** UTF-16 units of a line that contain the numbers of a hunk, and of a diff that contain its first hunk. */
const HEAD = 100;
const MAX_HEADER = 4096;

/**
 * The lines of a unified diff. The lengths of hunks are ignored: models often get them wrong. The name of the first file is
 * left out, since it is shown above the diff.
 */
export function* parseUnifiedDiff(diff: string): Generator<DiffLine, void> {
	const lines = new LineReader(!/^@@ -\d/m.test(diff.slice(0, MAX_HEADER)));
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

/** Reads lines one by one and numbers them. */
class LineReader {
	#isInHunk: boolean;
	/** Numbers of the next line; undefined before the first hunk. */
	#before: number | undefined;
	#after: number | undefined;
	#isFirstHunk = true;

	/** `hasNoHunks`: the diff has only lines with signs. */
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
