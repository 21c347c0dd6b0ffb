import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { accentedLetters, hasNeedle, needleOf } from "../../../src/catalog/query/fold.ts";
import { parseQuery, type Term } from "../../../src/catalog/query/parse-query.ts";
import { findRipgrep } from "../../../src/catalog/search/find-ripgrep.ts";
import { grep } from "../../../src/catalog/search/grep.ts";
import { accentPatterns, linePattern } from "../../../src/catalog/search/raw-pattern.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { seededRandom } from "../../support/mutate-session.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

function termOf(word: string): Term {
	const parsed = parseQuery(word);
	const term = "error" in parsed ? undefined : parsed.query.terms[0];
	if (term === undefined) throw new Error(`${word} is no term`);
	return term;
}

/** The texts as JSON strings on a line each; of these, the places of those that any of the patterns finds. */
async function foundIn(
	jsonLines: readonly string[],
	patterns: ReturnType<typeof accentPatterns>,
): Promise<Set<number>> {
	const path = join(tempAgentDir().base, "lines.jsonl");
	writeFileSync(path, jsonLines.map((line) => `${line}\n`).join(""));
	const found = new Set<number>();
	for (const pattern of patterns) {
		const signal = new AbortController().signal;
		const options = { patterns: [pattern], isNumbered: true, paths: [path], signal };
		for await (const { lines } of grep(await findRipgrep(), options))
			for (const { number = 0 } of lines) found.add(number - 1);
	}
	return found;
}

type Random = ReturnType<typeof seededRandom>;

/** Some way to write a letter that is found by the plain one. */
function written(letter: string, random: Random): string {
	const pick = <One>(all: readonly One[]): One | undefined => all[Math.floor(random() * all.length)];
	const accents = ["\u0301", "\u0308", "\u0327", "\u0302\u0323", "\u036f", "\u0344"];
	switch (Math.floor(random() * 7)) {
		case 0:
			return letter.toUpperCase();
		case 1:
			return pick(accentedLetters(letter)) ?? letter;
		case 2:
			return (pick(accentedLetters(letter)) ?? letter).normalize("NFD");
		case 3:
			return /[a-z]/.test(letter) ? `${letter}${pick(accents)}` : letter;
		case 4:
			return { a: "\u212b", k: "\u212a", s: "S", i: "\u0130" }[letter] ?? letter;
		default:
			return letter;
	}
}

/** The text as a JSON string, with other programs' escapes: of all characters beyond ASCII, with small or capital digits. */
function jsonOf(text: string, random: Random): string {
	const json = JSON.stringify(text);
	const way = Math.floor(random() * 3);
	if (way === 0) return json;
	return json.replace(/[^\0-\x7f]/g, (unit) => {
		const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
		return `\\u${way === 1 ? digits : digits.toUpperCase()}`;
	});
}

const WORDS =
	"a e k ab ki is zebra action eclair overview kubernetes import strasse naive a1b2 x-ray q.e.d retry\\n loop".split(
		" ",
	);
const LONG = [
	"internationalization of everything",
	"resume/cv",
	'say "hi"',
	"über",
	"ñandu",
	"город",
	"stra\u00dfe",
	"\u017ft",
];

describe("a word with accents that were not typed", () => {
	test.each([...WORDS, ...LONG])("is found by ripgrep wherever the text has it: %s", async (word) => {
		const random = seededRandom(FIRST_SEED);
		const term = termOf(`"${word.replace("\\n", "").replaceAll('"', "")}"`);
		const needle = term.needle ?? "";
		const contexts = ["", " ", "x", "“", "\n", "é", "\u0301", "\\", "n", '"', "u00"];
		const context = (): string => contexts[Math.floor(random() * contexts.length)] ?? "";
		const texts = Array.from({ length: caseCount(150, 600) }, () => {
			const letters = [...needle].map((letter) => written(letter, random)).join("");
			return `${context()}${letters}${context()}`;
		});
		const found = await foundIn(
			texts.map((text) => `{"text":${jsonOf(text, random)}}`),
			[linePattern(term), ...accentPatterns(term)],
		);
		const asked = needleOf(needle);
		expect(texts.filter((text, at) => hasNeedle(text, asked) && !found.has(at))).toEqual([]);
	});

	test("is hardly ever found where it has none, so that few lines are checked for nothing", async () => {
		const term = termOf("deploy");
		const texts = [
			"deploy",
			"Deployed it",
			"déjà vu",
			"deplorable “quotes”",
			"d\n",
			"\u001b[32mdeploy\u001b[39m",
			"dp éploy",
		];
		const lines = texts.map((text) => JSON.stringify(text));
		expect([...(await foundIn(lines, accentPatterns(term)))]).toEqual([]);
		const accented = ["déploy", "deplo", "deplo\u0301y", "DÉPLOY", "ḋeploy", "depl\u00f6y"];
		const found = await foundIn(
			accented.map((text) => JSON.stringify(text)),
			accentPatterns(term),
		);
		expect([...found].sort()).toEqual([0, 2, 3, 4, 5]);
	});

	test("the bytes of a broken letter are no reason to miss the word behind it", async () => {
		const path = join(tempAgentDir().base, "broken.jsonl");
		writeFileSync(
			path,
			Buffer.concat([Buffer.from('"\u00e9'), Buffer.from([0xc3, 0xff]), Buffer.from('caf\u00e9"\n')]),
		);
		const { command } = await findRipgrep();
		const sources = accentPatterns(termOf("cafe")).flatMap(({ source }) => ["-e", source]);
		const { stdout } = spawnSync(command, ["--no-config", "--no-unicode", "-i", "-a", "-c", ...sources, path], {
			encoding: "utf8",
		});
		expect(stdout.trim()).toBe("1");
	});
});
