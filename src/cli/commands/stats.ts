import { homedir } from "node:os";
import { statsAll } from "../../catalog/list-all.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import { statsText } from "../../conversation/statistics/draw-table.ts";
import { resolvePath } from "../../store/files/paths.ts";
import { columnsOf } from "../../terminal/terminal.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { isPath } from "../find/find-session.ts";
import { findWhole } from "../find/find-target.ts";
import { rowFilter } from "../find/row-filter.ts";
import { jsonText } from "../print/json.ts";
import {
	keepProblems,
	Mistake,
	note,
	printJsonText,
	printLines,
	printProblems,
	withProgressNote,
} from "../print/output.ts";

/** Prints cost and size of all sessions, or of those that the options select, on stdout, problems on stderr; returns the exit code. */
export async function stats(args: Arguments): Promise<number> {
	const { sessionDir, json } = args;
	const { onProblems, lastProblems } = keepProblems();
	let text = "Counting …";
	const onCounting = (counted: number, total: number): void => {
		text = `Counting: ${formatCount(counted)} of ${formatCounted(total, "session")} …`;
	};
	const sumUp = (isAsked: (row: SessionRow) => boolean) =>
		statsAll({ sessionDir, blocking: true, onProblems, onCounting, isAsked });
	const isNamed = await namedTest(args);
	const isAsked = rowFilter(args, Date.now());
	const sum = await (args.place === undefined
		? withProgressNote(
				sumUp((row) => isAsked(row) && isNamed(row)),
				() => text,
			)
		: statsOfPlaces(args, onProblems));
	const lines = statsText(sum, homedir(), columnsOf(process.stdout));
	await (json ? printJsonText(jsonText(sum, "\t")) : printLines(lines));
	printProblems(lastProblems());
	const missing = sum.sessions - sum.counted;
	if (missing > 0)
		note(`${formatCounted(missing, "session")} could not be counted; the sums lack their tokens and costs`);
	return 0;
}

/** Whether the words name a session; without words all sessions are meant. */
async function namedTest(args: Arguments): Promise<(row: SessionRow) => boolean> {
	const { words, place } = args;
	if (words.length === 0) return () => true;
	if (place !== undefined) throw new Mistake("--place sums up all sessions of a place: leave out the SESSIONs");
	const paths = new Set<string>();
	for (const word of words) {
		// A path is not looked for: another pi-grove names thousands of them.
		paths.add(isPath(word) ? resolvePath(word) : (await findWhole(word, args)).path);
	}
	return ({ path }) => paths.has(path);
}

/** The sums of `--place`; what talks to other machines is loaded for that alone. */
async function statsOfPlaces(
	args: Arguments,
	onProblems: ReturnType<typeof keepProblems>["onProblems"],
): Promise<CatalogStats> {
	const { sum, problems } = await (await import("../find/placed-sessions.ts")).statsOfPlaces(args);
	onProblems(problems);
	return sum;
}
