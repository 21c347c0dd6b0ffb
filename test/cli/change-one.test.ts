import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";
import { run, runIntoClosedPipe } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
let parser: string;
beforeEach(() => {
	parser = threeSessions(sandbox).parser;
});

const ID = "session-0001";

/** The same in every run: without the sandbox, the ids and the times of what was made. */
function stable(text: string): string {
	return text
		.replaceAll(sandbox.home, "HOME")
		.replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[\w-]+/g, "TIME_ID")
		.replace(/\b((\d+ )?[A-Z][a-z]{2} (\d{4} )?)?\d+:\d\d\b/g, "DATE TIME")
		.replace(/--\S+?--(?=\/)/g, "--DIR--")
		.replace(/\/20\d\d-[\dTZ-]*…/g, "/FILE…");
}

function json(...args: readonly string[]): Record<string, unknown> {
	return JSON.parse(run(sandbox, [...args, "--json", "--yes"]).out) as Record<string, unknown>;
}

function lastLine(path: string): Record<string, unknown> {
	return JSON.parse(readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "") as Record<string, unknown>;
}

test("a fork for a directory whose path is too long names the directory that cannot be made, and what to do", () => {
	const before = sandbox.fingerprints();
	const long = sandbox.directory(Array(9).fill("a-directory-with-a-long-name").join("/"));
	expect(run(sandbox, ["fork", ID, "--to", long, "--yes"])).toEqual({
		code: 2,
		out: "",
		err:
			"pi-grove: Cannot fork “Refactor the parser” into a new session: the directory for it cannot be made: " +
			"the name is too long for the file system (ENAMETOOLONG); it is made from the path of the project: " +
			"use a directory with a shorter path, or another --session-dir. " +
			`Path: ${defaultSessionDir(long, sandbox.agentDir)}\n`,
	});
	expect(sandbox.fingerprints()).toEqual(before);
});

test("rename: text, JSON, an empty name, the same name; undo takes each back", () => {
	expect(run(sandbox, ["rename", ID, "Import", "parser", "--yes"])).toEqual({
		code: 0,
		out: "",
		err: "Renamed “Refactor the parser” to “Import parser”\n",
	});
	expect(lastLine(parser)).toMatchObject({ type: "session_info", name: "Import parser" });
	const same = { path: parser, id: ID, name: "Import parser", before: "Import parser", changed: false };
	expect(json("rename", ID, "Import parser")).toEqual({ ...same, message: "“Import parser” already has that name" });
	expect(json("rename", parser, "")).toMatchObject({ name: "", before: "Import parser", changed: true });
	expect(json("undo")).toEqual({
		undone: true,
		changed: [parser],
		message: expect.stringMatching(/^Undone: clear the name “Import parser” \(made \w+ at \d+:\d\d\)$/),
	});
	expect(run(sandbox, ["undo", "-y"]).err).toMatch(
		/^Undone: rename “Refactor the parser” to “Import parser” \(made \w+ at \d+:\d\d\)\n$/,
	);
	expect(lastLine(parser)).toMatchObject({ type: "session_info", name: "Refactor the parser" });
	expect(run(sandbox, ["undo", "-y"])).toEqual({ code: 1, out: "", err: "There is nothing to undo\n" });
});

test("label: an entry gets one and loses it", () => {
	expect(json("label", `${ID}#00010001`, "works", "so far")).toEqual({
		path: parser,
		id: ID,
		entryId: "00010001",
		label: "works so far",
		before: "",
		changed: true,
		message: "Label “works so far” set in “Refactor the parser”",
	});
	expect(json("label", `${ID}#00010001`, "")).toMatchObject({ before: "works so far", label: "", changed: true });
	expect(lastLine(parser)).toMatchObject({ type: "label", targetId: "00010001" });
	expect(lastLine(parser).label).toBeUndefined();
});

