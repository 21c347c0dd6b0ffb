import { describe, expect, test } from "vitest";
import { joinReports } from "../../../src/catalog/families/join-reports.ts";
import { isReport } from "../../../src/catalog/families/report-reader.ts";
import { reportsIn } from "../../../src/catalog/families/reports-in.ts";
import { runNameOf } from "../../../src/catalog/families/run-name.ts";
import type { RunReport } from "../../../src/catalog/families/run-report.ts";
import { isSessionPath, runPlaceOf } from "../../../src/catalog/model/run-place.ts";
import { FAMILY_ROOTS, type FamilyFile, familyFiles, familyNames } from "../../support/family.ts";

function runsOf(file: FamilyFile): readonly RunReport[] {
	return joinReports(file.entries.flatMap(reportsIn));
}

/** What the parent of each family says of its runs. */
const RUNS: Readonly<Record<string, readonly Partial<RunReport>[]>> = {
	fresh: [
		{
			agent: "scout",
			task: "Find the routes",
			state: "done",
			context: "fresh",
			turns: 2,
			cost: 0.00256,
			callId: "call_1",
		},
	],
	fork: [{ agent: "adviser", task: "Check the plan", state: "done", context: "fork", turns: 1, cost: 0.0013 }],
	nested: [{ agent: "lead", task: "Explore the storage", state: "done", context: "fresh", turns: 2, cost: 0.00256 }],
	parallel: [
		{ agent: "checker", task: "Review the routes", state: "done", turns: 2, cost: 0.00256 },
		{
			agent: "checker",
			task: "Review the schema",
			state: "failed",
			error: '400: {"message":"The model is overloaded.","type":"invalid_request_error"}',
			cost: 0,
		},
	],
	chain: [
		{ agent: "planner", task: "Plan the rename", state: "done", turns: 1 },
		{ agent: "doer", task: "Carry out: Rename a to b.", state: "done", turns: 2, model: "local/small" },
	],
	// What it has cost is only in its own session.
	background: [{ agent: "counter", task: "Count the tests", state: "done", context: "fresh", isBackground: true }],
	waited: [{ agent: "counter", task: "Count the tests", state: "done", isBackground: true, turns: 2, cost: 0.00256 }],
	"old-parallel": [
		{ agent: "checker", task: "Review the routes", state: "done", index: 0, turns: 2, cost: 0.00256 },
		{ agent: "checker", task: "Review the schema", state: "failed", index: 1, cost: 0 },
	],
	"old-chain": [
		{ agent: "planner", task: "Plan the rename", state: "done", index: 0, turns: 1 },
		{ agent: "doer", state: "done", index: 1, turns: 2, model: "local/small" },
	],
	"agent-foreground": [
		{ agent: "Explore", task: "Find the routes", state: "done", turns: 2, tokens: 2200 },
		{ agent: "Explore", task: "Read the schema", state: "failed", turns: 1 },
	],
	"agent-background": [
		{ agent: "general-purpose", task: "Count tests", state: "done", isBackground: true },
		{ agent: "general-purpose", task: "Count others", state: "done", isBackground: true, tokens: 1070 },
	],
	"agent-session": [{ agent: "writer", task: "Write notes", state: "done", sessionName: "writer#a0000013", turns: 2 }],
	"agent-directory": [
		{ agent: "writer", task: "Write notes", state: "done", sessionName: "writer#a0000013", turns: 2 },
	],
	configured: [{ agent: "scout", task: "Find the routes", state: "done", context: "fresh", turns: 2 }],
};

test("there is a family of each kind", () => {
	expect([...familyNames].sort()).toEqual(Object.keys(RUNS).sort());
});

describe.each(Object.entries(RUNS))("the family %s", (name, expected) => {
	const [parent, ...others] = familyFiles(name);
	const sessions = others.filter(({ path }) => isSessionPath(path, FAMILY_ROOTS));
	const runs = runsOf(parent);

	test("has the runs that its parent has started, each once, with how it ended", () => {
		expect(
			runs.map(({ cost, ...run }) => ({ ...run, ...(cost === undefined ? {} : { cost: rounded(cost) }) })),
		).toEqual(expected.map((run) => expect.objectContaining(run)));
		for (const { isUnnamed, startedMs = 0, endedMs = 0, entryId } of runs) {
			expect(isUnnamed).toBeUndefined();
			expect(endedMs).toBeGreaterThanOrEqual(startedMs);
			expect(parent.entries.some(({ id, type }) => id === entryId && type === "message")).toBe(true);
		}
	});

	test("has the sessions of its runs where their paths, names and reports say", () => {
		for (const { path, entries } of sessions) {
			const names = entries.flatMap(({ type, name: given }) => (type === "session_info" ? [String(given)] : []));
			const mark = names.map(runNameOf).find((one) => one !== undefined);
			const report = [parent, ...sessions]
				.flatMap(runsOf)
				.find(
					({ runId, index, key }) =>
						(mark?.runId !== undefined && runId === mark.runId && index === mark.index) ||
						(mark?.agentId !== undefined && key.startsWith(mark.agentId)),
				);
			expect(report?.agent).toBe(mark?.agent);
			const place = runPlaceOf(path, FAMILY_ROOTS);
			// A session of @tintinweb/pi-subagents is beside its parent or in a directory of its own, and no report names it.
			if (name.startsWith("agent-")) expect([place, report?.file]).toEqual([undefined, undefined]);
			else if (name === "configured") {
				expect(place).toEqual({ parent: undefined, runId: report?.runId, index: 0, isFork: false });
				expect(report?.file).toBe(path);
			} else {
				expect([parent, ...sessions].map((file) => file.path)).toContain(place?.parent);
				expect(report?.file).toBe(path);
				expect(place?.isFork).toBe(name === "fork");
			}
		}
		// Every run that has a file has it in the family.
		for (const { file } of runs) if (file !== undefined) expect(sessions.map(({ path }) => path)).toContain(file);
	});

	test("loses no report by looking for signs of one first", () => {
		for (const { entries } of [parent, ...others])
			for (const entry of entries) if (reportsIn(entry).length > 0) expect(isReport(entry)).toBe(true);
	});
});

test("most entries show no sign of a report", () => {
	const [parent, ...others] = familyFiles("fresh");
	const entries = [parent, ...others].flatMap((file) => file.entries);
	expect(entries.filter(isReport).length).toBeLessThan(entries.length / 2);
});

test("a run of a run is reported by the run that started it", () => {
	const [parent, lead, reader] = familyFiles("nested").filter(({ path }) => isSessionPath(path, FAMILY_ROOTS));
	const [run] = lead === undefined ? [] : runsOf(lead);
	expect(run).toMatchObject({ agent: "reader", task: "Read the database layer", state: "done", file: reader?.path });
	expect(runPlaceOf(reader?.path ?? "", FAMILY_ROOTS)?.parent).toBe(lead?.path);
	expect(runPlaceOf(lead?.path ?? "", FAMILY_ROOTS)?.parent).toBe(parent?.path);
});

test("the steps of a chain follow each other, those of parallel runs do not", () => {
	const spans = (name: string) =>
		runsOf(familyFiles(name)[0]).map(({ startedMs = 0, endedMs = 0 }) => [startedMs, endedMs]);
	const [plan = [], patch = []] = spans("chain");
	expect(patch[0]).toBe(plan[1]);
	const [routes = [], schema = []] = spans("parallel");
	expect(schema[0]).toBe(routes[0]);
});

function rounded(cost: number): number {
	return Number(cost.toFixed(6));
}
