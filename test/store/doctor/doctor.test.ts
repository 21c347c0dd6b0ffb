import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { examineSession, withSharedIds } from "../../../src/store/doctor/examine-session.ts";
import { repairSession } from "../../../src/store/doctor/repair-session.ts";
import { isDamaged } from "../../../src/store/format/diagnostic.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { mutateSession, seededRandom } from "../../support/mutate-session.ts";
import { randomSession } from "../../support/random-session.ts";
import { assistant, entry, header, message, toolResult, user } from "../../support/session-builder.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = tempDirOfFile();
const NOW = new Date("2026-02-01T00:00:00.000Z");
let count = 0;

function written(...lines: (string | Buffer)[]): string {
	const path = join(folder, `${count++}.jsonl`);
	writeFileSync(path, Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from("\n")]))));
	return path;
}

const codes = async (path: string): Promise<unknown[]> =>
	(await examineSession(path)).findings.map(({ code, line }) => (line === undefined ? [code] : [code, line]));

const call = (id: string, parent: string, second: number, callId: string): string =>
	assistant(id, parent, second, "", [{ type: "toolCall", id: callId, name: "bash", arguments: { command: "ls" } }]);

/** What is said in the copies of a file, in order; each copy is read and must have nothing wrong. */
async function repaired(path: string): Promise<{ said: string[][]; copies: ReturnType<typeof repairSession> }> {
	const before = readFileSync(path);
	const dir = join(folder, `copies ${count++}`);
	const copies = repairSession(path, dir, NOW);
	expect(readFileSync(path).equals(before)).toBe(true);
	expect(readdirSync(dir).sort()).toEqual(copies.map((copy) => copy.path.slice(dir.length + 1)).sort());
	const said: string[][] = [];
	for (const copy of copies) {
		const examined = await examineSession(copy.path);
		expect(examined.findings.filter(({ severity }) => severity === "damage")).toEqual([]);
		const session = await readSession(copy.path);
		expect(session.header?.parentSession).toBe(path);
		expect(session.entries).toHaveLength(copy.entries);
		said.push(session.entries.map(({ id }) => id));
	}
	return { said, copies };
}

describe("what is wrong is found and told by its line", () => {
	test.each<[name: string, lines: (string | Buffer)[], expected: unknown[], said: string[][]]>([
		["nothing", [header(), user("a", null, 1, "one")], [], [["a"]]],
		[
			"a line that is no JSON",
			[header(), user("a", null, 1, "one"), "{broken", user("c", "gone", 3, "three")],
			[
				["bad-line", 3],
				["missing-parent", 4],
			],
			[["a", "c"]],
		],
		[
			"a line twice",
			[header(), user("a", null, 1, "one"), user("a", null, 1, "one"), user("b", "a", 2, "two")],
			[["duplicate-id", 2]],
			[["a", "b"]],
		],
		[
			"a result without its call",
			[header(), user("a", null, 1, "one"), toolResult("b", "a", 2, "out"), user("c", "b", 3, "three")],
			[["orphaned-result", 3]],
			[["a", "c"]],
		],
		[
			"a result that answers its call",
			[header(), user("a", null, 1, "one"), call("b", "a", 2, "c1"), toolResult("c", "b", 3, "out")],
			[],
			[["a", "b", "c"]],
		],
		[
			"several results of one answer",
			[header(), call("b", "none", 2, "c1"), toolResult("c", "b", 3, "out"), toolResult("d", "c", 3, "out")],
			[["missing-parent", 2]],
			[["b", "c", "d"]],
		],
		["a cycle", [header(), user("a", "b", 1, "one"), user("b", "a", 2, "two")], [["parent-cycle", 2]], [["a", "b"]]],
		[
			"its own parent",
			[header(), user("a", "a", 1, "one"), user("b", "a", 2, "two")],
			[["parent-cycle", 2]],
			[["a", "b"]],
		],
		[
			"two sessions",
			[header(), user("a", null, 1, "one"), header({ id: "0198-bb" }), user("b", null, 1, "two")],
			[["several-sessions"], ["extra-header", 3]],
			[["a"], ["b"]],
		],
		[
			"two sessions of two versions",
			[header({ version: 2 }), user("a", null, 1, "one"), header({ id: "0198-bb" }), user("b", null, 1, "two")],
			[["several-sessions"], ["mixed-versions"], ["old-version", 1], ["extra-header", 3]],
			[["a"], ["b"]],
		],
		[
			"a second header within a session",
			[header(), user("a", null, 1, "one"), header(), user("b", "a", 2, "two")],
			[["extra-header", 3]],
			[["a", "b"]],
		],
		["no header", [user("a", null, 1, "one"), user("b", "a", 2, "two")], [["not-a-session"]], [["a", "b"]]],
		[
			"a header that comes later",
			[user("a", null, 1, "one"), header(), user("b", "a", 2, "two")],
			[["header-field", 2]],
			[["a", "b"]],
		],
		[
			"bytes that are not UTF-8",
			[header(), Buffer.from(user("a", null, 1, "o\u00ffe"), "latin1")],
			[["invalid-utf8", 2]],
			[["a"]],
		],
	])("%s", async (_name, lines, expected, said) => {
		const path = written(...lines);
		expect(await codes(path)).toEqual(expected);
		expect((await repaired(path)).said).toEqual(said);
	});

	test("a cut-off end", async () => {
		const path = join(folder, "torn.jsonl");
		writeFileSync(path, `${header()}\n${user("a", null, 1, "one")}\n{"type":"mess`);
		expect(await codes(path)).toEqual([["torn-tail", 3]]);
		const { copies } = await repaired(path);
		expect(copies[0]?.dropped.map(({ line }) => line)).toEqual([3]);
	});

	test("the same id in several files", async () => {
		const [one, other, third] = [written(header()), written(header()), written(header({ id: "0198-cc" }))];
		const all = withSharedIds([await examineSession(one), await examineSession(other), await examineSession(third)]);
		expect(
			all.map(({ findings }) => findings.map(({ code, message: text }) => `${code} ${text.includes(other)}`)),
		).toEqual([["same-id true"], ["same-id false"], []]);
	});
});

