import type { DiffLine } from "./diff-lines.ts";
import { eachLine } from "./each-line.ts";

/** Sign, number, line. A line in common has the number that it had before. */
const LINE = /^([-+ ]) *(\d{1,9})(?: |$)/;
const GAP = /^ +\.\.\.$/;
/** UTF-16 units of a line in which its sign and number are. */
const HEAD = 100;

/** The lines of a diff as pi writes it into the details of an edit. */
export function* parseNumberedDiff(diff: string): Generator<DiffLine, void> {
	/** What a line's number has gained so far. */
	let shift = 0;
	/** Lines in common since the last gap: pi once numbered them anew there, and only what follows tells the true number. */
	let run: DiffLine[] | undefined = [];
	/** The old number of the next line, where one before it tells: some diffs have the new number at lines in common. */
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

/** Lines in common with the numbers that they have when the line `next` of the old file follows. */
function endingBefore(run: readonly DiffLine[], next: number): readonly DiffLine[] {
	const missing = next - 1 - (run.at(-1)?.before ?? next - 1);
	if (missing === 0) return run;
	return run.map((line) => ({ ...line, before: plus(line.before, missing), after: plus(line.after, missing) }));
}

function plus(number: number | undefined, more: number): number | undefined {
	return number === undefined ? undefined : number + more;
}
