import { expect, test } from "vitest";
import type { RunSession } from "../../../src/catalog/families/run.ts";
import type { RunReport } from "../../../src/catalog/families/run-report.ts";
import { placeRuns } from "../../../src/conversation/entries/place-runs.ts";
import type { Session } from "../../../src/store/read/read-session.ts";
import { assistant, message, sessionOf, user } from "../../support/session-builder.ts";

const BEGAN = Date.UTC(2026, 0, 1);

const call = (id: string) => ({ type: "toolCall", id, name: "subagent", arguments: {} });
const result = (id: string, parent: string, second: number, toolCallId: string): string =>
	message(id, parent, second, { role: "toolResult", toolCallId, toolName: "subagent", content: [], isError: false });

const asked = (callId: string, entryId = "b", fields: Partial<RunReport> = {}): RunReport => ({
	...{ key: `call:${callId}`, entryId, callId, agent: "worker", task: callId, state: "running", isUnnamed: true },
	startedMs: BEGAN + 2000,
	...fields,
});
const ownSession = (second: number, name = ""): RunSession => ({
	...{ path: `/runs/${second}.jsonl`, id: `s${second}`, name, created: new Date(BEGAN + second * 1000) },
});

/** "c: worker" for each run: the entry below which it stands, and whether its session is there. */
function placesOf(session: Session, sessions: readonly RunSession[], reports: readonly RunReport[]): readonly string[] {
	return placeRuns(session, sessions, reports).map(({ entryId, run }) => {
		const { report, session: own } = run;
		return [
			`${entryId}:`,
			...(report === undefined ? [] : [report.task]),
			...(own === undefined ? [] : [own.path]),
		].join(" ");
	});
}

const asking = [user("a", null, 1, "start"), assistant("b", "a", 2, "", [call("c1"), call("c2")])];

test("runs of several calls of one answer go to their results as these come", async () => {
	const reports = [asked("c1"), asked("c2")];
	expect(placesOf(await sessionOf(...asking), [], reports)).toEqual(["b: c1", "b: c2"]);
	// The call that still works is where it can be seen.
	const one = [...asking, result("r1", "b", 5, "c1")];
	expect(placesOf(await sessionOf(...one), [], reports)).toEqual(["r1: c1", "r1: c2"]);
	expect(placesOf(await sessionOf(...one, result("r2", "r1", 6, "c2")), [], reports)).toEqual(["r1: c1", "r2: c2"]);
});

test("a session that nobody names yet is the run of the call that waits for one", async () => {
	const session = await sessionOf(...asking);
	const named = ownSession(3, "subagent-scout-0badcafe-1");
	const reports = [asked("c1"), asked("c2", "b", { agent: "scout" })];
	expect(placesOf(session, [named], reports)).toEqual(["b: c1", "b: c2 /runs/3.jsonl"]);
	expect(placesOf(session, [ownSession(4)], reports)).toEqual(["b: c1 /runs/4.jsonl", "b: c2"]);
});

test("a run that the session does not report is below the last entry before it began", async () => {
	const session = await sessionOf(...asking, result("r1", "b", 5, "c1"), user("d", "r1", 60, "and now"));
	expect(placesOf(session, [ownSession(30), ownSession(90), ownSession(-1)], [])).toEqual([
		"a: /runs/-1.jsonl",
		"r1: /runs/30.jsonl",
		"d: /runs/90.jsonl",
	]);
});

test("the key of a run stays the same from its call to its end", async () => {
	const before = placeRuns(await sessionOf(...asking), [], [asked("c1"), asked("c2")]);
	const whole = await sessionOf(...asking, result("r1", "b", 5, "c1"), result("r2", "r1", 6, "c2"));
	const { isUnnamed: _, ...ended } = asked("c1", "b", {
		key: "run-7",
		runId: "run-7",
		state: "done",
		endedMs: BEGAN + 5000,
	});
	const after = placeRuns(whole, [{ ...ownSession(3), run: { runId: "run-7", index: 0 } }], [ended, asked("c2")]);
	expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
	expect(new Set(after.map(({ key }) => key)).size).toBe(2);
	expect(after[0]?.run.session?.path).toBe("/runs/3.jsonl");
});
