import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../../src/cli/commands/show/show.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { assistant, header, toolResult, user } from "../support/session-builder.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";

const fixtures = join(import.meta.dirname, "..", "..", "fixtures");
const directory = tempDirOfFile();
afterEach(() => {
	vi.restoreAllMocks();
});

/** What `show` prints on stdout, run in this process. */
async function shown(word: string, options: object): Promise<string> {
	let out = "";
	const write = ((text: string, done?: () => void) => {
		out += text;
		done?.();
		return true;
	}) as typeof process.stdout.write;
	vi.spyOn(process.stdout, "write").mockImplementation(write);
	vi.spyOn(process.stderr, "write").mockImplementation(() => true);
	expect(await show({ words: [word], ...options })).toBe(0);
	return out;
}

interface Part {
	readonly text: string;
	readonly next: { readonly entryId: string; readonly offset: number; readonly address: string } | null;
}

const WHOLE = 1e9;

async function part(word: string, options: object, maxChars: number): Promise<Part> {
	return JSON.parse(await shown(word, { ...options, markdown: true, json: true, maxChars }));
}

/** The parts that one gets who follows the addresses to the end. */
async function followed(word: string, options: object, maxChars: number): Promise<string[]> {
	const texts: string[] = [];
	for (let address: string | undefined = word; address !== undefined; ) {
		const { text, next }: Part = await part(address, options, maxChars);
		// A character of two units is printed, however little is asked for.
		expect(text.length).toBeLessThanOrEqual(Math.max(2, maxChars));
		expect(text).not.toBe("");
		texts.push(text);
		address = next?.address;
	}
	return texts;
}

const KEY = "ghp_0001zQ8xW3vK7rT2yU6nB1mC5dF9gH4jL0pS";

/** Characters of two units, fences, masks, a long output, two branches. */
function written(): string {
	const path = join(directory, "mixed.jsonl");
	const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: `echo ${KEY}` } };
	const lines = [
		header({ cwd: "/home/ada/work" }),
		user("aa000001", null, 1, "😀 検索を日本語に 👩‍👩‍👧 对应\n\nтекст e\u0301"),
		assistant("aa000002", "aa000001", 2, "Running 🏃", [call]),
		toolResult("aa000003", "aa000002", 3, `${KEY}\n\`\`\`\nin a fence\n${"line 🧪\n".repeat(30)}`),
		assistant("aa000004", "aa000003", 4, `The key is ${KEY}, of ada@lovelace.org in /home/ada/x.`),
		user("bb000001", "aa000003", 5, "Another way"),
		assistant("bb000002", "bb000001", 6, "Done. 🎉"),
		user("aa000005", "aa000004", 7, "And on"),
		assistant("aa000006", "aa000005", 8, "The end 🏁"),
	];
	writeFileSync(path, `${lines.join("\n")}\n`);
	return path;
}

const SCOPES = [{}, { all: true }, { turn: true }, { branch: true }, { entry: true }] as const;

test("whoever follows the addresses reads the whole text once, however little is asked for at a time", async () => {
	const names = ["conversation", "branches", "every-entry-type", "several-roots", "odd-fields", "pi-1.5.2"];
	const paths = names.map((name) => {
		const path = join(directory, `${name}.jsonl`);
		copyFileSync(join(fixtures, `${name}.jsonl`), path);
		return path;
	});
	const ids = new Map<string, readonly string[]>();
	for (const path of [written(), ...paths])
		ids.set(
			path,
			(await readSession(path)).entries.map(({ id }) => id),
		);
	const all = [...ids.keys()];
	const asked = fc.record({
		path: fc.constantFrom(...all),
		scope: fc.constantFrom(...SCOPES),
		at: fc.option(fc.nat(), { nil: undefined }),
		masked: fc.boolean(),
		share: fc.double({ min: 0, max: 1, noNaN: true }),
	});
	await fc.assert(
		fc.asyncProperty(asked, async ({ path, scope, at, masked, share }) => {
			const known = ids.get(path) ?? [];
			const entry = at === undefined || "all" in scope ? undefined : known[at % known.length];
			const word = entry === undefined ? path : `${path}#${entry}`;
			const options = { ...scope, ...(masked && { masked }) };
			const { text, next } = await part(word, options, WHOLE);
			expect(next).toBe(null);
			fc.pre(text !== "");
			// Not more than some 20 parts: each reads the session anew.
			const least = Math.ceil(text.length / 20);
			const texts = await followed(word, options, least + Math.floor(share * text.length));
			expect(texts.join("")).toBe(text);
			if (masked) expect(text).not.toMatch(/ghp_|ada@lovelace|\/home\/ada/);
		}),
		{ numRuns: caseCount(15), seed: FIRST_SEED },
	);
});

test("one character at a time, and rows of a text one at a time", async () => {
	const path = written();
	const options = { entry: true };
	const { text } = await part(`${path}#aa000001`, options, WHOLE);
	const texts = await followed(`${path}#aa000001`, options, 1);
	expect(texts.join("")).toBe(text);
	expect(texts.every((one) => [...one].length === 1)).toBe(true);
	expect(texts).toContain("😀");

	const drawn = { full: true, width: 60 };
	const whole = await shown(`${path}#aa000003@0`, drawn);
	let rows = "";
	for (let address: string | undefined = `${path}#aa000003@0`; address !== undefined; ) {
		const out = await shown(address, { ...drawn, maxChars: 130 });
		const [, before = out, next] =
			/^(.*)\[cut after 130 characters, .*"pi-grove show (.*)" continues there, .*\]\n$/s.exec(out) ?? [];
		expect(before).not.toBe("");
		rows += before;
		address = next;
	}
	expect(rows).toBe(whole);
});

test("an offset within a character, behind the end, or where none belongs", async () => {
	const path = written();
	const one = await part(`${path}#aa000001@0`, { entry: true }, WHOLE);
	const within = await part(`${path}#aa000001@1`, { entry: true }, WHOLE);
	expect(within.text).toBe(one.text);
	expect((await part(`${path}#aa000006@99999`, {}, WHOLE)).text).toBe("");
	for (const form of [{ json: true }, { tree: true }])
		await expect(show({ words: [`${path}#aa000006@3`], ...form })).rejects.toThrow("begins in the middle of a text");
});
