import { appendFileSync, closeSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { indexPath } from "../../../src/catalog/index/open-index.ts";
import { IndexTable } from "../../../src/catalog/index/session-table.ts";
import { listAll, statsAll } from "../../../src/catalog/list-all.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { countSession } from "../../../src/catalog/stats/count-session.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { openFile } from "../../../src/store/files/open-file.ts";
import { openCounting } from "../../support/counting.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const TEXT = lines(header(), user("u1", null, 1, "hello"), assistant("a1", "u1", 2, "an answer"));

test("the first listing sums nothing; counting does, and what was appended is then all that is read", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	const path = write("--p--/1.jsonl", TEXT);
	const options = { env, cacheDir };
	const sums = () => {
		const db = new DatabaseSync(indexPath(cacheDir), { readOnly: true });
		const all = db.prepare("SELECT crc FROM session").all();
		db.close();
		return all.map(({ crc }) => crc);
	};
	await listAll(options);
	expect(sums()).toEqual([null]);
	await statsAll(options);
	expect(sums()).toEqual([crc32(TEXT)]);
	const more = lines(user("u2", "a1", 3, "again"));
	appendFileSync(path, more);
	expect(await listAll(options)).toMatchObject([{ messageCount: 3 }]);
	expect(sums()).toEqual([crc32(TEXT + more)]);
	expect(await searchAll("again", options)).toMatchObject([{ row: { messageCount: 3 } }]);
});

test("a file that changes while it is counted is not summed: the list may know what it was before", () => {
	const { write } = tempAgentDir();
	const path = write("--p--/1.jsonl", TEXT);
	const summedAfter = (change: () => void) => {
		const file = openFile(path);
		const buffer = Buffer.alloc(65536);
		const owners = new Set<number>();
		const steps = countSession({ listed: file.stats, file, owners, inherited: undefined, buffer, reportsIn: () => [] });
		change();
		const { summed } = runToEnd(steps);
		closeSync(file.fd);
		return summed;
	};
	expect(summedAfter(() => undefined)).toMatchObject({ size: TEXT.length, crc: crc32(TEXT) });
	expect(summedAfter(() => writeFileSync(path, TEXT.replace("hello", "olleh")))).toBeUndefined();
	expect(summedAfter(() => appendFileSync(path, lines(user("u2", "a1", 3, "again"))))).toBeUndefined();
});

test("a browser that has read the same files and stores them later takes nothing from what was counted, unless a file is another", async () => {
	const { root, cache, write } = tempAgentDir();
	const path = write("--p--/1.jsonl", TEXT);
	const counting = await openCounting(root, cache);
	counting.list(path);
	const late = () => {
		const { state, ...scan } = scanFile(path);
		if (state) new IndexTable(counting.db, root).store([{ path, ...scan, state }]);
	};
	const crc = () => counting.db.prepare("SELECT crc FROM session").get()?.crc;
	await counting.count();
	counting.mark(path);
	late();
	expect(counting.pending()).toEqual([]);
	expect(counting.numbers(path).numbers.labeled.has("marked")).toBe(true);
	expect(crc()).toBe(crc32(TEXT));
	const other = TEXT.replace("hello", "olleh");
	writeFileSync(path, other);
	late();
	expect(counting.pending()).toEqual([path]);
	expect(crc()).toBeNull();
	await counting.count();
	expect(counting.numbers(path).numbers.labeled.has("marked")).toBe(false);
	expect(crc()).toBe(crc32(other));
});
