import { onTestFinished } from "vitest";
import { hashesFromBlob } from "../../src/catalog/index/hashes.ts";
import { openIndex } from "../../src/catalog/index/open-index.ts";
import { IndexTable } from "../../src/catalog/index/session-table.ts";
import type { SessionRow } from "../../src/catalog/model/row.ts";
import { locatedRows } from "../../src/catalog/model/run-place.ts";
import { runsIn } from "../../src/catalog/model/session-links.ts";
import type { SessionRoots } from "../../src/catalog/model/session-roots.ts";
import { NOT_SCANNED, scanFile } from "../../src/catalog/scan/scan-file.ts";
import { aggregateStats } from "../../src/catalog/stats/aggregate-stats.ts";
import { familyCosts } from "../../src/catalog/stats/family-cost.ts";
import { NumbersPass, type NumbersPassOptions } from "../../src/catalog/stats/numbers-pass.ts";
import { countedNumbers, NumbersTable, numbersToJson } from "../../src/catalog/stats/numbers-table.ts";
import type { SessionNumbers } from "../../src/catalog/stats/session-numbers.ts";
import { NamedRuns } from "../../src/catalog/sync/named-runs.ts";
import { TimeSlice } from "../../src/shared/steps.ts";
import type { Diagnostic } from "../../src/store/format/diagnostic.ts";

/** An index whose sessions are listed and counted on demand, without a thread. Closed after the test. */
export async function openCounting(root: string, cache: string) {
	const { db } = await openIndex(cache);
	onTestFinished(() => db.close());
	const sessions = new IndexTable(db, root);
	const table = new NumbersTable(db, root);
	const diagnostics = new Map<string, readonly Diagnostic[]>();
	const idOf = (path: string): number => sessions.files().get(path)?.id ?? -1;
	const pass = (options: Partial<NumbersPassOptions> = {}): NumbersPass =>
		new NumbersPass({
			db,
			root,
			timeSlice: new TimeSlice(),
			onChecked: ({ path }, found) => diagnostics.set(path, found),
			onCounts: () => undefined,
			onDue: () => undefined,
			onProgress: () => undefined,
			onProblem: (_, error) => {
				throw error;
			},
			onDone: () => undefined,
			...options,
		});
	return {
		db,
		pass,
		/** The oddities of the files whose every line was parsed, by path. */
		diagnostics,
		/** Scans the files and stores their rows, as the list does with those that have just appeared. */
		list(...paths: string[]): void {
			const known = sessions.files();
			const earlier = (path: string) => sessions.stateOf(known.get(path)?.id ?? -1);
			const scans = paths.map((path) => ({ path, ...scanFile(path, earlier(path) ?? NOT_SCANNED) }));
			sessions.store(scans.map(({ state, ...scan }) => ({ ...scan, state: state ?? unreadable(scan.path) })));
		},
		/** Counts what is not counted yet, as a program does when it starts. */
		async count(): Promise<void> {
			const started = pass();
			await started.run();
			await started.close();
		},
		remove: (path: string) => sessions.remove([idOf(path)]),
		/** The stored numbers of a session. */
		numbers(path: string) {
			const numbers = countedNumbers(db, root).get(path);
			if (!numbers) throw new Error(`${path} is not counted`);
			const { own, others } = db.prepare("SELECT own, others FROM session WHERE path = ?").get(path) ?? {};
			return { numbers, own: hashesFromBlob(own).toSorted(), others: hashesFromBlob(others).toSorted() };
		},
		/** Adds a labeled entry "marked" to what was counted; it is lost when the session is counted from its start. */
		mark(path: string): void {
			const { numbers } = this.numbers(path);
			const marked = numbersToJson({ ...numbers, labeled: new Set([...numbers.labeled, "marked"]) });
			db.prepare("UPDATE session SET numbers = ? WHERE path = ?").run(marked, path);
		},
		/** Changes the index directly. */
		alter: (sql: string, ...values: string[]) => db.prepare(sql).run(...values),
		/** The paths of the sessions still to be counted. */
		pending: () => table.pending().map(({ path }) => path),
	};
}

/** The same with the families of the sessions that are listed and counted. */
export async function openFamilies(root: string, cache: string, sessionRoots: SessionRoots) {
	const counting = await openCounting(root, cache);
	const rows = new Map<string, SessionRow>();
	const named = new NamedRuns();
	const counts = (path: string) => counting.numbers(path).numbers.counts;
	return {
		counts,
		async count(...paths: string[]): Promise<void> {
			counting.list(...paths);
			await counting.count();
			for (const path of paths) rows.set(path, scanFile(path, NOT_SCANNED).row);
			const located = named.marked(locatedRows([...rows.values()], sessionRoots));
			const learned = named.learn([...rows.keys()].map((path) => [path, counts(path)] as const));
			for (const row of [...located, ...learned.rows]) rows.set(row.path, row);
		},
		remove(path: string): void {
			counting.remove(path);
			rows.delete(path);
		},
		/** What a session has cost with its runs. */
		costOf(path: string) {
			const runs = runsIn([...rows.values()]);
			return familyCosts(path, { runsOf: (at) => runs.get(at) ?? [], countsOf: counts }).get(path);
		},
		/** Sums over all of them. */
		stats() {
			const all = [...rows.values()];
			return aggregateStats(all, countedNumbers(counting.db, root), runsIn(all));
		},
	};
}

function unreadable(path: string): never {
	throw new Error(`${path} cannot be read`);
}

/** What a session has spent on one day with the model of the builders. */
export function spendingOn({ spending }: SessionNumbers, on: string) {
	return spending.find(({ model, day }) => model === "claude-sonnet-4-5" && day === on);
}
