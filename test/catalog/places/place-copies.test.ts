import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test, vi } from "vitest";
import { PlaceCopies, type ReadBytes } from "../../../src/catalog/places/place-copies.ts";
import { makeRow } from "../../support/rows.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Copies of sessions whose bytes a test sets, and how many of them were read. */
function start() {
	const path = tempDir();
	const texts = new Map<string, string>();
	let read = 0;
	const copies = new PlaceCopies(async () => ({ path }));
	/** The row as the place lists it now. */
	const rowOf = (name: string) => {
		const { length: size } = Buffer.from(texts.get(name) ?? "");
		return makeRow(name, { path: `mini:/s/${name}`, place: "mini", size });
	};
	const reading =
		(name: string): ReadBytes =>
		async (from, onBytes) => {
			const bytes = Buffer.from(texts.get(name) ?? "").subarray(from);
			read += bytes.length;
			await onBytes(bytes);
		};
	return {
		copies,
		texts,
		rowOf,
		reading,
		copy: (name: string) => copies.copyOf(rowOf(name), reading(name)),
		files: () => readdirSync(path),
		/** Bytes that were read since the last time. */
		bytes: (): number => {
			const all = read;
			read = 0;
			return all;
		},
	};
}

const line = (text: string): string => `${text.repeat(20_000)}\n`;

test("what was appended is appended; what was rewritten is fetched whole; what is the same is not read", async () => {
	const { copy, texts, bytes, files } = start();
	texts.set("one", line("a"));
	const first = await copy("one");
	expect(readFileSync(first, "utf8")).toBe(line("a"));
	expect(bytes()).toBe(20_001);
	expect(await copy("one")).toBe(first);
	expect(bytes()).toBe(0);
	texts.set("one", line("a") + line("b"));
	expect(await copy("one")).toBe(first);
	expect(readFileSync(first, "utf8")).toBe(line("a") + line("b"));
	// And the end of what is there, which is compared.
	expect(bytes()).toBe(20_001 + 4096);
	texts.set("one", line("x") + line("y") + line("z"));
	const second = await copy("one");
	expect(second).not.toBe(first);
	expect(readFileSync(second, "utf8")).toBe(line("x") + line("y") + line("z"));
	texts.set("one", line("x"));
	expect(readFileSync(await copy("one"), "utf8")).toBe(line("x"));
	expect(files()).toHaveLength(1);
});

test("an empty session grows like any other", async () => {
	const { copy, texts } = start();
	texts.set("one", "");
	expect(readFileSync(await copy("one"), "utf8")).toBe("");
	texts.set("one", "a\n");
	expect(readFileSync(await copy("one"), "utf8")).toBe("a\n");
});

test("of the same size, but written to since, it is fetched again", async () => {
	const { copies, rowOf, reading, texts, copy } = start();
	texts.set("one", "aaa");
	await copy("one");
	texts.set("one", "bbb");
	const later = { ...rowOf("one"), modified: new Date(0) };
	expect(readFileSync(await copies.copyOf(later, reading("one")), "utf8")).toBe("bbb");
});

test("four copies stay, those used last", async () => {
	const { copy, texts, files } = start();
	const isThere = (): boolean[] => paths.map((path) => existsSync(path));
	const names = ["a", "b", "c", "d", "e"];
	for (const name of names) texts.set(name, name);
	const paths: string[] = [];
	for (const name of names.slice(0, 4)) paths.push(await copy(name));
	await copy("a");
	paths.push(await copy("e"));
	await vi.waitFor(() => expect(isThere()).toEqual([true, false, true, true, true]));
	expect(files()).toHaveLength(4);
	expect(readFileSync(await copy("b"), "utf8")).toBe("b");
});

test("a failure leaves no file, and the next time it is fetched whole", async () => {
	const { copies, rowOf, copy, texts, files, bytes } = start();
	texts.set("one", line("a"));
	const failing: ReadBytes = async (_from, onBytes) => {
		await onBytes(Buffer.from("half"));
		throw new Error("the line is cut");
	};
	await expect(copies.copyOf(rowOf("one"), failing)).rejects.toThrow("the line is cut");
	expect(files()).toEqual([]);
	await copy("one");
	texts.set("one", line("a") + line("b"));
	const failsLater: ReadBytes = async (from, onBytes) => {
		await onBytes(Buffer.from(texts.get("one") ?? "").subarray(from, -5));
		throw new Error("the line is cut");
	};
	await expect(copies.copyOf(rowOf("one"), failsLater)).rejects.toThrow("the line is cut");
	// What was extended halfway is spoilt.
	expect(files()).toEqual([]);
	bytes();
	expect(readFileSync(await copy("one"), "utf8")).toBe(line("a") + line("b"));
	expect(bytes()).toBe(40_002);
});

test("names from there are in no path", async () => {
	const { copy, texts } = start();
	texts.set("../../x", "x");
	expect(basename(await copy("../../x"))).toBe("session-1.jsonl");
});

test("one that hangs holds up itself, and no other", async () => {
	const { copies, rowOf, copy, texts } = start();
	for (const name of ["one", "two"]) texts.set(name, name);
	const stop = Promise.withResolvers<void>();
	const hanging = copies.copyOf(rowOf("one"), () => stop.promise);
	const behind = copy("one");
	expect(readFileSync(await copy("two"), "utf8")).toBe("two");
	stop.reject(new Error("given up"));
	await expect(hanging).rejects.toThrow("given up");
	expect(readFileSync(await behind, "utf8")).toBe("one");
});
