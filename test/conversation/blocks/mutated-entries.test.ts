import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { placeOf } from "../../../src/conversation/entries/place.ts";
import { describeRow } from "../../../src/conversation/entries/row.ts";
import { openCalls } from "../../../src/conversation/entries/step.ts";
import { addEntry, emptySum, sumParts } from "../../../src/conversation/entries/turn-sum.ts";
import { excerptMarkdown, excerptName } from "../../../src/conversation/markdown/excerpt.ts";
import { entryPlainText } from "../../../src/conversation/markdown/plain-text.ts";
import { drawEntryText } from "../../../src/conversation/tree/draw-entry.ts";
import { entryColumns } from "../../../src/conversation/tree/entry-columns.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { lineWidth } from "../../../src/ui/text/width.ts";
import { caseCount } from "../../support/cases.ts";
import { fixtureDir } from "../../support/fixture.ts";
import { queryOf } from "../../support/follow-search.ts";
import { readingOf } from "../../support/reader.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const root = tempDirOfFile();
const home = "/home/ada";

/** Lines that hold every type, role, block and field. */
const [header = "", ...whole] = ["every-entry-type", "pi-1.5.2", "v4-from-the-future"]
	.flatMap((name) => readFileSync(join(fixtureDir, `${name}.jsonl`), "utf8").split("\n"))
	.filter((line) => line !== "");

/** The paths to all values inside a value, its own included. */
function pathsIn(value: unknown): string[][] {
	if (typeof value !== "object" || value === null) return [[]];
	return [[], ...Object.entries(value).flatMap(([key, part]) => pathsIn(part).map((path) => [key, ...path]))];
}

/** A copy of the value with another one in place of the one at the path. */
function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
	if (key === undefined) return by;
	if (Array.isArray(value)) return value.map((part, index) => (`${index}` === key ? replaced(part, rest, by) : part));
	const fields = new Map(Object.entries(Object(value)));
	fields.set(key, replaced(fields.get(key), rest, by));
	return Object.fromEntries(fields);
}

const odd = fc.oneof(
	fc.jsonValue({ maxDepth: 3 }),
	fc.constantFrom<unknown>(
		"",
		"\u001b[31m\u009d52;c;x\u0007\u202e",
		"a\n\nb\r\tc",
		"constructor",
		"x".repeat(5000),
		-1,
		1e300,
		[],
		{},
	),
	fc.constantFrom("text", "image", "toolCall", "thinking", "toolResult", "bashExecution", "system", "__proto__"),
);

const mutated = fc
	.record({ line: fc.constantFrom(...whole), seed: fc.nat(), by: odd, again: fc.option(fc.tuple(fc.nat(), odd)) })
	.map(({ line, seed, by, again }) => {
		const change = (value: unknown, at: number, to: unknown) => {
			const paths = pathsIn(value);
			return replaced(value, paths[at % paths.length] ?? [], to);
		};
		const once = change(JSON.parse(line), seed, by);
		return JSON.stringify(again === null ? once : change(once, ...again));
	});

test("whatever a field holds, the entry has a row and a page that are safe to draw", async () => {
	const path = join(root, "session.jsonl");
	await fc.assert(
		fc.asyncProperty(fc.array(mutated, { minLength: 1, maxLength: 30 }), async (lines) => {
			writeFileSync(path, [header, ...lines, ""].join("\n"));
			const session = await readSession(path);
			const place = placeOf(session, home);
			const sum = emptySum();
			const columns = runToEnd(entryColumns(session));
			const plain = { selected: false, isTurns: true, query: queryOf("text"), isHit: true, now: 0 };
			const document = readingOf(session, { width: 70, options: { toolsOpen: true, thinkingOpen: true } });
			for (const [index, entry] of session.entries.entries()) {
				const row = describeRow(entry, session, place);
				for (const part of [
					row.text,
					row.said,
					...[row.verb, row.mark, ...row.outcome].map((one) => one?.text ?? ""),
				]) {
					expect(typeof part).toBe("string");
					expect(part.length).toBeLessThan(2000);
				}
				openCalls(entry, session, place);
				addEntry(sum, entry, session, place);
				const drawing = { ...plain, width: 70, session, columns, place, details: "times" } as const;
				const { left, right } = drawEntryText(entry, index, drawing, 60);
				const drawn = [...left, ...right];
				const page = document.pieces(index).flatMap((_, piece) => document.rows(index, piece));
				for (const { line } of page) expect(lineWidth(line)).toBeLessThanOrEqual(70);
				for (const { text } of [...drawn, ...page.flatMap(({ line }) => line)])
					expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
				expect(typeof entryPlainText(entry)).toBe("string");
				for (const of of ["entry", "turn", "branch"] as const) {
					const excerpt = { of, session, entryId: entry.id, title: row.text };
					expect([...excerptMarkdown(excerpt, home)].join("")).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
					expect(excerptName(excerpt)).toMatch(/^[\p{L}\p{M}\p{N}-]+$/u);
				}
			}
			expect(Number.isFinite(sum.workedMs)).toBe(true);
			expect(sumParts(sum).join()).not.toMatch(/NaN|undefined/);
		}),
		{ numRuns: caseCount(40) },
	);
});