test("branch and fork print where the new session is, also where nobody reads on; undo puts it into the trash", async () => {
	const content = readFileSync(parser, "utf8");
	const branched = run(sandbox, ["branch", `${ID}#00010001`, "-y"]);
	expect(branched).toMatchObject({ code: 0, err: "Branched “Refactor the parser” into a new session\n" });
	const path = branched.out.trimEnd();
	expect(JSON.parse(readFileSync(path, "utf8").split("\n")[0] ?? "")).toMatchObject({ parentSession: parser });
	const forked = json("fork", ID, "--to", sandbox.directory("work/site"));
	expect(forked).toMatchObject({ path: parser, cwd: join(sandbox.home, "work/site") });
	expect(stable(String(forked.created))).toBe("HOME/.pi/agent/sessions/--DIR--/TIME_ID.jsonl");
	expect(existsSync(String(forked.created))).toBe(true);
	expect(await runIntoClosedPipe(sandbox, ["fork", ID, "--yes"])).toMatchObject({ code: 0 });
	expect(readFileSync(parser, "utf8")).toBe(content);
	for (let undone = 0; undone < 3; undone += 1) expect(run(sandbox, ["undo", "-y"])).toMatchObject({ code: 0 });
	expect([path, String(forked.created)].filter(existsSync)).toEqual([]);
});

test("without a terminal and without --yes: what would be done is told, and nothing is", () => {
	const before = sandbox.fingerprints();
	const { code, out, err } = run(sandbox, ["rename", ID, "Other"]);
	expect({ code, out }).toEqual({ code: 2, out: "" });
	expect(stable(err)).toMatchInlineSnapshot(`
		"Refactor the parser
		  6 messages, DATE TIME, ~/.pi/agent/sessions/--DIR--/FILE…
		pi-grove: nothing was done: there is no terminal to ask at; use --yes to do it without asking
		"
	`);
	expect(run(sandbox, ["history"])).toEqual({ code: 1, out: "", err: "" });
	expect(sandbox.fingerprints()).toEqual(before);
});

describe("what cannot be done is said in a line, and ends with 2", () => {
	test.each([
		[["rename", ID], 'rename needs a name, or "" to clear it: pi-grove rename SESSION NAME'],
		[["rename"], "rename needs a session and a name: pi-grove rename SESSION NAME…"],
		[["rename", `${ID}#00010001`, "x"], "rename names a session, not its entry 00010001"],
		[["label", ID, "x"], "an entry is needed; pi-grove search and pi-grove show --tree print the ids of entries"],
		[["label", `${ID}#00010001`], 'label needs a label, or "" to remove it'],
		[["label", `${ID}#ffff`, "x"], "has an id that begins with ffff"],
		[["branch", `${ID}#0001`], "entries of"],
		[["fork", `${ID}#00010001`], "fork copies the whole tree; for the path to entry 00010001"],
		[["fork", ID, "--to", "nowhere"], "--to nowhere is not a directory"],
		[["delete", `${ID}#00010001`], "a session is deleted as a whole, not its entry 00010001"],
		[["delete", "ffff"], "has an id that begins with ffff"],
		[["delete", "session"], "3 sessions have an id that begins with session"],
		[["undo", "ffff"], "no change of the history has an id that begins with ffff; see pi-grove history"],
		[["restore", "ffff"], "ffff is not in the trash; pi-grove restore lists what is"],
		[["tidy", "emty"], "tidy takes empty, tiny and orphaned, not emty; did you mean empty?"],
		[["resume", ID, "--pi", "no-such-pi"], 'there is no program "no-such-pi" on the PATH'],
		[["resume", `${ID}#ffff`], "has an id that begins with ffff"],
	] as const)("%j", (args, message) => {
		const before = sandbox.fingerprints();
		const { code, out, err } = run(sandbox, [...args, ...(args[0] === "resume" ? [] : ["--yes"])]);
		expect({ code, out }).toEqual({ code: 2, out: "" });
		expect(err).toContain(message);
		expect(sandbox.fingerprints()).toEqual(before);
	});
});
