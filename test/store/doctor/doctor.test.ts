import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runToEnd } from "../../../src/shared/steps.ts";
import { type Examination, examineSteps } from "../../../src/store/doctor/examine-session.ts";
import { gravityOf, worstOf } from "../../../src/store/doctor/finding.ts";
import { planRepair, repairSession } from "../../../src/store/doctor/repair-session.ts";
import { isDamaged } from "../../../src/store/format/diagnostic.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED, inLong } from "../../support/cases.ts";
import { faultyFileSystem } from "../../support/faulty-file-system.ts";
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

const examined = (path: string): Examination => runToEnd(examineSteps(path));

const codes = (path: string): unknown[] =>
	examined(path).findings.map(({ code, line }) => (line === undefined ? [code] : [code, line]));

const call = (id: string, parent: string, second: number, callId: string): string =>
	assistant(id, parent, second, "", [{ type: "toolCall", id: callId, name: "bash", arguments: { command: "ls" } }]);

/** The texts in the copies of a file, in order; each copy is read and must be sound. */
async function repaired(path: string): Promise<{ said: string[][]; copies: ReturnType<typeof repairSession> }> {
	const before = readFileSync(path);
	const dir = join(folder, `copies ${count++}`);
	const copies = repairSession(path, dir, NOW);
	expect(readFileSync(path).equals(before)).toBe(true);
	expect(readdirSync(dir).sort()).toEqual(copies.map((copy) => copy.path.slice(dir.length + 1)).sort());
	const said: string[][] = [];
	for (const copy of copies) {
		expect(examined(copy.path).findings.filter((finding) => gravityOf(finding) !== "odd")).toEqual([]);
		const session = await readSession(copy.path);
		expect(session.header?.parentSession).toBe(path);
		expect(session.entries).toHaveLength(copy.entries);
		said.push(session.entries.map(({ id }) => id));
	}
	return { said, copies };
}

describe("problems are found and reported with their lines", () => {
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
			[["repeated-line", 3]],
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
			[["several-sessions"], ["old-version", 1], ["extra-header", 3], ["mixed-versions", 3]],
			[["a"], ["b"]],
		],
		[
			"a second header within a session",
			[header(), user("a", null, 1, "one"), header({ cwd: "/q" }), user("b", "a", 2, "two")],
			[["extra-header", 3]],
			[["a", "b"]],
		],
		[
			"lines of versions 1 and 2 in a file of version 3",
			[
				header(),
				user("a", null, 1, "one"),
				message("b", "a", 2, { role: "hookMessage", customType: "x", content: "two", display: true }),
				JSON.stringify({
					type: "message",
					timestamp: "2026-01-01T00:00:03.000Z",
					message: { role: "user", content: "three" },
				}),
			],
			[
				["mixed-versions", 3],
				["entry-field", 4],
			],
			[["a", "b", expect.any(String)]],
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
		expect(codes(path)).toEqual(expected);
		expect((await repaired(path)).said).toEqual(said);
	});

	test("a cut-off end", async () => {
		const path = join(folder, "torn.jsonl");
		writeFileSync(path, `${header()}\n${user("a", null, 1, "one")}\n{"type":"mess`);
		expect(codes(path)).toEqual([["torn-tail", 3]]);
		const { copies } = await repaired(path);
		expect(copies[0]?.dropped).toMatchObject({ total: 1, sentences: [expect.stringContaining("Line 3")] });
	});
});

test("two entries with the same id both stay, and what follows each continues from that one", async () => {
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
	expect(copies[0]?.changes.total).toBe(1);
});

test("very many bad lines: the first ones are reported, the rest are counted", () => {
	const path = join(folder, "bad.jsonl");
	const many = inLong(1_000_000, 100_000);
	writeFileSync(path, `${header()}\n${user("a", null, 1, "one")}\n${"{\n".repeat(many)}`);
	const { findings, totals } = examined(path);
	expect(totals).toEqual({ "bad-line": many });
	expect(findings.length).toBeLessThan(1000);
	expect(findings[0]).toMatchObject({ code: "bad-line", line: 3, text: "{" });
	const [copy] = planRepair(path);
	expect(copy?.dropped.total).toBe(many);
	expect(copy?.dropped.sentences.length).toBeLessThan(1000);
});

test("very many headers, cycles and missing parents take no longer each", () => {
	const many = inLong(10_000, 4_000);
	const headers = Array.from({ length: many }, (_, at) => header({ id: `0198-${at}` }));
	const joined = headers.flatMap((line, at) => [line, user(`h${at}`, at === 0 ? null : "h0", 1, "one")]);
	expect(examined(written(...joined)).sessions).toBe(1);
	const parted = headers.flatMap((line, at) => [line, user(`h${at}`, null, 1, "one")]);
	expect(examined(written(...parted))).toMatchObject({ sessions: many, totals: { "several-sessions": 1 } });
	const circle = Array.from({ length: many }, (_, at) => user(`c${at}`, `c${(at + 1) % many}`, 1, "one"));
	const path = written(header(), ...circle, ...circle.map((_, at) => user(`d${at}`, `gone${at}`, 2, "two")));
	expect(planRepair(path)).toMatchObject([{ entries: 2 * many, changes: { total: many + 1 } }]);
});

