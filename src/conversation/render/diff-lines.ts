export interface DiffLine {
	/** "gap": lines that are not shown. "note": not a line of a file, such as a file name. */
	readonly kind: "same" | "removed" | "added" | "gap" | "note";
	/** Its number in the old file, from 1, if it is known. */
	readonly before?: number | undefined;
	/** Its number in the new file. */
	readonly after?: number | undefined;
	readonly text: string;
}

/** The beginning of a diff in pi's own form: a sign and a number, or dots for omitted lines. */
const NUMBERED = /^(?:[-+ ] *\d{1,9}(?: |\r?$)| +\.\.\.\r?$)/m;
/** UTF-16 units of a line that contain its sign and number, or the numbers of a hunk. */
const HEAD = 100;

/** The lines of a diff, in pi's own form (`details.diff`) or unified, one at a time. */
export function parseDiff(diff: string): Generator<DiffLine, void> {
	const isNumbered = NUMBERED.exec(diff.slice(0, HEAD))?.index === 0;
	return isNumbered ? parseNumberedDiff(diff) : parseUnifiedDiff(diff);
}

/** Sign, number, line. An unchanged line has its old number. */
const LINE = /^([-+ ]) *(\d{1,9})(?: |$)/;
const GAP = /^ +\.\.\.$/;

/** The lines of a diff as pi writes it into the details of an edit. */
function* parseNumberedDiff(diff: string): Generator<DiffLine, void> {
	/** New minus old number of an unchanged line. */
	let shift = 0;
	/** Unchanged lines since the last gap: old versions of pi misnumbered them, and only the next change has a true number. */
	let run: DiffLine[] | undefined = [];
	/** Old number of the next line, known from the line before it: some diffs have the new number at unchanged lines. */
	let next: number | undefined;
	for (const line of eachLine(diff)) {
		const start = line.slice(0, HEAD);
		const [head = "", sign, digits] = LINE.exec(start) ?? [];
		const number = Number(digits);
		const text = line.slice(head.length);
		if (head === "") {
			yield* run ?? [];
			const isGap = GAP.test(start);
			run = isGap ? [] : undefined;
			next = undefined;
			yield isGap ? { kind: "gap", text: "" } : { kind: "note", text: line };
		} else if (sign === " ") {
			const oldNumber = next ?? number;
			next = oldNumber + 1;
			const same: DiffLine = { kind: "same", before: oldNumber, after: oldNumber + shift, text };
			if (run === undefined) yield same;
			else run.push(same);
		} else {
			const oldNumber = sign === "-" ? number : number - shift;
			yield* endingBefore(run ?? [], oldNumber);
			run = undefined;
			next = sign === "-" ? number + 1 : oldNumber;
			shift += sign === "-" ? -1 : 1;
			yield sign === "-" ? { kind: "removed", before: number, text } : { kind: "added", after: number, text };
		}
	}
	yield* run ?? [];
}

/** Unchanged lines, renumbered so that the old line `next` follows. */
function endingBefore(run: readonly DiffLine[], next: number): readonly DiffLine[] {
	const missing = next - 1 - (run.at(-1)?.before ?? next - 1);
	if (missing === 0) return run;
	return run.map((line) => ({ ...line, before: (line.before ?? 0) + missing, after: (line.after ?? 0) + missing }));
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d*))? \+(\d{1,9})(?:,(\d*))? @@ ?/;
/** Separates files. */
const FILE = /^(?:diff --git |Index: )/;
/** UTF-16 units of a diff that contain its first hunk. */
const MAX_HEADER = 4096;

/**
 * The lines of a unified diff. The lengths of hunks only say whether a hunk may end: models often get them wrong. The name of the first
 * file is left out, since it is shown above the diff.
 */
function* parseUnifiedDiff(diff: string): Generator<DiffLine, void> {
	const lines = new UnifiedReader(!/^@@ -\d/m.test(diff.slice(0, MAX_HEADER)));
	let number = 0;
	let previous: string | undefined;
	for (const line of eachLine(diff)) {
		number++;
		const isName = previous?.startsWith("--- ") === true && line.startsWith("+++ ") && !lines.isInside;
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
class UnifiedReader {
	#isInHunk: boolean;
	/** Numbers of the next line; undefined before the first hunk. */
	#before: number | undefined;
	#after: number | undefined;
	#isFirstHunk = true;
	/** Numbers at which the hunk ends, by what its head says. */
	#ends = { before: 0, after: 0 };

	/** `hasNoHunks`: the diff has only lines with signs. */
	constructor(hasNoHunks: boolean) {
		this.#isInHunk = hasNoHunks;
	}

	/** Whether the hunk lacks both old and new lines. */
	get isInside(): boolean {
		return this.#isInHunk && (this.#before ?? 0) < this.#ends.before && (this.#after ?? 0) < this.#ends.after;
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
		if (line.startsWith("-")) return yield { kind: "removed", before: this.#nextBefore(), text };
		if (line.startsWith("+")) return yield { kind: "added", after: this.#nextAfter(), text };
		const numbers = { before: this.#nextBefore(), after: this.#nextAfter() };
		yield { kind: "same", ...numbers, text: line.startsWith(" ") ? text : line };
	}

	*#beginHunk(hunk: RegExpExecArray, line: string): Generator<DiffLine, void> {
		const section = line.slice(hunk[0].length);
		const [, before, oldCount = 1, after, newCount = 1] = hunk;
		this.#before = Number(before);
		this.#after = Number(after);
		this.#ends = { before: this.#before + Number(oldCount), after: this.#after + Number(newCount) };
		this.#isInHunk = true;
		const leavesOut = !this.#isFirstHunk || this.#before > 1 || section !== "";
		this.#isFirstHunk = false;
		if (leavesOut) yield { kind: "gap", text: section };
	}

	#nextBefore(): number | undefined {
		return this.#before === undefined ? undefined : this.#before++;
	}

	#nextAfter(): number | undefined {
		return this.#after === undefined ? undefined : this.#after++;
	}
}

function note(text: string): DiffLine {
	return { kind: "note", text };
}

/** The lines of a text, one at a time, without line ends and without an empty line behind the last one. */
export function* eachLine(text: string): Generator<string, void> {
	for (let from = 0; from < text.length; ) {
		const lineEnd = text.indexOf("\n", from);
		const end = lineEnd === -1 ? text.length : lineEnd;
		yield text.slice(from, end > from && text[end - 1] === "\r" ? end - 1 : end);
		from = end + 1;
	}
}
