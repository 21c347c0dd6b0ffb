import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { migrateSessionEntries } from "../../src/store/format/migrate.ts";
import { parseSessionEntries } from "../../src/store/format/parse.ts";
import type { SessionEntry } from "../../src/store/format/schema.ts";
import { SessionManager as OurManager } from "../../src/store/manager/session-manager.ts";
import { loadEntriesFromFile } from "../../src/store/read/load-file.ts";
import { buildSessionContext } from "../../src/store/tree/context.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";
import { stateOf } from "./normal.ts";
import * as pi from "./pi.ts";
import { noteIds, type Side } from "./side.ts";

const root = tempDirOfFile();

const time = (second: number) => new Date(Date.UTC(2025, 10, 20, 23, 0, second)).toISOString();
const message = fc.constantFrom<object>(
	{ role: "user", content: "hello", timestamp: 1 },
	{ role: "user", content: null, timestamp: 1 },
	{ role: "assistant", content: [{ type: "text", text: "hi" }], provider: "anthropic", model: "claude", timestamp: 2 },
	{ role: "hookMessage", customType: "ci", content: "green", display: true, timestamp: 3 },
	{ role: "toolResult", toolCallId: "c", toolName: "read", content: [], isError: false, timestamp: 4 },
);
const lineV1 = fc.oneof(
	{ weight: 6, arbitrary: message.map((value): object => ({ type: "message", message: value })) },
	{ weight: 1, arbitrary: fc.constant<object>({ type: "model_change", provider: "openai", modelId: "gpt-4o" }) },
	{ weight: 1, arbitrary: fc.constant<object>({ type: "thinking_level_change", thinkingLevel: "high" }) },
	{
		weight: 2,
		arbitrary: fc
			.nat({ max: 12 })
			.map((index): object => ({ type: "compaction", summary: "s", firstKeptEntryIndex: index, tokensBefore: 9 })),
	},
	{ weight: 1, arbitrary: fc.constant<object>({ type: "future_thing", kept: { deeply: [1, 2] } }) },
);
const badLine = fc.constantFrom("", "  ", "no json", '{"half":');

/** The text of a file of version 1 or 2, now and then with a bad line. */
const oldFile = fc
	.record({
		version: fc.constantFrom(undefined, 1, 2),
		lines: fc.array(fc.oneof({ weight: 8, arbitrary: lineV1 }, { weight: 1, arbitrary: badLine }), { maxLength: 20 }),
		newline: fc.boolean(),
	})
	.map(({ version, lines, newline }) => {
		const header = {
			type: "session",
			...(version ? { version } : {}),
			id: "old",
			timestamp: time(0),
			cwd: "/home/ada",
		};
		const text = [JSON.stringify(header)];
		let parentId: string | null = null;
		for (const [index, line] of lines.entries()) {
			if (typeof line === "string") {
				text.push(line);
				continue;
			}
			const id: string = `0000000${index.toString(16)}`.slice(-8);
			const { firstKeptEntryIndex: _, ...rest } = line as { firstKeptEntryIndex?: number };
			const linked = version === 2 ? { ...rest, id, parentId, firstKeptEntryId: parentId ?? "" } : line;
			text.push(JSON.stringify({ ...linked, timestamp: time(index + 1) }));
			parentId = id;
		}
		return text.join("\n") + (newline ? "\n" : "");
	});

let counter = 0;
function written(text: string): string {
	counter += 1;
	const path = join(root, `${counter}.jsonl`);
	writeFileSync(path, text);
	return path;
}

function side(manager: Side["manager"]): Side {
	const made: Side = { manager, ids: [], history: new Set(), open: () => manager };
	noteIds(made);
	return made;
}

test("opens a file of an old version as pi does", () => {
	fc.assert(
		fc.property(oldFile, (text) => {
			const ours = side(OurManager.open(written(text)));
			const theirs = side(pi.SessionManager.open(written(text)));
			expect(stateOf(ours, root)).toEqual(stateOf(theirs, root));
		}),
		{ numRuns: 1000 },
	);
});

test("writes, with the first append, a file in which pi finds the same, bad lines and all", () => {
	fc.assert(
		fc.property(oldFile, (text) => {
			const path = written(text);
			const manager = OurManager.open(path);
			expect(readFileSync(path, "utf8")).toBe(text);
			manager.appendSessionInfo("named");
			const copy = `${path}.copy.jsonl`;
			copyFileSync(path, copy);
			expect(stateOf(side(pi.SessionManager.open(copy)), root)).toEqual(stateOf(side(OurManager.open(path)), root));
			const bad = (lines: string) => lines.split("\n").filter((line) => /^(no json|\{"half":)$/.test(line));
			expect(bad(readFileSync(path, "utf8"))).toEqual(bad(text));
			expect(JSON.stringify(OurManager.open(path).getEntries())).toBe(JSON.stringify(manager.getEntries()));
		}),
		{ numRuns: 500 },
	);
});

test("parses, loads, migrates and builds contexts with the functions as pi does", () => {
	fc.assert(
		fc.property(oldFile, (text) => {
			const path = written(`${text}\n`);
			if (pi.loadEntriesFromFile) expect(loadEntriesFromFile(path)).toEqual(pi.loadEntriesFromFile(path));
			const ours = parseSessionEntries(text);
			const theirs = pi.parseSessionEntries(text);
			expect(ours).toEqual(theirs);
			migrateSessionEntries(ours);
			pi.migrateSessionEntries(theirs);
			const ourEntries = ours.filter((entry): entry is SessionEntry => entry.type !== "session");
			const theirEntries = theirs.filter((entry): entry is pi.SessionEntry => entry.type !== "session");
			expect(ourEntries.map((entry) => entry.type)).toEqual(theirEntries.map((entry) => entry.type));
			expect(buildSessionContext(ourEntries)).toEqual(pi.buildSessionContext(theirEntries));
			expect(buildSessionContext(ourEntries, null)).toEqual(pi.buildSessionContext(theirEntries, null));
			expect(buildSessionContext(ourEntries, "unknown")).toEqual(pi.buildSessionContext(theirEntries, "unknown"));
		}),
		{ numRuns: 1000 },
	);
});
