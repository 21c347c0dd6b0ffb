import { describe, expect, test } from "vitest";
import { checkShown } from "../../../src/app/world/effects/sessions/session-effects.ts";
import type { Host } from "../../../src/app/world/state/catalog-state.ts";
import { liveWithHost } from "../../../src/app/world/state/catalog-state.ts";
import type { RecentFile } from "../../../src/catalog/index/session-table.ts";
import { LiveSessions, type LiveSources } from "../../../src/catalog/live/live-sessions.ts";
import type { PiProcess } from "../../../src/catalog/live/processes.ts";
import type { LiveReport, UsedSession } from "../../../src/catalog/model/live.ts";
import { NO_MARKS } from "../../../src/catalog/model/marks.ts";
import { questionAbout } from "../../../src/changes/engine/ask.ts";
import { type Act, guard, guardAgain, type ShownSession } from "../../../src/changes/guard/guard.ts";
import { alsoOpen, whyNot } from "../../../src/changes/guard/guard-words.ts";
import { makeRow, NOW } from "../../support/rows.ts";

const HOUR = 3_600_000;
const CWD = "/home/me/project";
const AGENT_DIR = "/home/me/.pi/agent";
const PATH = `${AGENT_DIR}/sessions/--home-me-project--/2026-01-01T00-00-00-000Z_a.jsonl`;
const OTHER = `${AGENT_DIR}/sessions/--home-me-project--/2026-01-02T00-00-00-000Z_b.jsonl`;
const STARTED = NOW - HOUR;
/** As the name of the file says. */
const BEGUN = Date.parse("2026-01-01T00:00:00.000Z");

/** Last used before any pi of the table was started. */
const SESSION: UsedSession = { path: PATH, cwd: CWD, modified: new Date(NOW - 20 * HOUR) };

const file = (path: string, more: Partial<RecentFile> = {}): RecentFile => ({
	path,
	cwd: CWD,
	createdMs: NOW - 30 * HOUR,
	modifiedMs: NOW - 20 * HOUR,
	mtimeMs: NOW - 20 * HOUR,
	...more,
});

const pi = (more: Partial<PiProcess> = {}): PiProcess => ({
	pid: 4711,
	startedMs: STARTED,
	cwd: CWD,
	sessionArgument: undefined,
	continues: false,
	commandSession: undefined,
	agentDir: AGENT_DIR,
	...more,
});

/** What is on the machine, and what else has happened. */
interface World extends Partial<LiveSources> {
	readonly files?: readonly RecentFile[];
	readonly grew?: string;
	readonly host?: Host;
}

/** The report of the real code about such a machine. */
function reportOf({ files = [file(PATH)], grew, host, ...sources }: World): LiveReport {
	const live = new LiveSessions({
		pis: () => [],
		handOvers: () => [],
		notes: () => [],
		isRun: () => false,
		writers: () => new Map(),
		runs: () => true,
		now: () => NOW,
		agentDir: AGENT_DIR,
		...sources,
	});
	if (grew !== undefined) live.grew(grew, CWD, NOW - 1_000);
	return liveWithHost(
		live.report(() => files, [PATH]),
		host,
	);
}

/** The evidence, as a pattern, without the text before it in a refusal. */
function lastWords({ source }: RegExp): string {
	return source
		.replace(/^\^it .*?\\\. /, "")
		.replace(/( Leave that pi first\\\.)?\$$/, "")
		.replace("may be in use", "cannot be seen");
}

const noted = (path: string | undefined) => () => [{ pid: 4711, startedMs: STARTED, path }];
const hostOf = (path: string): Host => ({
	pi: "1.5.2",
	pid: 4711,
	open: { id: "x", cwd: CWD, path, leaf: null },
	busy: false,
	reportedMs: NOW,
});

/** take, move-leaf, move-back, resume, append: f(ree), a(sk), r(efuse). */
type Decisions = "fffff" | "rrraf" | "rrfaf" | "aaaaf" | "affff";
const ACTS: readonly Act[] = ["take", "move-leaf", "move-back", "resume", "append"];
const LETTERS = { free: "f", ask: "a", refuse: "r" } as const;

