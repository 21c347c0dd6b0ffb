import { statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { NO_QUERY, parseQuery } from "../../../src/catalog/query/parse-query.ts";
import type { SearchFile } from "../../../src/catalog/search/search.ts";
import { SearchClient } from "../../../src/catalog/search-thread/search-client.ts";
import type { UsesSearched } from "../../../src/catalog/uses/search-uses.ts";
import type { UsesEvent } from "../../../src/catalog/uses/use-finder.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

const client = new SearchClient();
afterEach(() => client.close());

/** All prompts. */
const PROMPTS = { kind: "prompt", query: NO_QUERY, dates: [] } as const;

type Found = Extract<UsesEvent, { type: "found" }>;

function fileOf(path: string): SearchFile {
	const { size, mtimeMs } = statSync(path);
	return { path, size, modified: mtimeMs };
}

function write(dir: string, name: string, ...said: readonly string[]): string {
	const path = join(dir, name);
	writeFileSync(path, lines(header(), ...said.map((text, at) => user(`${name}${at}`, null, at + 1, text))));
	return path;
}

/** The final answer. */
function ask(searched: UsesSearched, limit = 10): Promise<Found> {
	return new Promise((resolve, reject) => {
		const wanted = { order: "newest", limit } as const;
		client.askUses({ wanted, searched }, (event) => {
			if (event.type === "error") reject(new Error(event.message));
			else if (event.isDone) resolve(event);
		});
	});
}

const said = ({ found }: Found): string[] => found.texts.map(({ text }) => text);

test("finds what is typed, other texts of what was found without searching again, and names files that are gone", async () => {
	const dir = tempDir();
	const path = write(dir, "a", "one retry", "two", "Three Retries, caf\u00e9");
	const all = { ...PROMPTS, files: [fileOf(path)] };
	expect(said(await ask(all, 1))).toEqual(["Three Retries, caf\u00e9"]);
	unlinkSync(path);
	expect(said(await ask(all))).toEqual(["Three Retries, caf\u00e9", "two", "one retry"]);
	write(dir, "a", "one retry", "two", "Three Retries, caf\u00e9");
	for (const [text, expected] of [
		["RETR", ["Three Retries, caf\u00e9", "one retry"]],
		['"one retry"', ["one retry"]],
		["-retr", ["two"]],
		["re:^t.o", ["two"]],
		["cafe", ["Three Retries, caf\u00e9"]],
	] as const) {
		const parsed = parseQuery(text);
		if ("error" in parsed) throw new Error(parsed.error);
		expect([text, said(await ask({ ...all, query: parsed.query }))]).toEqual([text, expected]);
	}
	unlinkSync(path);
	const { unread, total } = await ask({ ...all });
	expect([total, unread]).toEqual([1, 1]);
});

test("after a rest, and the end of its thread, it answers as before", async () => {
	const dir = tempDir();
	const path = write(dir, "a", "one");
	const searched = { ...PROMPTS, files: [fileOf(path)] };
	expect(said(await ask(searched))).toEqual(["one"]);
	client.rest();
	expect(said(await ask(searched))).toEqual(["one"]);
	// Put to rest before the answer.
	const answer = ask({ ...searched });
	client.rest();
	client.wake();
	expect(said(await answer)).toEqual(["one"]);
	// Answered before it was put to rest, and asked for other texts of that in a thread that something else has started.
	expect(said(await ask(searched))).toEqual(["one"]);
	client.rest();
	client.wake();
	await client.hits(NO_QUERY, path);
	expect(said(await ask(searched, 20))).toEqual(["one"]);
});
