import { statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { NO_QUERY } from "../../../src/catalog/query/parse-query.ts";
import type { UseKind } from "../../../src/catalog/uses/use.ts";
import { type UseFile, UsesClient, type UsesEvent } from "../../../src/catalog/uses/uses-client.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

const client = new UsesClient();
afterEach(() => client.close());

type Found = Extract<UsesEvent, { type: "found" }>;

function fileOf(path: string): UseFile {
	const { size, mtimeMs } = statSync(path);
	return { path, size, modified: mtimeMs };
}

function write(dir: string, name: string, ...said: readonly string[]): string {
	const path = join(dir, name);
	writeFileSync(path, lines(header(), ...said.map((text, at) => user(`${name}${at}`, null, at + 1, text))));
	return path;
}

/** The final answer. */
function ask(files: readonly UseFile[], { kind = "prompt" as UseKind, reread = false } = {}): Promise<Found> {
	const limits = { limit: 10, usesLimit: 1, textLimit: 100 };
	return new Promise((resolve, reject) => {
		const asked = { search: { kind, query: NO_QUERY, dates: [], now: Date.UTC(2026, 1), ...limits }, files, reread };
		client.search(asked, (event) => {
			if (event.type === "error") reject(new Error(event.message));
			else if (event.isDone) resolve(event);
		});
	});
}

const said = ({ found }: Found): string[] => found.texts.map(({ text }) => text);

test("changed files are read again, and files listed as unchanged only when all are reread", async () => {
	const dir = tempDir();
	const path = write(dir, "a", "one");
	const files = [fileOf(path)];
	expect(said(await ask(files))).toEqual(["one"]);
	write(dir, "a", "two");
	expect(said(await ask(files))).toEqual(["one"]);
	expect(said(await ask(files, { reread: true }))).toEqual(["two"]);
	write(dir, "a", "two", "three");
	expect(said(await ask([fileOf(path)]))).toEqual(["three", "two"]);
	unlinkSync(path);
	const { unread, total } = await ask(files, { reread: true });
	expect([total, unread.length, unread[0]]).toEqual([1, 1, expect.stringContaining(`Path: ${path}`)]);
});

test("after a rest, and the end of its thread, it answers as before; for a text that is gone, with the reason", async () => {
	const dir = tempDir();
	const path = write(dir, "a", "one");
	const files = [fileOf(path)];
	const [text] = (await ask(files)).found.texts;
	const use = text?.uses[0];
	if (use === undefined) throw new Error("nothing was found");
	expect(await client.whole(use)).toBe("one");
	client.rest();
	expect(said(await ask(files))).toEqual(["one"]);
	// Put to rest before the answer.
	const answer = ask(files, { reread: true });
	client.rest();
	client.wake();
	expect(said(await answer)).toEqual(["one"]);
	const cut = client.whole(use);
	client.rest();
	await expect(cut).rejects.toThrow("its thread has ended");
	write(dir, "a", "other");
	await expect(client.whole(use)).rejects.toThrow("the text is no longer there");
	unlinkSync(path);
	await expect(client.whole(use)).rejects.toThrow(/no such file|does not exist/i);
});
