import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	appendFileSync,
	copyFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { familyDirectory } from "../../src/catalog/model/run-place.ts";
import { inLong } from "../support/cases.ts";
import { copyFamily, sessionsOf } from "../support/copied-family.ts";
import { startFakePi } from "../support/fake-pi.ts";
import { run } from "../support/run.ts";
import { programPath, sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

function json<Result>(...args: readonly string[]): Result {
	return JSON.parse(run(sandbox, [...args, "--json"]).out) as Result;
}

/** Deletes sessions, and sends a signal when the first of them are in the trash. */
async function interrupted(paths: readonly string[], signal: NodeJS.Signals) {
	const child = spawn(process.execPath, [programPath, "delete", ...paths, "--yes", "--json"], {
		env: { ...process.env, ...sandbox.env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let [out, err] = ["", ""];
	child.stdout.on("data", (data) => {
		out += data;
	});
	child.stderr.on("data", (data) => {
		err += data;
	});
	const closed = once(child, "close");
	const files = join(sandbox.home, "data", "Trash", "files");
	while (child.exitCode === null && (!existsSync(files) || readdirSync(files).length < 3)) await delay(1);
	child.kill(signal);
	const [code] = await closed;
	return { code, out, err, gone: paths.filter((path) => !existsSync(path)) };
}

// Only on Linux can the trash be another one than the person's.
describe.skipIf(process.platform !== "linux")("delete and restore", () => {
	test("a session goes alone with --yes, and with --runs its runs go along, those beside it too", () => {
		const sessions = join(sandbox.agentDir, "sessions");
		const [nested, ...below] = sessionsOf(copyFamily("nested", sessions));
		const [named, beside = ""] = sessionsOf(copyFamily("agent-session", sessions));
		expect(below.length).toBeGreaterThan(1);
		const asked = run(sandbox, ["delete", nested]).err.replace(/\s+/g, " ");
		expect(asked).toContain(`its ${below.length} subagent runs stay in the list on their own.`);
		expect(asked).toContain(`2 Move it and its ${below.length} runs to the trash`);
		expect(run(sandbox, ["delete", nested, "--yes"])).toMatchObject({ code: 0 });
		expect([nested, ...below].filter(existsSync)).toEqual(below);
		// The run of the deleted session, with the run of that below it; first without an index, then from it.
		for (const args of [["list"], ["list", "--limit", "5"], ["list", "--since", "3000d"]]) {
			const { out } = run(sandbox, args);
			expect(out.split("\n").filter((line) => line.includes(familyDirectory(nested)))).toHaveLength(1);
		}
		expect(run(sandbox, ["undo", "--yes"])).toMatchObject({ code: 0 });
		expect(run(sandbox, ["delete", nested, named, "--runs", "--yes"])).toEqual({
			code: 0,
			out: "",
			err: `Moved ${below.length + 3} sessions to the trash (pi-grove undo brings them back)\n`,
		});
		expect([nested, ...below, named, beside].filter(existsSync)).toEqual([]);
	});

	test("the runs of a session in use stay with it; those of the others go along", async () => {
		const sessions = join(sandbox.agentDir, "sessions");
		const [nested, ...below] = sessionsOf(copyFamily("nested", sessions));
		const [fresh, ...others] = sessionsOf(copyFamily("fresh", sessions));
		for (const path of [nested, ...below, fresh, ...others]) utimesSync(path, 0, 0);
		const pi = await startFakePi(sandbox.home);
		await pi.runCommand(nested);
		expect(run(sandbox, ["delete", nested, fresh, "--runs"]).err).toContain(`Move ${others.length + 1} sessions`);
		const { deleted } = json<{ deleted: string[] }>("delete", nested, fresh, "--runs", "--yes");
		expect(deleted.toSorted()).toEqual([fresh, ...others].toSorted());
		expect([nested, ...below].filter(existsSync)).toEqual([nested, ...below]);
	});

	test("several sessions go as one step; the trash lists them; they come back by their ids, or by undo", () => {
		const { parser, retry, site } = threeSessions(sandbox);
		const before = sandbox.fingerprints();
		const refused = run(sandbox, ["delete", "session-0001", "session-0003"]);
		expect(refused).toMatchObject({ code: 2, out: "" });
		expect(refused.err).toMatch(/^Move 2 sessions to the trash\?\n {2}.*B, 8 messages\n/);
		expect(refused.err).toContain("  Refactor the parser\n");
		expect(refused.err).toMatch(/pi-grove: nothing was done: there is no terminal to ask at; .*--yes.*\n$/);
		expect(sandbox.fingerprints()).toEqual(before);

		expect(run(sandbox, ["delete", "session-0001", "session-0003", parser, "-y"])).toEqual({
			code: 0,
			out: "",
			err: "Moved 2 sessions to the trash (pi-grove undo brings them back)\n",
		});
		expect([parser, retry, site].map(existsSync)).toEqual([false, true, false]);
		const trash = json<{ id: string; path: string; trashed: string; title: string; fromHere: boolean }[]>("restore");
		expect(trash.map(({ id, path, title, fromHere }) => [id, path, title, fromHere]).toSorted()).toEqual([
			["session-0001", parser, "Refactor the parser", true],
			["session-0003", site, "検索を日本語に対応させて", true],
		]);
		expect(run(sandbox, ["restore", "--limit", "1"]).err).toMatch(/^2 sessions in the trash, .*B, 1 shown\n$/);

		expect(run(sandbox, ["restore", "session", "-y"])).toMatchObject({ code: 2, out: "" });
		expect(run(sandbox, ["restore", "session", "-y"]).err).toMatch(
			/2 sessions in the trash match session; name one by its path there:\n {2}\S+Trash\/files\/\S+ {2}.*\n {2}/,
		);
		expect(json("restore", "session-0003", "--yes")).toEqual({
			restored: [site],
			left: [],
			message: "Restored “検索を日本語に対応させて” from the trash",
		});
		// The restoring first, then the whole deletion.
		expect(run(sandbox, ["undo", "-y"]).err).toMatch(
			/^Undone: restore “検索を日本語に対応させて” from the trash \(made \w+ at \d+:\d\d\)\n$/,
		);
		expect(json("undo", "-y")).toEqual({
			undone: true,
			changed: expect.arrayContaining([parser, site]),
			message: expect.stringMatching(/^Undone: move 2 sessions to the trash \(made \w+ at \d+:\d\d\)$/),
		});
		expect(sandbox.fingerprints()).toEqual(before);
		expect(run(sandbox, ["restore"])).toEqual({ code: 1, out: "", err: "" });
	});

	test("a file that is in the place of a deleted one is never replaced", () => {
		const { parser, retry } = threeSessions(sandbox);
		run(sandbox, ["delete", parser, "-y"]);
		copyFileSync(retry, parser);
		const { code, err } = run(sandbox, ["restore", "session-0001", "-y"]);
		expect(code).toBe(2);
		expect(err).toContain("A file is in the place of “Refactor the parser”. It is never replaced.");
		expect(readFileSync(parser)).toEqual(readFileSync(retry));
		expect(json<unknown[]>("restore")).toHaveLength(1);
	});

	test("what is in use stays, and so does what may be; the others go", async () => {
		const three = threeSessions(sandbox);
		const { parser, retry, site } = three;
		// Written long before the pis were started.
		for (const path of Object.values(three)) utimesSync(path, 0, 0);
		const pi = await startFakePi(sandbox.home);
		await pi.runCommand(parser);
		const one = run(sandbox, ["delete", parser, "-y"]);
		expect(one).toMatchObject({ code: 2, out: "" });
		expect(one.err).toMatch(
			/^pi-grove: Refactor the parser is not deleted: it is in use\. pi \(pid \d+, .*\) is running a command for it\. Leave/,
		);
		const asked = run(sandbox, ["delete", parser, site]);
		expect(asked.err).toContain("1 is in use and is left out:");

		await startFakePi(join(sandbox.home, "work/api"), [], { PI_CODING_AGENT_DIR: sandbox.agentDir });
		const result = json<{ deleted: string[]; left: string[] }>("delete", parser, retry, site, "-y");
		expect(result).toEqual({
			deleted: [site],
			left: [parser, retry],
			message: "Moved “検索を日本語に対応させて” to the trash",
		});
		expect([parser, retry, site].map(existsSync)).toEqual([true, true, false]);
		// It may be in use no more than when a person agrees to it.
		expect(run(sandbox, ["delete", retry]).err).toContain("runs in its directory");
		expect(run(sandbox, ["resume", parser]).err).toMatch(/^This session is in use\n/);
		expect(run(sandbox, ["resume", `${parser}#00010001`, "--yes"]).err).toContain(
			"In use: nothing is added to this session",
		);
	});

	test("an undo that would take a session away asks while a pi may have it open", async () => {
		const { parser } = threeSessions(sandbox);
		const { created } = json<{ created: string }>("fork", parser, "-y");
		await startFakePi(join(sandbox.home, "work/api"), [], { PI_CODING_AGENT_DIR: sandbox.agentDir });
		const { code, err } = run(sandbox, ["undo"]);
		expect(code).not.toBe(0);
		expect(err).toMatch(/it is in use\. pi \(pid/i);
		expect(existsSync(created)).toBe(true);
	});

	const interruptions = [
		["SIGKILL", null],
		["SIGINT", 130],
		["SIGTERM", 143],
	] as const;

	describe.each(inLong(interruptions.slice(), interruptions.slice(0, 2)))("interrupted by %s", (signal, expected) => {
		test("what is done is one step, and one undo brings all back", async () => {
			const paths = Array.from({ length: 150 }, (_, index) =>
				sandbox.session({ project: "work", age: index + 1, messages: [{ role: "user", text: `Prompt ${index}` }] }),
			);
			const before = sandbox.fingerprints();
			run(sandbox, ["list"]);
			let ended = await interrupted(paths, signal);
			// On a busy machine it may be done before the signal comes.
			for (let tries = 1; tries < 5 && ended.gone.length === paths.length; tries += 1) {
				run(sandbox, ["undo", "-y"]);
				ended = await interrupted(paths, signal);
			}
			const { code, out, err, gone } = ended;
			expect(code).toBe(expected);
			expect(gone.length).toBeGreaterThan(2);
			expect(gone.length).toBeLessThan(150);
			if (signal !== "SIGKILL") {
				expect(err).toMatch(/^pi-grove: Stopped: Moved \d+ sessions to the trash; \d+ unchanged/);
				const told = JSON.parse(out) as { deleted: string[]; left: string[] };
				expect(told.deleted).toEqual(gone);
				expect(told.left).toHaveLength(150 - gone.length);
			}
			const undone = run(sandbox, ["undo", "-y"]);
			expect(undone).toMatchObject({ code: 0, out: "" });
			expect(undone.err).toMatch(/^Undone: move \d+ of 150 sessions to the trash \(made \w+ at \d+:\d\d\)\n$/);
			expect(sandbox.fingerprints()).toEqual(before);
			expect(run(sandbox, ["undo", "-y"]).err).toBe("There is nothing to undo\n");
		});
	});
});

test("history: text, JSON, --since, --limit; a change of it is undone by its id, after what depends on it", () => {
	const { parser } = threeSessions(sandbox);
	run(sandbox, ["rename", parser, "One", "-y"]);
	run(sandbox, ["rename", parser, "Two", "-y"]);
	run(sandbox, ["label", `${parser}#00010001`, "here", "-y"]);
	const all = json<{ id: string; what: string; fate: string; session: { path: string }; time: string }[]>("history");
	expect(all.map(({ what, fate, session }) => [what, fate, session.path])).toEqual([
		["set the label “here” in “Two”", "made", parser],
		["rename “One” to “Two”", "made", parser],
		["rename “Refactor the parser” to “One”", "made", parser],
	]);
	expect(json<unknown[]>("history", "--limit", "1")).toHaveLength(1);
	expect(json<unknown[]>("history", "--since", "2099-01-01")).toEqual([]);
	expect(run(sandbox, ["undo", all[2]?.id ?? "", "-y"])).toMatchObject({
		code: 2,
		err: expect.stringContaining("Undo first what depends on it: rename “One” to “Two”"),
	});
	expect(run(sandbox, ["undo", all[1]?.id ?? "", "-y"]).code).toBe(0);
	const { code, out, err } = run(sandbox, ["undo", all[2]?.id.slice(0, 8) ?? "", "-y"]);
	expect({ code, out, err }).toEqual({
		code: 0,
		out: "",
		err: expect.stringMatching(/^Undone: rename “Refactor the parser” to “One” \(made \w+ at \d+:\d\d\)\n$/),
	});
	const { out: text, err: count } = run(sandbox, ["history"]);
	expect(text.split("\n").map((line) => line.split("\t").slice(2))).toEqual([
		["set the label “here” in “Two”", ""],
		["rename “One” to “Two”", "undone"],
		["rename “Refactor the parser” to “One”", "undone"],
		[],
	]);
	expect(count).toBe("");
	expect(run(sandbox, ["undo", all[2]?.id ?? "", "-y"])).toMatchObject({
		code: 1,
		err: "It has already been undone\n",
	});
});

test("sessions of another directory have a history of their own, which is named", () => {
	const { parser } = threeSessions(sandbox);
	const elsewhere = sandbox.directory("elsewhere");
	const copy = join(elsewhere, "copy.jsonl");
	copyFileSync(parser, copy);
	expect(run(sandbox, ["rename", copy, "Copy", "-y"]).err).toBe(
		`Renamed “Refactor the parser” to “Copy”\nThese sessions have a history of their own: pi-grove undo --session-dir ${elsewhere}\n`,
	);
	expect(run(sandbox, ["undo", "-y"]).code).toBe(1);
	const both = run(sandbox, ["delete", parser, copy, "-y"]);
	expect(both).toMatchObject({ code: 2, out: "" });
	expect(both.err).toContain("are in different session directories");
	expect(run(sandbox, ["undo", "-y", "--session-dir", elsewhere]).code).toBe(0);
	expect(readFileSync(copy, "utf8").trimEnd()).toMatch(/"name":"Refactor the parser"\}$/);
});

test("a file that cannot be changed is named", () => {
	const empty = join(sandbox.directory("elsewhere"), "empty.jsonl");
	writeFileSync(empty, "");
	const failed = run(sandbox, ["rename", empty, "x", "-y"]);
	expect(failed).toMatchObject({ code: 2, out: "" });
	expect(failed.err).toMatch(/^pi-grove: Cannot rename .*: the file is empty.*Path: .*empty\.jsonl\n$/);
});

test("what somebody else has changed since is not taken back by --yes", () => {
	const { parser } = threeSessions(sandbox);
	run(sandbox, ["rename", parser, "Mine", "-y"]);
	const info = {
		type: "session_info",
		id: "ffff0001",
		parentId: null,
		timestamp: new Date().toISOString(),
		name: "Theirs",
	};
	appendFileSync(parser, `${JSON.stringify(info)}\n`);
	const { code, err } = run(sandbox, ["undo", "-y"]);
	expect(code).toBe(2);
	expect(err).toContain("Since then the name has been changed to “Theirs”.");
	expect(err).toContain("--yes does not cover this");
	expect(readFileSync(parser, "utf8").trimEnd()).toMatch(/"name":"Theirs"\}$/);
});

test("a change that cannot be undone is told, and stays the one to be undone", () => {
	const { parser } = threeSessions(sandbox);
	const forked = json<{ created: string }>("fork", parser, "-y").created;
	const said = { type: "message", id: "ffff0001", parentId: null, timestamp: new Date().toISOString() };
	appendFileSync(forked, `${JSON.stringify({ ...said, message: { role: "user", content: "More" } })}\n`);
	const { code, err } = run(sandbox, ["undo", "-y"]);
	expect(code).toBe(2);
	expect(err).toMatch(
		/^(?:pi-grove: )?Not undone: fork .*the session has 1 newer message; undo would lose it; undo tries again/i,
	);
	expect(existsSync(forked)).toBe(true);
});
