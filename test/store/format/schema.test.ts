import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject } from "../../../src/shared/json.ts";
import { asUnknownEntry, ENTRY_FIELDS, hasKnownRole, MESSAGE_FIELDS } from "../../../src/store/format/entry-fields.ts";
import type { RawEntry } from "../../../src/store/format/raw-entry.ts";
import { repairEntry } from "../../../src/store/format/repair-entry.ts";
import { FileEntrySchema, SessionEntrySchema, SessionHeaderSchema } from "../../../src/store/format/schema.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount } from "../../support/cases.ts";
import { fixtureDir } from "../../support/fixture.ts";

const root = join(import.meta.dirname, "../../..");

describe("what is read matches its types", () => {
	// The future version has blocks that no schema knows.
	const files = readdirSync(fixtureDir).filter((name) => name.endsWith(".jsonl") && !name.startsWith("v4"));
	test.each(files)("%s", async (name) => {
		const { header, entries } = await readSession(join(fixtureDir, name));
		if (header) expect(SessionHeaderSchema.safeParse(header).error).toBeUndefined();
		for (const entry of entries) {
			if (asUnknownEntry(entry) || (entry.type === "message" && !hasKnownRole(entry.message))) continue;
			expect(SessionEntrySchema.safeParse(entry).error, JSON.stringify(entry)).toBeUndefined();
		}
	});

	test("even if any field holds anything", () => {
		const block = fc.record({
			type: fc.constantFrom("text", "image", "thinking", "toolCall", 5),
			text: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
			name: fc.jsonValue({ maxDepth: 1 }),
			arguments: fc.jsonValue({ maxDepth: 1 }),
		});
		const content = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.array(block, { maxLength: 3 }));
		const any = fc.jsonValue({ maxDepth: 2 });
		const fieldsIn = (fields: object, typical: object) =>
			fc.record(
				{ ...Object.fromEntries(Object.keys(fields).map((name) => [name, any])), ...typical },
				{ requiredKeys: [] },
			);
		const message = fc.oneof(
			...Object.entries(MESSAGE_FIELDS).map(([role, fields]) =>
				fieldsIn(fields, { content, timestamp: any }).map((message) => ({ ...message, role })),
			),
		);
		const entry = fc.oneof(
			...Object.entries(ENTRY_FIELDS).map(([type, fields]) =>
				fieldsIn(fields, { message: fc.oneof(message, any), content, parentId: any, timestamp: any }).map((entry) => ({
					...entry,
					type,
				})),
			),
		);
		fc.assert(
			fc.property(entry, (raw) => {
				const sound = repairEntry({ ...raw, id: "00000001" });
				const parsed = SessionEntrySchema.safeParse(sound.entry);
				// In a damaged entry the message may be anything, and then has no role.
				const odd = sound.entry.type === "message" && !hasKnownRole(sound.entry.message);
				// A valid block in a message whose role has no such blocks is shown anyway.
				const misplaced = /"type":"(image|thinking|toolCall)"/.test(JSON.stringify(sound.entry));
				if (!odd && !misplaced) expect(parsed.error, JSON.stringify(sound.entry)).toBeUndefined();
			}),
			{ numRuns: caseCount(200) },
		);
	});

	test.each(["every-entry-type", "pi-1.5.2"])("a sound entry is returned as it is: %s", (name) => {
		for (const line of jsonLines(readFileSync(join(fixtureDir, `${name}.jsonl`), "utf8"))) {
			if (line.type !== "session") expect(repairEntry(line)).toEqual({ entry: line, problems: [] });
		}
	});

	test("a damaged record of nested calls is left out", () => {
		const nestedCalls = { calls: [{ name: "read", durationMs: "5" }, 7, { name: "bash", status: "ok" }], complete: 1 };
		const message = { role: "toolResult", toolCallId: "c", toolName: "x", content: [], nestedCalls, durationMs: "1" };
		const { entry, problems } = repairEntry({ type: "message", id: "1", parentId: null, timestamp: "", message });
		expect(entry).toMatchObject({ message: { durationMs: undefined, nestedCalls: undefined } });
		expect(problems).toEqual([
			"its message's `nestedCalls` is of the wrong type",
			"its message's `durationMs` is of the wrong type",
		]);
	});
});

