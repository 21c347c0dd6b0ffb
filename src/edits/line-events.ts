import { eachLine, parseDiff } from "../conversation/render/diff-lines.ts";
import { fieldsOf, textOf } from "../store/format/fields.ts";
import type { Replacement } from "../store/format/tool-change.ts";
import type { FileEdit } from "./edit-collector.ts";

/** What an edit did to the lines of its file. Lines are without line ends. */
export interface LineEvents {
	/** Successive lines that were added; of a `write`, all lines that it wrote, even if they were there before. */
	readonly runs: readonly (readonly string[])[];
	/** The added lines as a set, without lines that were only moved. */
	readonly adds: ReadonlySet<string>;
	/** The removed lines. Empty for a `write`, which removes all lines that it does not write (`removesLine`). */
	readonly removes: ReadonlySet<string>;
	/** Texts that were put into lines whose rest is not known. */
	readonly pieces: readonly string[];
	/** Whether the whole file was written, so that any of the lines may have been in it before. */
	readonly isWhole: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** The line events of an edit, from pi's own diff, else from the texts of the call. */
export function lineEvents({ change, details }: FileEdit): LineEvents {
	if (change.tool === "write") {
		const lines = [...eachLine(change.content.replace(/^\uFEFF/, ""))];
		return { runs: [lines], adds: new Set(lines), removes: NONE, pieces: [], isWhole: true };
	}
	const { diff, patch } = fieldsOf(details);
	const diffText = textOf(diff) || textOf(patch);
	return diffText === "" ? eventsOfTexts(change.edits) : eventsOfDiff(diffText);
}

/** Whether an edit removes a line, if it is there. */
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

/** The first and the last line of a text may be parts of lines. */
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

/** Runs of lines that were not in the old text. Of two equal lines it is not known which one is old. */
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