test("two entries of the same id both stay, and what follows each goes on from that one", async () => {
	const path = written(
		header(),
		user("a", null, 1, "one"),
		user("x", "a", 2, "first"),
		user("b", "x", 3, "after the first"),
		user("x", "b", 4, "second"),
		entry("label", "l", "x", 5, { targetId: "x", label: "second" }),
	);
	const { copies } = await repaired(path);
	const session = await readSession(copies[0]?.path ?? "");
	const [, first, after, second, label] = session.entries;
	expect(after?.parentId).toBe(first?.id);
	expect(second?.parentId).toBe(after?.id);
	expect(label).toMatchObject({ parentId: second?.id, targetId: second?.id });
	expect(copies[0]?.changes).toHaveLength(1);
});

test("what the file says becomes no part of a path, and no file is ever overwritten", async () => {
	const path = written(header({ id: "../../evil", timestamp: "../../2026" }), user("a", null, 1, "one"), "{");
	const dir = join(folder, "safe");
	mkdirSync(dir);
	for (let round = 0; round < 3; round++) repairSession(path, dir, NOW);
	const names = readdirSync(dir);
	expect(names).toHaveLength(3);
	for (const name of names) expect(name).toMatch(/^[-0-9TZ]+_[-0-9a-f]{36}\.jsonl$/);
	expect(() => repairSession(join(folder, "gone.jsonl"), dir)).toThrow("gone.jsonl");
	expect(() => repairSession(path, join(path, "below"))).toThrow("below");
});

test("what is said survives, or is told: any damage to any session", async () => {
	const base = [
		header(),
		user("00000001", null, 1, "one"),
		call("00000002", "00000001", 2, "c1"),
		toolResult("00000003", "00000002", 3, "out"),
		message("00000004", "00000003", 4, { role: "assistant", content: [{ type: "text", text: "done" }] }),
		user("00000005", "00000002", 5, "branch"),
		header({ id: "0198-bb" }),
		user("00000006", null, 6, "other"),
	].join("\n");
	const damaged = fc.oneof(
		randomSession,
		fc.nat().map((seed) => Buffer.from(mutateSession(base, seededRandom(seed)))),
	);
	await fc.assert(
		fc.asyncProperty(damaged, async (bytes) => {
			const path = join(folder, `${count++}.jsonl`);
			writeFileSync(path, bytes);
			const dir = join(folder, `any ${count++}`);
			const copies = repairSession(path, dir, NOW);
			expect(readFileSync(path).equals(bytes)).toBe(true);
			const dropped = copies.reduce((sum, copy) => sum + copy.dropped.length, 0);
			let kept = 0;
			for (const copy of copies) {
				const session = await readSession(copy.path);
				kept += session.entries.length;
				const severe = session.diagnostics.filter(({ code }) => code !== "entry-field" && code !== "header-field");
				expect(isDamaged(severe)).toBe(false);
				expect((await examineSession(copy.path)).findings.some(({ code }) => code === "orphaned-result")).toBe(false);
			}
			// Each line is an entry of a copy, or told to be left out, or a header, or blank.
			const session = await readSession(path);
			const objects = session.entries.length;
			if (copies.length > 0) expect(kept + dropped).toBeGreaterThanOrEqual(objects);
		}),
		{ numRuns: caseCount(120), seed: FIRST_SEED },
	);
});
