import { fieldsOf, textOf } from "../conversation/entries/fields.ts";
import { parseDiff } from "../conversation/render/diff-lines.ts";
import { eachLine } from "../conversation/render/each-line.ts";
import type { Replacement } from "../store/format/tool-change.ts";
import type { FileEdit } from "./edit-collector.ts";

/** What an edit did to the lines of its file. Lines are without their ends. */
export interface LineEvents {
	/** Lines that were added one below the other; of a `write`, all that it wrote, also what was there before. */
	readonly runs: readonly (readonly string[])[];
	/** The same, as a set: without what was only moved. */
	readonly adds: ReadonlySet<string>;
	/** Lines that were taken out; of a `write` these are all that it did not write. */
	readonly removes: ReadonlySet<string>;
	/** Texts that were put into lines of which the rest is not known. */
	readonly pieces: readonly string[];
	/** All of the file was written: a line may have been in it before. */
	readonly isWhole: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** What an edit did to lines: as pi's own diff says, else as far as the texts that it was given say. */
export function lineEvents({ change, details }: FileEdit): LineEvents {
	if (change.tool === "write") {
		const lines = [...eachLine(change.content.replace(/^\uFEFF/, ""))];
		return { runs: [lines], adds: new Set(lines), removes: NONE, pieces: [], isWhole: true };
	}
	const { diff, patch } = fieldsOf(details);
	const told = textOf(diff) || textOf(patch);
	return told === "" ? eventsOfTexts(change.edits) : eventsOfDiff(told);
}

/** Whether an edit took a line out that was there. */
export function removesLine({ adds, removes, isWhole }: LineEvents, line: string): boolean {
	return isWhole ? !adds.has(line) : removes.has(line);
}

function eventsOfDiff(diff: string): LineEvents {
	const counts = new Map<string, number>();
	const runs: string[][] = [];
	let run: string[] | undefined;
	for (const { kind, text } of parseDiff(diff)) {
		if (kind === "added") {
			if (run === undefined) {
				run = [];
				runs.push(run);
			}
			run.push(text);
		} else run = undefined;
		if (kind === "added" || kind === "removed") counts.set(text, (counts.get(text) ?? 0) + (kind === "added" ? 1 : -1));
	}
	return { runs, ...signsOf(counts), pieces: [], isWhole: false };
}

/** What stands at the ends of a text may be a part of a line. */
function eventsOfTexts(edits: readonly Replacement[]): LineEvents {
	const counts = new Map<string, number>();
	const runs: (readonly string[])[] = [];
	const pieces: string[] = [];
	for (const { oldText, newText } of edits) {
		const [before, after] = [oldText.split(/\r\n?|\n/), newText.split(/\r\n?|\n/)];
		runs.push(...newRuns(after.slice(1, -1), new Set(before)));
		for (const line of before.slice(1, -1)) counts.set(line, (counts.get(line) ?? 0) - 1);
		for (const line of after.slice(1, -1)) counts.set(line, (counts.get(line) ?? 0) + 1);
		const ends = new Set([before[0], before.at(-1)]);
		pieces.push(...[after[0] ?? "", after.at(-1) ?? ""].filter((piece) => !ends.has(piece)));
	}
	return { runs, ...signsOf(counts), pieces, isWhole: false };
}

/** Lines that follow one another and were not in the text before: which of two lines of the same text is the old one, is not known. */
function newRuns(lines: readonly string[], before: ReadonlySet<string>): readonly (readonly string[])[] {
	const runs: string[][] = [[]];
	for (const line of lines) {
		if (before.has(line)) runs.push([]);
		else runs.at(-1)?.push(line);
	}
	return runs.filter(({ length }) => length > 0);
}

function signsOf(counts: ReadonlyMap<string, number>): Pick<LineEvents, "adds" | "removes"> {
	const which = (sign: number) => [...counts].filter(([, count]) => Math.sign(count) === sign).map(([line]) => line);
	return { adds: new Set(which(1)), removes: new Set(which(-1)) };
}
