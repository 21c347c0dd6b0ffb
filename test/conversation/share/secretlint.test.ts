import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Masker } from "../../../src/conversation/share/masker.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { SECRET_KINDS, type SecretKind } from "../../support/secret-kinds.ts";

/*
 * secretlint's recommended rules as an oracle: what they find, the masker masks. They are not used in the program: they are
 * asynchronous, look for whole words in text without markup, and know a third of the kinds that sessions have.
 */

const ALNUM = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const of = (characters: string, length: number): fc.Arbitrary<string> =>
	fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
const form = (name: string, secret: fc.Arbitrary<string>): SecretKind => ({ name, text: "key @@ here", secret });

/** Forms that only secretlint's rules name. */
const ITS_OWN: readonly SecretKind[] = [
	form(
		"openai",
		fc.tuple(of(ALNUM, 74), of(ALNUM, 74)).map(([one, two]) => `sk-proj-${one}T3BlbkFJ${two}`),
	),
	form(
		"openai, old",
		fc.tuple(of(ALNUM, 20), of(ALNUM, 20)).map(([one, two]) => `sk-${one}T3BlbkFJ${two}`),
	),
	form(
		"grafana cloud",
		of(ALNUM, 60).map((text) => `glc_${text}==`),
	),
	form(
		"1password",
		of(ALNUM, 200).map((text) => `ops_ey${text}fQ==`),
	),
	form(
		"vercel",
		fc.tuple(fc.constantFrom("vcp", "vci", "vca", "vcr", "vck"), of(ALNUM, 40)).map((both) => both.join("_")),
	),
	form(
		"hugging face",
		of(ALNUM.slice(0, 52), 34).map((text) => `hf_${text}`),
	),
	form(
		"vault",
		of(ALNUM, 95).map((text) => `hvs.${text}`),
	),
	form(
		"vault, batch",
		of(ALNUM, 150).map((text) => `hvb.${text}`),
	),
	form(
		"shopify",
		of(ALNUM, 40).map((text) => `shpca_${text}`),
	),
	form(
		"notion",
		fc.tuple(of("0123456789", 11), of(ALNUM, 35)).map((both) => `ntn_${both.join("")}`),
	),
	form(
		"mysqlx",
		of(ALNUM, 14).map((text) => `mysqlx://ada:x${text}@db.internal:3306/shop`),
	),
	form(
		"mongodb",
		of(ALNUM, 14).map((text) => `mongodb://ada:x${text}@db.internal/shop`),
	),
];

const config = { rules: [{ id: "preset", rule: creator, options: {} }] };

async function foundIn(text: string): Promise<readonly string[]> {
	const source = { filePath: "/session.txt", content: text, contentType: "text" as const, ext: ".txt" };
	const { messages } = await lintSource({ source, options: { config: config as never } });
	return messages.map(({ ruleId, range: [from, to] }) => `${ruleId} ${text.slice(from, to)}`);
}

test("secretlint finds nothing in what is masked", async () => {
	const left: string[] = [];
	let found = 0;
	for (const [index, kind] of [...SECRET_KINDS, ...ITS_OWN].entries()) {
		for (const secret of fc.sample(kind.secret, { numRuns: caseCount(1, 3), seed: FIRST_SEED + index })) {
			for (const around of ["@@", "`@@`", "**@@**", "é @@ é", '{"text": "@@"}']) {
				const text = around.replace("@@", () => kind.text.replace("@@", () => secret));
				found += (await foundIn(text)).length;
				const masked = new Masker({ allowed: new Set(), homes: [] }).mask(text, "");
				left.push(...(await foundIn(masked)).map((what) => `${kind.name}: ${what} in ${masked}`));
			}
		}
	}
	expect(found).toBeGreaterThan(caseCount(100, 300));
	expect(left.slice(0, 10)).toEqual([]);
}, 120_000);
