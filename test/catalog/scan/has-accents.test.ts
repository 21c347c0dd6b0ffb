import { appendFileSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { accentsOf } from "../../../src/catalog/index/accents-mark.ts";
import { bare, fold } from "../../../src/catalog/query/fold.ts";
import { hasAccents, lineHasAccents } from "../../../src/catalog/scan/has-accents.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { statsAll } from "../../../src/catalog/stats-all.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { openCounting } from "../../support/counting.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** Every character above ASCII as an escape. */
const escaped = (json: string) =>
	json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const lineOf = (text: string) => {
	const bytes = Buffer.from(text);
	const span = { start: 0, end: bytes.length, offset: 0, length: bytes.length, next: bytes.length + 1 };
	return { bytes, ...span, whole: true, terminated: true, utf8: true, isGlued: false, isRepeated: false };
};
const letters = fc.constantFrom(
	"é",
	"e\u0301",
	"ñ",
	"Ω",
	"ё",
	"й",
	"ế",
	"Å",
	"ø",
	"→",
	"“",
	"検",
	"😀",
	"\u001b[31m",
	"a\\u00e9",
);
const text = fc
	.array(fc.oneof(letters, fc.string({ unit: "grapheme", maxLength: 5 }), fc.constant("x".repeat(8190))), {
		maxLength: 4,
	})
	.map((parts) => parts.join(""));

test("a line without such letters is the same with and without accents, whether they are escaped or not", () => {
	fc.assert(
		fc.property(text, fc.boolean(), (words, isEscaped) => {
			const json = JSON.stringify(words);
			const isPlain = !lineHasAccents(lineOf(isEscaped ? escaped(json) : json));
			if (isPlain) expect(bare(fold(words))).toBe(fold(words));
		}),
		{ numRuns: caseCount(1000), seed: FIRST_SEED },
	);
});

test("English with quotes, arrows, other scripts and colored output is plain; what could not be read is not", () => {
	for (const plain of ["“It’s” → 検索 😀 ─", "\u001b[31mred\u001b[0m", "\u2028"]) {
		const json = JSON.stringify(plain);
		expect([json, lineHasAccents(lineOf(json))]).toEqual([json, false]);
	}
	expect(lineHasAccents({ ...lineOf("x"), whole: false })).toBe(true);
});

test("the index knows it for the counted state of a file, and only for that", async () => {
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	const path = write("--p--/1.jsonl", lines(header(), user("a", null, 1, "coffee")));
	let time = 1;
	const known = async (): Promise<boolean | undefined> => {
		utimesSync(path, time, time++);
		counting.list(path);
		await counting.count();
		const stats = statSync(path);
		const [record] = counting.db.prepare("SELECT accents FROM session").all();
		const isSame = accentsOf(record?.accents, { path, size: stats.size, mtimeMs: stats.mtimeMs });
		expect(accentsOf(record?.accents, { path, size: stats.size, mtimeMs: stats.mtimeMs + 1 })).toBeUndefined();
		expect(accentsOf(record?.accents, { path, size: stats.size + 1, mtimeMs: stats.mtimeMs })).toBeUndefined();
		expect(accentsOf(record?.accents, { path: `${path}x`, size: stats.size, mtimeMs: stats.mtimeMs })).toBeUndefined();
		return isSame;
	};
	expect(await known()).toBe(false);
	appendFileSync(path, lines(user("b", "a", 2, "tea")));
	expect(await known()).toBe(false);
	// A line that is not yet whole counts, and is read again.
	appendFileSync(path, user("c", "b", 3, "café").slice(0, -3));
	expect(await known()).toBe(true);
	writeFileSync(path, lines(header(), user("a", null, 1, "coffee"), user("b", "a", 2, "tea")));
	expect(await known()).toBe(false);
	appendFileSync(path, lines(user("c", "b", 3, "caf\u00e9")));
	expect(await known()).toBe(true);
	appendFileSync(path, lines(user("d", "c", 4, "more")));
	expect(await known()).toBe(true);
	rmSync(path);
});

test("what the index knows about accents hides nothing from a search, also after a file has changed", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	const texts = ["a cafe", "a café", "caf\u0065\u0301", "tea", "an escaped caf#", "un CAFÉ"];
	const paths = texts.map((words, index) =>
		write(
			`--p--/${index}.jsonl`,
			lines(header({ id: `s${index}` }), user("a", null, 1, words)).replace("#", "\\u00e9"),
		),
	);
	const found = async () => (await searchAll("cafe", { env, cacheDir })).map(({ path }) => paths.indexOf(path)).sort();
	expect(await found()).toEqual([0, 1, 2, 4, 5]);
	await statsAll({ env, cacheDir });
	expect(await found()).toEqual([0, 1, 2, 4, 5]);
	const tea = readFileSync(paths[3] ?? "", "utf8");
	// The same size, and the time set back.
	const { atime, mtime } = statSync(paths[3] ?? "");
	writeFileSync(paths[3] ?? "", tea.replace("tea", "té"));
	utimesSync(paths[3] ?? "", atime, mtime);
	expect((await searchAll("te", { env, cacheDir })).map(({ path }) => path)).toContain(paths[3]);
	appendFileSync(paths[3] ?? "", lines(user("b", "a", 2, "au café")));
	expect(await found()).toEqual([0, 1, 2, 3, 4, 5]);
	expect(runToEnd(hasAccents(paths[3] ?? ""))).toBe(true);
});
