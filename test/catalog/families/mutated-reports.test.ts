import fc from "fast-check";
import { expect, test } from "vitest";
import { joinReports, mergeReports } from "../../../src/catalog/families/join-reports.ts";
import { isReport } from "../../../src/catalog/families/report-reader.ts";
import { reportsIn } from "../../../src/catalog/families/reports-in.ts";
import type { RunReport } from "../../../src/catalog/families/run-report.ts";
import { isObject } from "../../../src/shared/json.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { leastCpuMs } from "../../support/cpu-ms.ts";
import { familyFiles, familyNames } from "../../support/family.ts";
import { mutateSession, seededRandom } from "../../support/mutate-session.ts";

const texts = familyNames.flatMap((name) => familyFiles(name).map(({ text }) => text));
const details = texts
	.flatMap((text) => text.trimEnd().split("\n"))
	.filter((line) => reportsIn(JSON.parse(line)).length > 0);

const STATES = ["queued", "running", "done", "failed", "stopped", "timed out", "turn limit", "interrupted"];

/** A report is as its type says, whatever it was made of. */
function expectSound(report: RunReport): void {
	for (const [field, value] of Object.entries(report)) {
		const type =
			field === "isBackground" || field === "isUnnamed"
				? "boolean"
				: /Ms$|^(index|turns|tokens|cost)$/.test(field)
					? "number"
					: "string";
		expect([field, typeof value]).toEqual([field, type]);
		if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
	}
	expect(STATES).toContain(report.state);
	expect(report.task.length).toBeLessThanOrEqual(1000);
	expect((report.error ?? "").length).toBeLessThanOrEqual(1000);
	for (const amount of [report.index, report.turns, report.tokens, report.cost])
		expect(amount ?? 0).toBeGreaterThanOrEqual(0);
}

/** All that reads a line, on one line. */
function readLine(line: string): readonly RunReport[] {
	let entry: unknown;
	try {
		entry = JSON.parse(line);
	} catch {
		return [];
	}
	if (!isObject(entry)) return [];
	const reports = reportsIn(entry);
	for (const report of reports) expectSound(report);
	if (reports.length > 0) expect(isReport(entry)).toBe(true);
	return reports;
}

function expectJoined(reports: readonly RunReport[]): void {
	const joined = joinReports(reports);
	for (const report of joined) expectSound(report);
	expect(joined.length).toBeLessThanOrEqual(reports.length);
}

test("sessions with anything done to them are read, and what they report is sound", () => {
	for (let seed = FIRST_SEED; seed < FIRST_SEED + caseCount(400); seed += 1) {
		const random = seededRandom(seed);
		const text = texts[seed % texts.length] ?? "";
		expectJoined(mutateSession(text, random).split("\n").flatMap(readLine));
	}
});

const anything = fc.oneof(
	fc.jsonValue(),
	fc.constantFrom<unknown>(
		"__proto__",
		-1,
		1e308,
		"done",
		"x".repeat(5000),
		[],
		{},
		[null, {}],
		"2026-09-14T09:00:00.000Z",
	),
);

/** The value with another one somewhere inside. */
function withValue(value: unknown, places: readonly number[], other: unknown): unknown {
	const [place, ...rest] = places;
	if (place === undefined || typeof value !== "object" || value === null) return other;
	const keys = Object.keys(value);
	const key = keys[place % Math.max(1, keys.length)];
	if (key === undefined) return other;
	const copy: unknown = Array.isArray(value) ? [...value] : { ...value };
	Reflect.set(copy as object, key, withValue(Reflect.get(value, key), rest, other));
	return copy;
}

test("a wrong value anywhere in what a package has written costs no more than what it is about", () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...details),
			fc.array(fc.nat(40), { minLength: 1, maxLength: 8 }),
			anything,
			(line, places, other) => {
				expectJoined(readLine(JSON.stringify(withValue(JSON.parse(line), places, other))));
			},
		),
		{ numRuns: caseCount(2000) },
	);
});

test("one wrong field drops that fact, and no other", () => {
	const [parent] = familyFiles("fresh");
	const entry = parent.entries.find(({ message }) => isObject(message) && message.role === "toolResult");
	const [whole] = reportsIn(entry ?? {});
	const text = JSON.stringify(entry);
	const [report] = reportsIn(JSON.parse(text.replace(/"usage":\{"input"/, '"usage":7,"was":{"input"')));
	const { turns, tokens, cost, ...rest } = whole ?? ({} as RunReport);
	expect([turns, tokens, cost]).not.toContain(undefined);
	expect(report).toEqual(rest);
});

test("two reports of one run make one that is sound, and saying it again changes nothing", () => {
	const all = texts.flatMap((text) => text.trimEnd().split("\n")).flatMap(readLine);
	fc.assert(
		fc.property(fc.constantFrom(...all), fc.constantFrom(...all), (earlier, later) => {
			const merged = mergeReports(earlier, later);
			expectSound(merged);
			expect(merged.key).toBe(earlier.key);
			expect(mergeReports(merged, later)).toEqual(merged);
		}),
		{ numRuns: caseCount(1000) },
	);
});

test("results and notices of any size are read in bounded time", () => {
	const result = { agent: "scout", task: "x".repeat(200), exitCode: 0, usage: { input: 1, cost: 1 } };
	const entry = {
		type: "message",
		id: "a",
		timestamp: "2026-09-14T09:00:00.000Z",
		message: {
			role: "toolResult",
			toolName: "subagent",
			toolCallId: "c",
			details: { mode: "parallel", runId: "r", results: Array.from({ length: 20_000 }, () => result) },
		},
	};
	// Squared growth would take minutes.
	expect(leastCpuMs(() => expect(joinReports(reportsIn(entry))).toHaveLength(20_000), 1)).toBeLessThan(5000);
	const tasks = Array.from({ length: 20_000 }, () => ({ agent: "scout", task: "x" }));
	const content = [{ type: "toolCall", id: "c", name: "subagent", arguments: { tasks } }];
	const asked = reportsIn({ type: "message", id: "b", message: { role: "assistant", content } });
	const begun = asked.map(
		({ isUnnamed: _, ...report }, at): RunReport => ({
			...report,
			key: `r:${at}`,
			callId: `c${at}`,
			isBackground: true,
		}),
	);
	const ended = begun.map(
		({ callId: _, ...report }, at): RunReport => ({ ...report, key: `n:${at}`, state: "done", isUnnamed: true }),
	);
	const done = () => joinReports([...asked, ...begun, ...ended]).filter(({ state }) => state === "done");
	expect(leastCpuMs(() => expect(done()).toHaveLength(20_000), 1)).toBeLessThan(5000);
	const notice = { type: "custom_message", customType: "subagent-notify", id: "n" };
	for (const content of [
		`Background tasks completed (9): ${"**a**, ".repeat(20_000)}\n${"\n1. a\n".repeat(20_000)}`,
		`${"\nChild runs: a=b (".repeat(50_000)}`,
	])
		expect(leastCpuMs(() => reportsIn({ ...notice, content }), 1)).toBeLessThan(5000);
});
