import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { IndexTable } from "../../../src/catalog/index/session-table.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { openCounting } from "../../support/counting.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const TEXT = lines(header(), user("u1", null, 1, "hello"), assistant("a1", "u1", 2, "an answer"));

test("a browser that has read the same files and stores them later takes nothing from what was counted, unless a file is another", async () => {
	const { root, cache, write } = tempAgentDir();
	const path = write("--p--/1.jsonl", TEXT);
	const counting = await openCounting(root, cache);
	counting.list(path);
	const late = () => new IndexTable(counting.db, root).store([{ path, ...scanFile(path) }]);
	await counting.count();
	counting.mark(path);
	late();
	expect(counting.pending()).toEqual([]);
	expect(counting.numbers(path).numbers.labeled.has("marked")).toBe(true);
	const other = TEXT.replace("hello", "olleh");
	writeFileSync(path, other);
	late();
	expect(counting.pending()).toEqual([path]);
	await counting.count();
	expect(counting.numbers(path).numbers.labeled.has("marked")).toBe(false);
});
