import { EventEmitter, once } from "node:events";
import { statSync, utimesSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { indexPath } from "../../../src/catalog/index/open-index.ts";
import { listAll } from "../../../src/catalog/list-all.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { scanStampOf } from "../../../src/catalog/scan/scan-stamp.ts";
import type { FileScan } from "../../../src/catalog/sync/known-files.ts";
import { startScanThread } from "../../../src/catalog/sync/protocol.ts";
import { MIN_BYTES } from "../../../src/catalog/sync/scanner.ts";
import { SharedReading } from "../../../src/catalog/sync/shared-reading.ts";
import { assistant, header, lines, toolResult, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** Sessions of a few bytes more than these each, the newest first. */
function write(folder: ReturnType<typeof tempAgentDir>, sizes: readonly number[]): { path: string }[] {
	return sizes.map((size, index) => {
		const output = toolResult("u2", "u1", 2, "x".repeat(size));
		const text = lines(header(), user("u1", null, 1, `session ${index}`), output, assistant("u3", "u2", 3, "done"));
		const path = folder.write(`--p${index % 3}--/${index}.jsonl`, text);
		utimesSync(path, 2e9 - index, 2e9 - index);
		return { path };
	});
}

test("a large first listing reports the newest sessions first and each of them once, and so does the next start", async () => {
	const folder = tempAgentDir();
	// Much of it is for a second thread.
	const files = write(folder, [...Array(45).fill(100_000), ...Array(5).fill(MIN_BYTES / 4)]);
	const told: string[] = [];
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		numbers: false,
		processes: false,
	});
	catalog.start((event) => {
		if (event.type === "rows") told.push(...event.rows.map((row) => row.path));
	});
	await catalog.listed();
	await catalog.close();
	expect(told.slice(0, 15)).toEqual(files.slice(0, 15).map(({ path }) => path));
	expect(told.toSorted()).toEqual(files.map(({ path }) => path).sort());
	const rows = await listAll({ env: folder.env, cacheDir: folder.cache });
	expect(rows.map((row) => row.firstMessage).sort()).toEqual(files.map((_, index) => `session ${index}`).sort());
	expect(rows.every((row) => row.messageCount === 3)).toBe(true);
});

describe("new files that two threads read", () => {
	const made = () => {
		const folder = tempAgentDir();
		const files = write(folder, Array(50).fill(1000)).map(({ path }) => ({ path, ...scanStampOf(statSync(path)) }));
		const paths = files.map(({ path }) => path);
		return { folder, files, own: paths.slice(0, 40), others: paths.slice(40) };
	};

	test("come to the same as if one had read them, and the newest are left to this thread", async () => {
		const { folder, files, own, others } = made();
		const { sessionRoots, cache: cacheDir } = folder;
		const data = { sessionRoots, cacheDir, stateDir: cacheDir, here: false };
		const scans: FileScan[] = [];
		const other = startScanThread({ ...data, watch: false, processes: false, numbers: false });
		const shared = new SharedReading(files, other, (some) => scans.push(...some));
		expect(await shared.unread()).toEqual([]);
		const ended = once(other, "exit");
		shared.end();
		await ended;
		expect(own.every((path) => shared.take(path)) && !others.some((path) => shared.take(path))).toBe(true);
		const byPath = (a: FileScan, b: FileScan): number => (a.path < b.path ? -1 : 1);
		expect(scans.sort(byPath)).toEqual(others.map((path) => ({ path, ...scanFile(path) })).sort(byPath));
	});

	test("are left to this thread if the other one fails", async () => {
		const { files, others } = made();
		const other = Object.assign(new EventEmitter(), {
			postMessage: () => setImmediate(() => other.emit("error", new Error("a bug"))),
		});
		const shared = new SharedReading(files, other, () => expect.unreachable());
		expect((await shared.unread()).toSorted()).toEqual(others.toSorted());
	});
});

test("a catalog that is closed while it reads stores what has been read", async () => {
	const folder = tempAgentDir();
	write(folder, Array(60).fill(100_000));
	const catalog = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache, processes: false });
	const seen = startCatalog(catalog);
	await seen.until("the first row", () => seen.rows.size > 0);
	await catalog.close();
	const db = new DatabaseSync(indexPath(folder.cache), { readOnly: true });
	const stored = db.prepare("SELECT count(*) AS count FROM session").get();
	db.close();
	expect(stored?.count).toBeGreaterThanOrEqual(seen.rows.size);
});
