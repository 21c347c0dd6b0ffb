import { appendFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allContents, contentOf } from "../../../src/catalog/index/content-table.ts";
import { mayHaveWord } from "../../../src/catalog/index/word-filter.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { openCounting } from "../../support/counting.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** Sessions that are counted, and what the index says of their contents. */
async function counted() {
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	const contents = () => [...allContents(counting.db).values()];
	const count = async (...paths: string[]) => {
		counting.list(...paths);
		await counting.count();
	};
	return { ...counting, contents, count, write };
}

test("counting tells which words the person has said, and whether each line could be read", async () => {
	const { contents, count, write, remove } = await counted();
	const path = write(
		"--p--/1.jsonl",
		lines(header(), user("u1", null, 1, "Hello there"), assistant("a1", "u1", 2, "retry")),
	);
	await count(path);
	const [content] = contents();
	const has = (word: string) => content && mayHaveWord(word)(content.said);
	expect(["hello", "there", "retry", "hell"].map(has)).toEqual([true, true, false, false]);
	const { size, mtimeMs } = statSync(path);
	expect(content).toMatchObject({ size, mtimeMs, sound: true });
	await count(write("--p--/2.jsonl", lines(header(), "no JSON", user("u1", null, 1, "Hello"))));
	expect(contents().map(({ sound }) => sound)).toEqual([true, false]);
	remove(path);
	expect(contents()).toHaveLength(1);
});

test("a session that grows by many counts has as few other words as one that was counted at once", async () => {
	const { contents, count, write } = await counted();
	const said = (at: number) => user(`u${at}`, at === 0 ? null : `u${at - 1}`, at, `word${at} and word${1000 + at}`);
	const path = write("--p--/1.jsonl", lines(header()));
	for (let at = 0; at < 60; at++) {
		appendFileSync(path, lines(said(at)));
		await count(path);
	}
	const [grown] = contents();
	await count(
		write("--p--/2.jsonl", lines(header({ id: "0198-bb" }), ...Array.from({ length: 60 }, (_, at) => said(at)))),
	);
	expect(contents()[1]?.said).toEqual(grown?.said);
});

test("of a file that was rewritten nothing is known until it is counted again, even if its size and time are the same", async () => {
	const { contents, count, write, list, db } = await counted();
	const path = write("--p--/1.jsonl", lines(header(), user("u1", null, 1, "hello")));
	await count(path);
	const { atime, mtime } = statSync(path);
	writeFileSync(path, lines(header(), user("u1", null, 1, "retry")));
	utimesSync(path, atime, mtime);
	expect(scanFile(path).row.firstMessage).toBe("retry");
	list(path);
	expect(contents()).toEqual([]);
	expect(contentOf(db, 1)).toMatchObject({ sound: false });
	await count(path);
	const [content] = contents();
	expect(["hello", "retry"].map((word) => content && mayHaveWord(word)(content.said))).toEqual([false, true]);
});
