import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeRun, type RunSession, runsOf } from "../../../src/catalog/families/run.ts";
import type { RunReport } from "../../../src/catalog/families/run-report.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";

const report = (key: string, fields: Partial<RunReport> = {}): RunReport => ({
	key,
	entryId: `e-${key}`,
	agent: "scout",
	task: "look",
	state: "done",
	...fields,
});
const session = (id: string, minute: number, fields: Partial<RunSession> = {}): RunSession => ({
	path: `/s/${id}.jsonl`,
	id,
	created: new Date(minute * 60_000),
	...fields,
});
const ended = { ending: "" as const, endedMs: 90_000, turns: 2, model: "m" };

describe("the runs of a session", () => {
	test("are those that it reports and those whose sessions exist, as they began", () => {
		const reported = report("a", { file: "/s/a.jsonl", startedMs: 120_000 });
		const gone = report("b", { file: "/s/b.jsonl", startedMs: 60_000 });
		const [a, c] = [session("a", 2), session("c", 0)];
		expect(runsOf([a, c], [reported, gone])).toEqual([
			{ report: undefined, session: c },
			{ report: gone, session: undefined },
			{ report: reported, session: a },
		]);
	});

	test("that went on in the same session are two with one session, and neither is gone", () => {
		const first = report("a", { file: "/s/a.jsonl", startedMs: 0 });
		const again = report("b", { file: "/s/a.jsonl", startedMs: 9 });
		const a = session("a", 0);
		const runs = runsOf([a], [first, again]);
		expect(runs).toEqual([
			{ report: first, session: a },
			{ report: again, session: a },
		]);
		expect(runs.map((run) => describeRun(run, ended, { isLive: false }).isGone)).toEqual([false, false]);
	});

	test("that are running are reported by a call, which gets the first session of its agent after it", () => {
		const call = (key: string, minute: number, fields: Partial<RunReport> = {}) =>
			report(key, { isUnnamed: true, state: "running", startedMs: minute * 60_000, ...fields });
		const scout = session("s", 2, { name: "subagent-scout-0199aaaa-1" });
		const worker = session("w", 2, { name: "subagent-worker-0199aaaa-2" });
		const early = session("e", 0);
		const sessions = [worker, scout, early];
		const [first, second] = [call("a", 1), call("b", 1, { agent: "worker" })];
		expect(runsOf(sessions, [first, second])).toEqual([
			{ report: undefined, session: early },
			{ report: first, session: scout },
			{ report: second, session: worker },
		]);
		const failed = call("a", 1, { state: "failed" });
		expect(runsOf([scout], [failed])).toEqual([
			{ report: failed, session: undefined },
			{ report: undefined, session: scout },
		]);
	});

	test("are recognized by the run's id and index where the file is not where it was", () => {
		const reported = report("a", { file: "/old/a.jsonl", runId: "r1", index: 1 });
		const a = session("a", 0, { run: { runId: "r1", index: 1 } });
		expect(runsOf([a], [reported])).toEqual([{ report: reported, session: a }]);
	});
});

describe("a run", () => {
	const working = report("a", { state: "running", startedMs: 1, file: "/s/a.jsonl" });

	test.each([
		{ counts: ended, isLive: true, state: "running" },
		{ counts: ended, isLive: false, state: "done" },
		{ counts: { ...ended, ending: "failed" as const }, isLive: false, state: "failed" },
		{ counts: { ...ended, ending: "open-call" as const }, isLive: false, state: "interrupted" },
		{ counts: undefined, isLive: false, state: "interrupted" },
	])("that is reported as running is $state (live: $isLive)", ({ counts, isLive, state }) => {
		const facts = describeRun({ report: working, session: session("a", 0) }, counts, { isLive });
		expect(facts.state).toBe(state);
		expect(facts.endedMs).toBe(state === "running" ? undefined : counts?.endedMs);
	});

	test("is gone if it had a session; one in memory never had one", () => {
		const live = { isLive: false };
		expect(describeRun({ report: report("a", { file: "/x" }), session: undefined }, undefined, live).isGone).toBe(true);
		expect(describeRun({ report: report("a"), session: undefined }, undefined, live).isGone).toBe(false);
		const named = report("a", { sessionName: "writer#8ec55da3" });
		expect(describeRun({ report: named, session: undefined }, undefined, live).isGone).toBe(false);
	});

	test("that is not reported is described by its own session", () => {
		const named = session("a", 1, { name: "writer#8ec55da3" });
		expect(describeRun({ report: undefined, session: named }, ended, { isLive: false })).toEqual({
			agent: "writer",
			task: "",
			state: "done",
			startedMs: 60_000,
			endedMs: 90_000,
			model: "m",
			error: undefined,
			isGone: false,
		});
	});
});

