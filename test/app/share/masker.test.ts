import fc from "fast-check";
import { expect, test } from "vitest";
import { Masker } from "../../../src/app/share/masker.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { AROUND, INNOCENT, KEYS, NAMED } from "../../support/planted-secrets.ts";

function masked(text: string, homes: readonly string[] = []): string {
	return new Masker({ allowed: new Set(), homes }).mask(text, "e1");
}

test("keys and tokens of the known forms are masked, wherever they stand", () => {
	const missed: string[] = [];
	let planted = 0;
	for (const [name, form] of Object.entries(KEYS)) {
		for (const key of fc.sample(form, { numRuns: caseCount(60), seed: FIRST_SEED })) {
			for (const around of AROUND) {
				planted++;
				const text = masked(around.replace("@", () => key));
				// Nothing of it is left that is longer than its prefix.
				const leaks = key.match(/[A-Za-z0-9+/_-]{12,}/g)?.filter((part) => text.includes(part.slice(-12))) ?? [];
				if (leaks.length > 0) missed.push(`${name} in ${around}: ${text}`);
			}
		}
	}
	expect(planted).toBeGreaterThan(10_000);
	expect([missed.length <= planted / 100, missed.slice(0, 10)]).toEqual([true, []]);
});

test.each(NAMED)("masked in %j", (text, secret) => {
	expect(masked(text)).not.toContain(secret);
	expect(masked(text)).not.toBe(text);
});

test.each(INNOCENT)("left as it is: %j", (text) => {
	expect(masked(text)).toBe(text);
});
