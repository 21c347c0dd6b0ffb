import type { DiffLine } from "./diff-lines.ts";
import { eachLine } from "./each-line.ts";

/** Sign, number, line. An unchanged line has its old number. */
const LINE = /^([-+ ]) *(\d{1,9})(?: |$)/;
const GAP = /^ +\.\.\.$/;
/** UTF-16 units of a line that contain its sign and number. */
const HEAD = 100;

/** The lines of a diff as pi writes it into the details of an edit. */
export function* parseNumberedDiff(diff: string): Generator<DiffLine, void> {
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
			yield { kind: isGap ? "gap" : "note", before: undefined, after: undefined, text: isGap ? "" : line };
		} else if (sign === " ") {
			const before = next ?? number;
			next = before + 1;
			const same: DiffLine = { kind: "same", before, after: before + shift, text };
			if (run === undefined) yield same;
			else run.push(same);
		} else {
			const before = sign === "-" ? number : number - shift;
			yield* endingBefore(run ?? [], before);
			run = undefined;
			next = sign === "-" ? number + 1 : (next ?? before);
			shift += sign === "-" ? -1 : 1;
			yield sign === "-"
				? { kind: "removed", before: number, after: undefined, text }
				: { kind: "added", before: undefined, after: number, text };
		}
	}
	yield* run ?? [];
}

/** Unchanged lines, renumbered so that the old line `next` follows. */
function endingBefore(run: readonly DiffLine[], next: number): readonly DiffLine[] {
	const missing = next - 1 - (run.at(-1)?.before ?? next - 1);
	if (missing === 0) return run;
	return run.map((line) => ({ ...line, before: plus(line.before, missing), after: plus(line.after, missing) }));
}

function plus(number: number | undefined, more: number): number | undefined {
	return number === undefined ? undefined : number + more;
}