const WAYS: readonly (readonly [way: string, world: World, decisions: Decisions, words: RegExp | undefined])[] = [
	["nothing", {}, "fffff", undefined],
	[
		"handed over by us",
		{ handOvers: () => [{ path: PATH, pid: 4711, startedMs: STARTED }] },
		"rrraf",
		/^it is in use\. pi \(pid 4711, since .+\) was started with it\. Leave that pi first\.$/,
	],
	[
		"named in arguments",
		{ pis: () => [pi({ sessionArgument: PATH })] },
		"rrraf",
		/^it is in use\. pi .* was started with it\./,
	],
	[
		"--continue",
		{ pis: () => [pi({ continues: true })] },
		"rrraf",
		/^it is in use\. pi .* to continue the last session/,
	],
	[
		"the note of the extension",
		{ pis: () => [pi()], notes: noted(PATH) },
		"rrraf",
		/^it is in use\. pi \(pid 4711, since .+\) has it open\. Leave that pi first, or open another session there\.$/,
	],
	["the note where processes cannot be seen", { notes: noted(PATH) }, "rrraf", /^it is in use\. pi .* has it open\./],
	["a note of another session", { pis: () => [pi()], notes: noted(OTHER) }, "fffff", undefined],
	["a note of no session", { pis: () => [pi()], notes: noted(undefined) }, "fffff", undefined],
	[
		"a note of another session, although it was started with this one",
		{
			pis: () => [pi({ sessionArgument: PATH, continues: true })],
			handOvers: () => [{ path: PATH, pid: 4711, startedMs: STARTED }],
			notes: noted(OTHER),
		},
		"fffff",
		undefined,
	],
	[
		"the environment of a command",
		{ pis: () => [pi({ commandSession: PATH })] },
		"rrraf",
		/is running a command for it\./,
	],
	[
		"an open file",
		{
			writers: () => new Map([[PATH, [{ kind: "open", pid: 4712, startedMs: STARTED, program: "vim" }]]]),
		},
		"rrraf",
		/^it is in use\. vim \(pid 4712, since .+\) has its file open for writing\. Close it there first\.$/,
	],
	[
		"begun by a pi",
		{ pis: () => [pi({ startedMs: BEGUN - 500 })], files: [file(PATH, { createdMs: BEGUN })] },
		"rrraf",
		/^it is in use\. pi .* began it\./,
	],
	[
		"growth of which one pi can be the writer",
		{ pis: () => [pi()], grew: PATH },
		"rrraf",
		/^it is in use\. pi .* runs in its directory, and it was written to at .+\. Leave that pi first\.$/,
	],
	[
		"growth by nobody that is seen",
		{ grew: PATH },
		"rrfaf",
		/^it was written to just now\. It was written to at .+; by which program cannot be seen\. Wait until nothing has been written/,
	],
	[
		"growth beside a pi that says it has another one",
		{ pis: () => [pi()], notes: noted(OTHER), grew: PATH },
		"rrfaf",
		/^it was written to just now\./,
	],
	[
		"a pi in the same directory that shows nothing",
		{ pis: () => [pi()] },
		"aaaaf",
		/^it may be in use\. pi \(pid 4711, since .+\) runs in its directory; which session it has open cannot be seen\. Leave that pi first\.$/,
	],
	[
		"a pi there that is known to have another one",
		{ pis: () => [pi({ sessionArgument: OTHER })] },
		"affff",
		/may be in use/,
	],
	["a pi in another directory", { pis: () => [pi({ cwd: "/home/me/else" })] }, "fffff", undefined],
	["a pi of another agent directory", { pis: () => [pi({ agentDir: "/home/me/other/agent" })] }, "fffff", undefined],
	[
		"a pi of another agent directory that was given the file",
		{ pis: () => [pi({ agentDir: "/home/me/other/agent", sessionArgument: PATH })] },
		"rrraf",
		/was started with it/,
	],
	[
		"a pi of another agent directory that was given an id that is also this session's",
		{ pis: () => [pi({ agentDir: "/home/me/other/agent", sessionArgument: "a" })] },
		"fffff",
		undefined,
	],
	["named by its id", { pis: () => [pi({ sessionArgument: "a" })] }, "rrraf", /was started with it/],
	[
		"growth beside a pi of another agent directory",
		{ pis: () => [pi({ agentDir: "/x" })], grew: PATH },
		"rrfaf",
		/cannot be seen/,
	],
	["a pi whose environment cannot be read", { pis: () => [pi({ agentDir: undefined })] }, "aaaaf", /may be in use/],
	[
		"sessions outside of any agent directory",
		{ pis: () => [pi({ agentDir: "/home/me/other/agent" })], agentDir: undefined },
		"aaaaf",
		/may be in use/,
	],
	[
		"our own pi, which has it",
		{ pis: () => [pi()], host: hostOf(PATH) },
		"rrraf",
		/^it is in use\. It is open in the pi that you came from\. Open another one there first\.$/,
	],
	[
		"our own pi, which has another one",
		{ pis: () => [pi({ sessionArgument: PATH })], host: hostOf(OTHER) },
		"fffff",
		undefined,
	],
];

