import { pbkdf2 } from "node:crypto";
import { appendFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { BETWEEN_MS, Watch } from "../../../src/catalog/sync/watch.ts";
import { header, lines } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";
import { Changes, until } from "../../support/wait.ts";

test("while many files change one after the other they are reported in batches, and none is left out", async () => {
	const folder = tempAgentDir();
	const first = folder.write("--a--/first.jsonl", lines(header()));
	const changes = new Changes();
	const told = new Set<string>();
	let isReady = false;
	let lots = 0;
	const watch = new Watch({
		sessionRoots: folder.sessionRoots,
		isListed: () => false,
		onFiles(paths) {
			// The same ones are reported once more, a little later.
			if (paths.some((path) => !told.has(path))) lots += 1;
			for (const path of paths) told.add(path);
			changes.notify();
		},
		onOther() {
			isReady = true;
			changes.notify();
		},
		onProblems: () => undefined,
	});
	onTestFinished(() => watch.close());
	await watch.start([first]);
	await until("the watch to be ready", { subscribe: changes.subscribe, state: () => isReady }, () => isReady);
	const written = new Set<string>();
	const began = performance.now();
	while (performance.now() - began < 5 * BETWEEN_MS) {
		written.add(folder.write(`--a--/${written.size}.jsonl`, lines(header())));
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	await until("all of them", { subscribe: changes.subscribe, state: () => told }, () => written.isSubsetOf(told));
	expect(lots).toBeLessThanOrEqual(2 + (performance.now() - began) / BETWEEN_MS);
});

/** A watch of some sessions, and what it reports. */
async function watching(folder: ReturnType<typeof tempAgentDir>, paths: readonly string[]) {
	const changes = new Changes();
	const told = new Set<string>();
	let comparisons = 0;
	const watch = new Watch({
		sessionRoots: folder.sessionRoots,
		isListed: () => false,
		onFiles(files) {
			for (const path of files) told.add(path);
			changes.notify();
		},
		onOther() {
			comparisons += 1;
			// As after each comparison.
			watch.watchVisible(paths);
			changes.notify();
		},
		onProblems: () => undefined,
	});
	onTestFinished(() => watch.close());
	await watch.start(paths);
	const observed = { subscribe: changes.subscribe, state: () => ({ told: [...told], comparisons }) };
	return {
		watch,
		told,
		comparisons: () => comparisons,
		until: (what: string, condition: () => boolean) => until(what, observed, condition),
	};
}

/** Longer than a comparison that does not wait for the watch would. */
const BUSY = { tasks: 8, iterations: 250_000 };

test("a session that appears while the watch of its directory starts is found by a comparison, however long that takes", async () => {
	const folder = tempAgentDir();
	const first = folder.write("--a--/first.jsonl", lines(header()));
	const seen = await watching(folder, [first]);
	await seen.until("the watch to be ready", () => seen.comparisons() > 0);
	const other = folder.write("--b--/other.jsonl", lines(header()));
	await seen.until("the new directory", () => seen.comparisons() > 1);
	// All threads that read directories are busy.
	const busy = Array.from({ length: BUSY.tasks }, () => promisify(pbkdf2)("", "", BUSY.iterations, 64, "sha512"));
	const another = folder.write("--c--/another.jsonl", lines(header()));
	seen.watch.watchVisible([first, other, another]);
	await Promise.race(busy);
	const before = seen.comparisons();
	const late = folder.write("--c--/late.jsonl", lines(header()));
	await Promise.all(busy);
	await seen.until("the late one", () => seen.told.has(late) || seen.comparisons() > before);
});

test("a directory that was deleted is watched when it is there again, and so is what is below", async () => {
	const folder = tempAgentDir();
	const parent = folder.write("--a--/parent.jsonl", lines(header()));
	const run = folder.write("--a--/parent/r/run-0/session.jsonl", lines(header()));
	const seen = await watching(folder, [parent, run]);
	await seen.until("the watch to be ready", () => seen.comparisons() > 0);
	const family = join(folder.root, "--a--/parent");
	for (let turn = 0; turn < 2; turn++) {
		let before = seen.comparisons();
		renameSync(family, join(folder.base, "trash"));
		await seen.until("it to be gone", () => seen.comparisons() > before);
		before = seen.comparisons();
		renameSync(join(folder.base, "trash"), family);
		await seen.until("it to be back", () => seen.comparisons() > before);
	}
	// What is appended while the watch starts is found by a comparison; the watch itself tells of the rest.
	for (let told = 0; told < 3; told += seen.told.delete(run) ? 1 : 0) {
		const before = seen.comparisons();
		appendFileSync(run, "more\n");
		await seen.until("it to grow", () => seen.told.has(run) || seen.comparisons() > before);
	}
});

test("more directories than are watched do not take turns", async () => {
	const folder = tempAgentDir();
	const paths = Array.from({ length: 100 }, (_, at) => folder.write(`--${at}--/x.jsonl`, lines(header())));
	const seen = await watching(folder, paths);
	await seen.until("the watch to be ready", () => seen.comparisons() > 0);
	const last = paths.at(-1) ?? "";
	for (let turn = 0; turn < 3; turn++) {
		seen.told.clear();
		seen.watch.watchVisible(paths);
		appendFileSync(last, "more\n");
		await seen.until("the last one", () => seen.told.has(last));
	}
	expect(seen.comparisons()).toBeLessThan(20);
});