test("a line that is too long to be read is reported, and what follows it has a parent", () => {
	const path = join(folder, "huge.jsonl");
	const call = assistant("b", "a", 2, "x".repeat(65 * 1024 * 1024), [
		{ type: "toolCall", id: "c1", name: "bash", arguments: {} },
	]);
	writeFileSync(path, [header(), user("a", null, 1, "one"), call, toolResult("c", "b", 3, "out"), ""].join("\n"));
	expect(codes(path)).toEqual([["line-too-long", 3]]);
	expect(examined(path).findings[0]).toMatchObject({ entryId: "b" });
	expect(planRepair(path)).toMatchObject([{ entries: 3, dropped: { total: 0 }, changes: { total: 0 } }]);
});

test("a copy of another file beside it, by its name, is named as that", () => {
	const original = written(header(), user("a", null, 1, "one"));
	const copy = original.replace(".jsonl", " (1).jsonl");
	copyFileSync(original, copy);
	expect(codes(original)).toEqual([]);
	expect(examined(copy).findings).toMatchObject([
		{ code: "conflict-copy", message: `It is a copy of ${original} that another program made.` },
	]);
	rmSync(original);
	expect(codes(copy)).toEqual([]);
});

test("the worst finding of a file determines its severity", () => {
	const worst = (...lines: string[]): unknown => worstOf(examined(written(...lines)).findings);
	expect(worst(header(), user("a", null, 1, "one"))).toBeUndefined();
	expect(worst(header({ version: 2 }), user("a", null, 1, "one"))).toBe("odd");
	expect(worst(header({ version: 2 }), user("a", "a", 1, "one"))).toBe("loses");
	expect(worst("{", user("a", null, 1, "one"))).toBe("closed");
	expect(worst(`\uFEFF${header()}`, user("a", null, 1, "one"))).toBe("closed");
});

test("a repair does what was planned, only reads the original, and leaves nothing behind if it fails", () => {
	const path = written(header(), user("a", null, 1, "one"), "{", user("b", "gone", 2, "two"));
	chmodSync(path, 0o400);
	const before = statSync(path, { bigint: true });
	const planned = planRepair(path, NOW);
	const dir = join(folder, "planned");
	const [copy] = repairSession(path, dir, NOW);
	expect([copy]).toMatchObject(planned);
	const counter = { calls: 0 };
	repairSession(
		path,
		join(folder, "counted"),
		NOW,
		faultyFileSystem(() => {}, counter),
	);
	expect(counter.calls).toBeGreaterThan(4);
	for (let fail = 1; fail <= counter.calls; fail++) {
		const full = join(folder, `fault ${fail}`);
		let failed = "";
		const fs = faultyFileSystem((called, at) => {
			if (at !== fail) return;
			failed = called;
			throw Object.assign(new Error("disk error"), { code: "EIO" });
		});
		// The last calls come after the copy is complete: a directory that cannot be synced, a second name that stays.
		try {
			repairSession(path, full, NOW, fs);
			expect(examined(join(full, readdirSync(full).find((name) => !name.startsWith(".")) ?? "")).entries).toBe(2);
		} catch (error) {
			expect(String(error)).toContain("Cannot write the repaired copy: the disk reported an error");
			if (failed !== "unlink") expect(readdirSync(full)).toEqual([]);
		}
	}
	const after = statSync(path, { bigint: true });
	for (const field of ["ino", "mtimeNs", "ctimeNs", "size", "mode"] as const) expect(after[field]).toBe(before[field]);
	expect(statSync(copy?.path ?? "").mode & 0o777).toBe(0o600);
	expect(statSync(dir).mode & 0o777).toBe(0o700);
	expect(planRepair(written(header()))).toEqual([]);
});

test("the content of a file never becomes part of a path, and no file is ever overwritten", async () => {
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

test("after any damage to any session, texts survive or their loss is reported", async () => {
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
			const dropped = copies.reduce((sum, copy) => sum + copy.dropped.total, 0);
			let kept = 0;
			for (const copy of copies) {
				const session = await readSession(copy.path);
				kept += session.entries.length;
				const severe = session.diagnostics.filter(({ code }) => code !== "entry-field" && code !== "header-field");
				expect(isDamaged(severe)).toBe(false);
				expect(examined(copy.path).findings.some(({ code }) => code === "orphaned-result")).toBe(false);
			}
			// Each line is an entry of a copy, or reported as left out, or a header, or blank.
			const session = await readSession(path);
			const objects = session.entries.length;
			if (copies.length > 0) expect(kept + dropped).toBeGreaterThanOrEqual(objects);
		}),
		{ numRuns: caseCount(12, 120), seed: FIRST_SEED },
	);
});

test("a result of any answer above it is not an orphan, even with other answers between them in the file", () => {
	const parts = (order: readonly string[]): unknown[] => {
		const lines: Record<string, string> = {
			a: call("a", "u", 2, "c1"),
			b: call("b", "u", 3, "c2"),
			"a's": toolResult("d", "a", 4, "bash", ""),
			"b's": toolResult("e", "b", 5, "bash", "").replace('"c1"', '"c2"'),
			"none's": toolResult("f", "b", 6, "bash", ""),
		};
		return codes(written(header(), user("u", null, 1, "one"), ...order.map((name) => lines[name] ?? "")));
	};
	expect(parts(["a", "b", "a's", "b's"])).toEqual([]);
	expect(parts(["a", "b", "b's", "a's"])).toEqual([]);
	expect(parts(["b", "a", "a's", "b's", "none's"])).toEqual([["orphaned-result", 7]]);
});
