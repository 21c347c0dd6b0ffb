import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { secretlintFormsFile } from "../../../scripts/secretlint-forms.ts";
import { findForms, patternOf, SECRET_FORMS, type SecretForm } from "../../../src/conversation/share/find-forms.ts";

/** What a row has in place of a secret: so many letters and digits, or digits, or such letters. */
const FILLED = /\{(\d+)(?: (\w+))?\}/g;
const CHARACTERS: Readonly<Record<string, string>> = {
	hex: "0a7f3b9c2d8e1654",
	digits: "1234567890",
	capitals: "QWE2RTY7UIO5PAS",
	small: "qw3er7ty9",
	letters: "qRtMwxKeZs",
	any: "q7Rt2Mw9xKe4Zs",
};

function filled(example: string): string {
	return example.replace(FILLED, (_, count: string, of = "any") => {
		const characters = CHARACTERS[of] ?? "";
		return characters.repeat(Math.ceil(Number(count) / characters.length)).slice(0, Number(count));
	});
}

/** Where the pattern of a row is found, whatever the other rows find. */
function ownMatch(form: SecretForm, text: string): RegExpExecArray | null {
	return new RegExp(patternOf(form).pattern.source, `g${form.flags ?? ""}`).exec(text);
}

describe.each(SECRET_FORMS.map((form) => [form.is, form] as const))("%s", (_, form) => {
	const text = filled(form.is);

	test("is found, a key as a whole", () => {
		const own = ownMatch(form, text);
		expect(own).not.toBeNull();
		const found = [...findForms(text)].map(({ kind, from, to }) => ({ kind, text: text.slice(from, to) }));
		expect(found).toContainEqual({ kind: form.kind, text: form.check === undefined ? text : own?.groups?.value });
	});

	test("is not found in what only looks like it", () => {
		const other = filled(form.not);
		expect([...findForms(other)]).toEqual([]);
	});

	test("begins with each of its words", () => {
		const [first = "", ...others] = form.begins ?? [];
		for (const begin of others)
			expect(
				ownMatch(
					form,
					text.replace(first, () => begin),
				),
			).not.toBeNull();
	});
});

test("the table holds the forms of more than a hundred services", () => {
	expect(SECRET_FORMS.filter(({ check }) => check === undefined).length).toBeGreaterThan(110);
});

test("the rows of secretlint are those of its installed rules", async () => {
	const rules = createRequire(import.meta.url).resolve("@secretlint/secretlint-rule-preset-recommend");
	const path = join(import.meta.dirname, "..", "..", "..", "src", "conversation", "share", "secretlint-forms.json");
	await expect(
		secretlintFormsFile(readFileSync(rules, "utf8")),
		"secretlint-forms.json is out of date: npm run docs writes it anew",
	).toMatchFileSnapshot(path);
});
