import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { ReaderDocument } from "../../../src/conversation/document/document.ts";
import { type PrintSettings, printedRows } from "../../../src/conversation/document/printed-rows.ts";
import { passagesOf } from "../../../src/conversation/entries/passages.ts";
import { placeOf } from "../../../src/conversation/entries/place.ts";
import type { RunLine } from "../../../src/conversation/entries/run-line.ts";
import { loadRenderers } from "../../../src/conversation/render/renderers.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { lineWidth } from "../../../src/ui/text/width.ts";
import { fixtureDir } from "../../support/fixture.ts";
import { textOfLine } from "../../support/reader.ts";

const renderers = await loadRenderers();
const PRINTING: PrintSettings = { width: 60, home: "/home/ada", full: false, colored: false, renderers };

function textOf(session: Session, printing: Partial<PrintSettings> = {}): string {
	return [...passagesOf(session, { of: "all" })]
		.flatMap((passage) => [...printedRows(session, passage, { ...PRINTING, ...printing })])
		.flatMap(({ rows }) => rows.map(({ line }) => textOfLine(line)))
		.join("\n");
}

test("every file of the fixtures is printed, no row wider than asked for, and nobody is told to press a key", async () => {
	for (const name of readdirSync(fixtureDir).filter((file) => file.endsWith(".jsonl"))) {
		const session = await readSession(join(fixtureDir, name));
		for (const passage of passagesOf(session, { of: "all" }))
			for (const full of [true, false])
				for (const { rows } of printedRows(session, passage, { ...PRINTING, full }))
					for (const { line } of rows) {
						expect(lineWidth(line)).toBeLessThanOrEqual(60);
						expect(textOfLine(line)).not.toMatch(/ o unfolds|unfolds$/);
					}
	}
});

test("what is folded is counted, and there is none where all is printed", async () => {
	const session = await readSession(join(fixtureDir, "every-entry-type.jsonl"));
	const count = (full: boolean) =>
		[...passagesOf(session, { of: "all" })]
			.flatMap((passage) => [...printedRows(session, passage, { ...PRINTING, full })])
			.reduce((sum, { folded }) => sum + folded, 0);
	expect(count(false)).toBeGreaterThan(0);
	expect(count(true)).toBe(0);
	expect(textOf(session, { full: true }).length).toBeGreaterThan(textOf(session).length);
});

test("code has its colors where it is printed in color", async () => {
	const session = await readSession(join(fixtureDir, "conversation.jsonl"));
	const tones = (colored: boolean) =>
		new Set(
			[...passagesOf(session, { of: "active" })]
				.flatMap((passage) => [...printedRows(session, passage, { ...PRINTING, full: true, colored })])
				.flatMap(({ rows }) => rows.flatMap(({ line }) => line.map(({ tone }) => tone))),
		);
	expect(tones(false).has("keyword")).toBe(false);
	expect(tones(true).has("keyword")).toBe(true);
});

test("the layout of what has been printed is not kept, and each entry is laid out once", async () => {
	const session = await readSession(join(fixtureDir, "conversation.jsonl"));
	const [passage = expect.fail()] = passagesOf(session, { of: "active" });
	// The runs of an entry are looked up whenever it is laid out.
	const runs = new Map<string, readonly RunLine[]>();
	const asked = vi.spyOn(runs, "get");
	const options = { page: false, toolsOpen: false, thinkingOpen: false, sideBySide: false, toggled: new Set<string>() };
	const context = { session, path: passage.path, place: placeOf(session, PRINTING.home), options, renderers, runs };
	const document = new ReaderDocument(context, 60, 1);
	for (const index of [0, 0, 1, 1, 0]) document.rows(index, 0);
	expect(asked.mock.calls).toEqual([0, 1, 0].map((index) => [passage.path[index]?.id]));
	const lexed: string[] = [];
	const readMarkdown = (text: string) => {
		lexed.push(text);
		return renderers.readMarkdown(text);
	};
	const counting = { ...PRINTING, renderers: { ...renderers, readMarkdown } };
	for (const { rows } of printedRows(session, passage, counting)) expect(rows).toBeDefined();
	expect(lexed.length).toBeGreaterThan(1);
	expect(new Set(lexed).size).toBe(lexed.length);
});
