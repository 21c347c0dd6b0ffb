import { homedir } from "node:os";
import { statsAll } from "../../catalog/list-all.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { periodOf } from "../../catalog/query/dates.ts";
import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import { localDay } from "../../catalog/stats/usage.ts";
import { statsText } from "../../conversation/statistics/draw-table.ts";
import { costlyTitles } from "../../conversation/statistics/stats-tables.ts";
import { resolvePath } from "../../shared/paths.ts";
import { columnsOf } from "../../terminal/terminal.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { isFileTyped, namedSession } from "../browser/opening.ts";
import { withoutEntry } from "../find/find-target.ts";
import { queriedPaths } from "../find/queried-paths.ts";
import { rowFilter } from "../find/row-filter.ts";
import { Sessions } from "../find/sessions.ts";
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
	const chosen = await chosenSessions(args, onProblems);
	const isSelected = rowFilter(args, Date.now());
	let rows: ReadonlyMap<string, SessionRow> = new Map();
	const onRows = (all: typeof rows): void => {
		rows = all;
	};
	const on = daysOf(args);
	const sumUp = () =>
		statsAll({
			...{ sessionDir, blocking: true, onProblems, onCounting, onRows, on },
			wholeFamilies: chosen?.isQuery,
			isAsked: (row) => isSelected(row) && chosen?.paths.has(row.path) !== false,
		});
	const sum = await (args.place === undefined
		? withProgressNote(sumUp(), () => text)
		: statsOfPlaces(args, on, onRows, onProblems));
	const lines = statsText(sum, homedir(), costlyTitles(sum, rows), columnsOf(process.stdout));
	await (json ? printJsonText(jsonText(sum, "\t")) : printLines(lines));
	printProblems(lastProblems());
	const missing = sum.sessions - sum.counted;
	if (missing > 0)
		note(`${formatCounted(missing, "session")} could not be counted; the sums lack their tokens and costs`);
	return 0;
}

/** The sessions that are named, or that the query finds as typed; undefined without words. */
async function chosenSessions(
	args: Arguments,
	onProblems: ReturnType<typeof keepProblems>["onProblems"],
): Promise<{ readonly paths: ReadonlySet<string>; readonly isQuery: boolean } | undefined> {
	const { words, place } = args;
	if (words.length === 0) return undefined;
	if (place !== undefined)
		throw new Mistake("--place sums up all sessions of a place: leave out the SESSIONs or the query");
	const paths = await namedPaths(args);
	if (paths !== undefined) return { paths, isQuery: false };
	return { paths: await queriedPaths(args, onProblems), isQuery: true };
}

/** The files of the sessions that the words name; undefined if one of them names none. */
async function namedPaths(args: Arguments): Promise<ReadonlySet<string> | undefined> {
	const sessions = Sessions.of(args);
	const paths = new Set<string>();
	for (const word of args.words) {
		// A path is not looked for: another pi-grove names thousands of them.
		const target = isFileTyped(word) ? { path: resolvePath(word) } : await namedSession(word, sessions, true);
		if (target === undefined) return undefined;
		paths.add(withoutEntry(word, target).path);
	}
	return paths;
}

/** `--on` as the beginning of the days: "2026-11-27", "2026-11" or "2026"; "" without it. */
function daysOf({ on }: Arguments): string {
	const period = on === undefined ? undefined : periodOf(on, Date.now());
	if (period === undefined) return "";
	const days = localDay(period.from);
	// A day, a month or a year is the longest beginning that all of its days have in common, and no other day.
	const start = [days, days.slice(0, 7), days.slice(0, 4)].find((some) => {
		const isIn = (ms: number): boolean => localDay(ms).startsWith(some);
		return isIn(period.to - 1) && !isIn(period.from - 1) && !isIn(period.to);
	});
	if (start === undefined) throw new Mistake(`--on takes a day, a month or a year, not ${on}`);
	return start;
}

/** The sums of `--place`; what talks to other machines is loaded for that alone. */
async function statsOfPlaces(
	args: Arguments,
	on: string,
	onRows: (rows: ReadonlyMap<string, SessionRow>) => void,
	onProblems: ReturnType<typeof keepProblems>["onProblems"],
): Promise<CatalogStats> {
	const { sum, rows, problems } = await (await import("../find/placed-sessions.ts")).statsOfPlaces(args, on);
	onRows(rows);
	onProblems(problems);
	return sum;
}
