import { readFileSync, statSync, truncateSync, utimesSync } from "node:fs";
import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { listAll } from "../../../src/catalog/list-all.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import type { FileScan } from "../../../src/catalog/sync/known-files.ts";
import { ReadQueue } from "../../../src/catalog/sync/read-queue.ts";
import { assistant, header, lines, toolResult, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const MB = 1024 * 1024;
const output = toolResult("u2", "u1", 2, "x".repeat(2 * MB));

/** Sessions of 2 MB each, the newest first. */
function write(folder: ReturnType<typeof tempAgentDir>, count: number): { path: string; size: number }[] {
	return Array.from({ length: count }, (_, index) => {
		const text = lines(header(), user("u1", null, 1, `session ${index}`), output, assistant("u3", "u2", 3, "done"));
		const path = folder.write(`--p${index % 3}--/${index}.jsonl`, text);
		utimesSync(path, 2e9 - index, 2e9 - index);
		return { path, size: statSync(path).size };
	});
}

describe("ReadQueue", () => {
	test.skipIf(availableParallelism() === 1)(
		"two threads read each file once, and come to the same as one",
		async () => {
			const files = write(tempAgentDir(), 60);
			const helped: FileScan[] = [];
			const queue = new ReadQueue((scans) => helped.push(...scans));
			for (const { size } of files) queue.expect(size);
			queue.begin(files);
			const own: FileScan[] = [];
			// Until the helper has taken one, however long it takes to start.
			for (let path = queue.take(); path !== undefined; path = queue.take()) {
				own.push({ path, ...scanFile(path) });
				await new Promise((resolve) => setImmediate(resolve));
				while (own.length === 20 && helped.length === 0) await new Promise((resolve) => setImmediate(resolve));
			}
			await queue.ended();
			expect(helped.length).toBeGreaterThan(0);
			const all = [...own, ...helped].sort((a, b) => b.stamp.mtimeMs - a.stamp.mtimeMs);
			expect(all).toEqual(files.map(({ path }) => ({ path, ...scanFile(path) })));
		},
	);

	test("a few small files need no helper", async () => {
		const queue = new ReadQueue(() => expect.unreachable());
		queue.expect(1000);
		queue.begin([{ path: "/a", size: 1000 }]);
		expect([queue.take(), queue.take()]).toEqual(["/a", undefined]);
		await queue.ended();
	});

	test("can be stopped before it has begun, and in the middle of a lot of work", async () => {
		const folder = tempAgentDir();
		const [file] = write(folder, 1);
		if (!file) throw new Error("no file");
		// A sparse file: it takes no disk space, but longer to read than this test may take.
		truncateSync(file.path, 1e6 * MB);
		for (const begins of [false, true]) {
			const queue = new ReadQueue(() => expect.unreachable());
			queue.expect(1e6 * MB);
			if (begins) queue.begin([{ path: file.path, size: 1e6 * MB }]);
			await queue.stop();
			await queue.ended();
		}
	});
});

test("a large first listing reports the newest sessions first and each of them once, and so does the next start", async () => {
	const folder = tempAgentDir();
	const files = write(folder, 60);
	const told: string[] = [];
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		numbers: false,
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

test("a catalog that is closed while two threads read stores what has been read", async () => {
	const folder = tempAgentDir();
	const files = write(folder, 60);
	const catalog = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache });
	const seen = startCatalog(catalog);
	await seen.until("the first row", () => seen.rows.size > 0);
	await catalog.close();
	const rows = await listAll({ env: folder.env, cacheDir: folder.cache });
	expect(rows).toHaveLength(files.length);
	expect(readFileSync(files[0]?.path ?? "", "utf8")).toContain(rows.find((row) => row.path === files[0]?.path)?.id);
});
