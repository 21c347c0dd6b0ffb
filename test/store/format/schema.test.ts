import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject, type RawEntry } from "../../../src/store/format/parse.ts";
import { repairEntry } from "../../../src/store/format/repair-entry.ts";
import {
	asUnknownEntry,
	FileEntrySchema,
	hasKnownRole,
	SessionEntrySchema,
	SessionHeaderSchema,
} from "../../../src/store/format/schema.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { fixtureDir } from "../../support/fixture.ts";

const root = join(import.meta.dirname, "../../..");

describe("what is read matches its types", () => {
	// The version from the future has blocks that no schema knows.
	const files = readdirSync(fixtureDir).filter((name) => name.endsWith(".jsonl") && !name.startsWith("v4"));
	test.each(files)("%s", async (name) => {
		const { header, entries } = await readSession(join(fixtureDir, name));
		if (header) expect(SessionHeaderSchema.safeParse(header).error).toBeUndefined();
		for (const entry of entries) {
			if (asUnknownEntry(entry) || (entry.type === "message" && !hasKnownRole(entry.message))) continue;
			expect(SessionEntrySchema.safeParse(entry).error, JSON.stringify(entry)).toBeUndefined();
		}
	});

	test("even where any field holds anything", () => {
		const block = fc.record({
			type: fc.constantFrom("text", "image", "thinking", "toolCall", 5),
			text: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
			name: fc.jsonValue({ maxDepth: 1 }),
			arguments: fc.jsonValue({ maxDepth: 1 }),
		});
		const content = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.array(block, { maxLength: 3 }));
		const any = fc.jsonValue({ maxDepth: 2 });
		const message = fc.record(
			{
				role: fc.constantFrom("user", "assistant", "toolResult", "bashExecution", "custom", "system"),
				content,
				usage: any,
				api: any,
				command: any,
				output: any,
				timestamp: any,
				errorMessage: any,
				isError: any,
				sections: any,
				toolsAdded: any,
				exitCode: any,
				excludeFromContext: any,
			},
			{ requiredKeys: ["role"] },
		);
		const types = SessionEntrySchema.options.map((option) => option.shape.type.value);
		const entry = fc.record(
			{
				type: fc.constantFrom(...types),
				message,
				summary: any,
				provider: any,
				modelId: any,
				targetId: any,
				label: any,
				name: any,
				content,
				customType: any,
				usage: any,
				replacement: any,
				systemMessage: any,
				note: any,
				fromHook: any,
				parentId: any,
				timestamp: any,
				thinkingLevel: any,
				tokensBefore: any,
			},
			{ requiredKeys: ["type"] },
		);
		fc.assert(
			fc.property(entry, (raw) => {
				const sound = repairEntry({ ...raw, id: "00000001" });
				const parsed = SessionEntrySchema.safeParse(sound.entry);
				const odd = sound.entry.type === "message" && !hasKnownRole(sound.entry.message);
				// A sound block in a message whose role has no such blocks is shown anyway.
				const misplaced = /"type":"(image|thinking|toolCall)"/.test(JSON.stringify(sound.entry));
				if (!odd && !misplaced) expect(parsed.error, JSON.stringify(sound.entry)).toBeUndefined();
			}),
			{ numRuns: 2000 },
		);
	});

	test("a sound entry is returned as it is", () => {
		for (const line of jsonLines(readFileSync(join(fixtureDir, "every-entry-type.jsonl"), "utf8"))) {
			if (line.type !== "session") expect(repairEntry(line)).toEqual({ entry: line, problems: [] });
		}
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