describe("calls that wait", () => {
	const call = fc.record({
		agent: fc.constantFrom("", "scout", "worker", "workflow"),
		startedMs: fc.option(fc.integer({ min: 0, max: 9000 }), { nil: undefined }),
		context: fc.constantFrom(undefined, "fork" as const, "fresh" as const),
		state: fc.constantFrom("running" as const, "running" as const, "failed" as const),
	});
	const unreported = fc.record({
		ms: fc.integer({ min: 0, max: 9000 }),
		agent: fc.constantFrom("", "scout", "worker"),
		isFork: fc.boolean(),
	});
	const family = fc.record({
		calls: fc.array(call, { maxLength: 8 }),
		sessions: fc.array(unreported, { maxLength: 8 }),
	});

	test("get, in the order in which they began, the first session that may be theirs", () => {
		const property = fc.property(family, ({ calls, sessions }) => {
			const reports = calls
				.map((fields, at) => report(`${at}`, { isUnnamed: true, ...fields }))
				.sort((one, other) => (one.startedMs ?? 0) - (other.startedMs ?? 0));
			const free = new Set(
				sessions
					.map(({ ms, agent, isFork }, at) =>
						session(`${at}`, 0, { created: new Date(ms), run: { runId: undefined, index: undefined, agent, isFork } }),
					)
					.sort((one, other) => one.created.getTime() - other.created.getTime()),
			);
			const runs = runsOf([...free], reports);
			for (const one of reports) {
				const own = [...free].find(({ created, run }) => {
					if (run?.isFork && one.context === "fork") return true;
					const isLater = created.getTime() >= (one.startedMs ?? 0) - 2000;
					return isLater && (run?.agent === "" || ["", "workflow", run?.agent].includes(one.agent));
				});
				const expected = one.state === "running" ? own : undefined;
				if (expected !== undefined) free.delete(expected);
				expect(runs.find((run) => run.report === one)?.session).toBe(expected);
			}
			expect(runs.filter((run) => run.report === undefined).map((run) => run.session)).toEqual([...free]);
		});
		fc.assert(property, { seed: FIRST_SEED, numRuns: caseCount(300) });
	});

	test.each([
		{ what: "of their own", agent: (at: number) => `agent ${at}` },
		{ what: "of other agents", agent: () => "other" },
	])("look at each session a few times: sessions $what", ({ agent }) => {
		const looksFor = (count: number): number => {
			let looks = 0;
			const sessions = Array.from({ length: count }, (_, at) => ({
				path: `/${at}`,
				id: `${at}`,
				run: { runId: undefined, index: undefined, agent: agent(at) },
				get created() {
					looks += 1;
					return new Date(at * 1000);
				},
			}));
			const calls = sessions.map((_, at) =>
				report(`${at}`, { agent: `agent ${at}`, isUnnamed: true, state: "running", startedMs: at * 1000 }),
			);
			runsOf(sessions, calls);
			return looks;
		};
		// Sorting looks at them a little more often than in proportion.
		expect(looksFor(2000)).toBeLessThan(5 * looksFor(500));
	});
});