describe.each(WAYS)("%s", (_way, world, decisions, words) => {
	const report = reportOf(world);

	test.each(ACTS.map((act, at) => [act, decisions[at]] as const))("%s", (act, decision) => {
		const verdict = guard(act, report, SESSION);
		expect(LETTERS[verdict.decision]).toBe(decision);
		// The words are the same for all actions.
		if (verdict.decision === "free") expect(whyNot(verdict, NOW)).toBeUndefined();
		else expect(whyNot(verdict, NOW)).toMatch(words ?? /^never$/);
		// Evidence that a person was shown and agreed to is not asked about again; a refusal stays one.
		const again = guardAgain(act, report, { row: SESSION, uses: verdict.uses });
		expect(again.decision).toBe(verdict.decision === "ask" ? "free" : verdict.decision);
		expect(guardAgain(act, report, { row: SESSION, uses: [] }).decision).toBe(verdict.decision);
	});

	test("forward: what is asked, and what is seen when that is answered", async () => {
		const [, , decision] = decisions;
		const row = makeRow("a", { path: PATH, cwd: CWD, age: 20 * 60 });
		const change = { type: "forward", entryId: "a9" } as const;
		const { uses } = guard("move-back", report, row);
		const known = { live: report, marks: NO_MARKS, now: NOW, home: "/home/me", runsBelow: () => [] };
		const asked = questionAbout(change, [PATH], { ...known, rows: new Map([[PATH, row]]) });
		const { title, body, choices, index } = asked;
		const text = body.map((note) => (typeof note === "string" ? note : note.text)).join(" ");
		const acts = choices.findIndex((choice) => choice.effect !== undefined);
		if (decision === "r") expect([acts, title]).toEqual([-1, "In use: nothing is added to this session"]);
		else expect([acts, index, title]).toEqual([0, decision === "a" ? 1 : 0, "Continue from the end again?"]);
		if (decision !== "f" && words !== undefined) expect(text).toMatch(new RegExp(lastWords(words)));

		const checkUse = async (): Promise<LiveReport> => report;
		const effectOf = (shown: ShownSession) => ({ type: "change-sessions", change, sessions: [shown] }) as const;
		const unseen = await checkShown(effectOf({ row, uses: [] }), { checkUse });
		expect(unseen?.type).toBe(decision === "f" ? undefined : "in-use");
		const seen = await checkShown(effectOf({ row, uses }), { checkUse });
		expect(seen?.type).toBe(decision === "r" ? "in-use" : undefined);
	});
});

test("what is archived is listed by no pi, so that none may have it; one that was given its file has it", () => {
	const archived = { ...SESSION, archived: true } as const;
	expect(guard("take", reportOf({ pis: () => [pi()] }), archived).decision).toBe("free");
	expect(guard("take", reportOf({ notes: noted(PATH) }), archived).decision).toBe("refuse");
});

test("a line that is appended beside a pi that has the session says so; one that may have it is not named", () => {
	const said = (world: World): string => alsoOpen(guard("append", reportOf(world), SESSION), NOW);
	expect(said({ notes: noted(PATH) })).toMatch(/^\. pi \(pid 4711, since .+\) has it open\. It shows there/);
	expect([said({ pis: () => [pi()] }), said({ grew: PATH }), said({ host: hostOf(PATH) })]).toEqual(["", "", ""]);
});

test("a pi that appears, or another that is known to have it, is asked about again", () => {
	const before = guard("take", reportOf({ pis: () => [pi()] }), SESSION);
	const two = reportOf({ pis: () => [pi(), pi({ pid: 4712 })] });
	expect(guardAgain("take", two, { row: SESSION, uses: before.uses }).decision).toBe("ask");
});
