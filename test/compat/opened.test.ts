import { copyFileSync, globSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { whyNotOpened } from "../../extensions/act.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";
import { SessionManager } from "./pi.ts";

/** `ctx.switchSession` ends pi when this throws: the extension must not let it come to that. */

const folder = tempDirOfFile();

/** Why pi cannot open a file; undefined where it can. */
function piRefuses(path: string): string | undefined {
	try {
		SessionManager.open(path);
		return undefined;
	} catch (error) {
		return String(error);
	}
}

test("the extension refuses what pi cannot open, of all fixtures", () => {
	for (const fixture of globSync(join(import.meta.dirname, "../../fixtures/*.jsonl"))) {
		const path = join(folder, basename(fixture));
		copyFileSync(fixture, path);
		// pi makes a new session of an empty file, which nobody has asked for.
		const isRefused = whyNotOpened(path) !== undefined && basename(fixture) !== "empty.jsonl";
		expect({ fixture, isRefused }).toEqual({ fixture, isRefused: piRefuses(path) !== undefined });
	}
});

test("and of random beginnings", () => {
	const line = fc.constantFrom(
		'{"type":"session","version":3,"id":"a","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}',
		'{"type":"session","id":7}',
		'{"type":"message","id":"1","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"x"}}',
		"",
		"  \t",
		"0",
		"null",
		"7",
		'"session"',
		"[]",
		"\uFEFF",
		'{"type":',
		"text",
		"\u2028",
	);
	const path = join(folder, "random.jsonl");
	let refused = 0;
	fc.assert(
		fc.property(
			fc.array(line, { minLength: 1, maxLength: 5 }),
			fc.constantFrom("\n", "\r\n"),
			fc.boolean(),
			(lines, end, ends) => {
				const text = lines.join(end) + (ends ? end : "");
				fc.pre(text !== "");
				writeFileSync(path, text);
				const isRefused = whyNotOpened(path) !== undefined;
				expect({ isRefused }).toEqual({ isRefused: piRefuses(path) !== undefined });
				if (isRefused) refused++;
			},
		),
		{ numRuns: caseCount(250, 500), seed: FIRST_SEED },
	);
	expect(refused).toBeGreaterThan(50);
});