describe("the fixtures of what pi writes", () => {
	const files = readdirSync(fixtureDir).filter((name) => /^(every-entry-type|pi-[\d.]+)\.jsonl$/.test(name));
	const page = files.flatMap((name) => jsonLines(readFileSync(join(fixtureDir, name), "utf8")));
	const messages = page.flatMap(({ message }) => (isObject(message) ? [message] : []));
	const fieldsOfAll = (lines: readonly RawEntry[]) => [...new Set(lines.flatMap(Object.keys))];

	test.each(Object.entries(ENTRY_FIELDS))("have an entry %s with each of its fields", (type, fields) => {
		const found = fieldsOfAll(page.filter((line) => line.type === type));
		expect(found).toEqual(expect.arrayContaining(Object.keys(fields)));
	});

	// The summaries are never stored as messages.
	const stored = Object.entries(MESSAGE_FIELDS).filter(([role]) => !role.endsWith("Summary"));
	test.each(stored)("have a message of %s with each of its fields", (role, fields) => {
		const found = fieldsOfAll(messages.filter((message) => message.role === role));
		expect(found).toEqual(expect.arrayContaining(Object.keys(fields)));
	});
});

describe("a repair reports", () => {
	const base = { id: "00000001", parentId: null, timestamp: "2026-01-05T09:00:00.000Z" };
	const problemsOf = (raw: RawEntry) => repairEntry({ ...base, ...raw }).problems;
	const zeros = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

	test("a field of the wrong type, and a missing one unless old files leave it out", () => {
		expect(problemsOf({ type: "model_change", provider: 1 })).toEqual([
			"its `provider` is of the wrong type",
			"its `modelId` is missing",
		]);
		expect(problemsOf({ type: "compaction", summary: "s", fromHook: null, details: 5 })).toEqual([]);
		expect(problemsOf({ type: "custom", customType: "t", data: [null], timestamp: 5 })).toEqual([
			"its `timestamp` is not text",
		]);
		expect(problemsOf({ type: "context_edit", targetId: "00000001" })).toEqual([
			"its `replacement` is neither null nor content; it is shown as leaving the target out",
		]);
		expect(problemsOf({ type: "toString" })).toEqual([]);
	});

	test("nothing if an answer has only a part of its usage", () => {
		const message = { role: "assistant", content: [], usage: { input: 5, reasoning: "x", more: 1 }, timestamp: 1 };
		const { entry, problems } = repairEntry({ ...base, type: "message", message });
		expect(problems).toEqual([]);
		const usage = { ...zeros, input: 5, reasoning: undefined, more: 1, cost: { ...zeros, total: 0 } };
		expect(entry).toMatchObject({ message: { usage } });
		expect(problemsOf({ type: "usage", kind: "cache_warm", usage: {} })).toEqual(["its `usage` is of the wrong type"]);
	});
});

describe("docs/format.md", () => {
	const page = readFileSync(join(root, "docs/format.md"), "utf8");
	const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].flatMap(([, block]) => jsonLines(block ?? ""));

	test("has only lines that the schemas accept", () => {
		expect(examples.length).toBeGreaterThan(10);
		for (const line of examples) expect(FileEntrySchema.safeParse(line).error, JSON.stringify(line)).toBeUndefined();
	});

	test("has a section and an example for each entry type", () => {
		const shown = new Set(examples.map(({ type }) => type));
		for (const option of SessionEntrySchema.options) {
			const type = option.shape.type.value;
			expect(page).toContain(`### \`${type}\``);
			expect(shown).toContain(type);
		}
	});
});

function jsonLines(text: string): RawEntry[] {
	return text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line))
		.filter(isObject);
}
