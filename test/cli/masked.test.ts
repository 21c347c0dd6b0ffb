import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { run as runProgram } from "../support/run.ts";
import { Sandbox } from "../support/sandbox.ts";

const sandbox = new Sandbox();
afterAll(() => sandbox.remove());
const KEY = "ghp_0001zQ8xW3vK7rT2yU6nB1mC5dF9gH4jL0pS";

sandbox.session({
	project: "work/api",
	age: 5,
	messages: [
		{ role: "user", text: `Deploy the zebra ${"with care ".repeat(14)}${KEY} of ada@lovelace.org` },
		{ role: "assistant", text: `It lies in ${sandbox.home}/work/api/zebra.txt.` },
	],
});

function run(...args: string[]) {
	return runProgram(sandbox, args);
}

test("search --masked: no secret and no part of one is in what was found, wherever the text was cut", () => {
	for (const query of ["zebra", "care", "role:user", KEY.slice(0, 12)]) {
		const { out } = run("search", "--masked", "--json", "--", query);
		expect(out).not.toMatch(/ghp_|zQ8|ada@lovelace/);
		expect(out).not.toContain(sandbox.home);
	}
	expect(run("search", "--json", "care").out).toContain("ghp_");
	const [found] = JSON.parse(run("search", "--masked", "--json", "zebra").out);
	expect(found).toMatchObject({ id: "session-0001", cwd: "~/work/api", kind: expect.any(String) });
	expect(found.path).toMatch(/^~\/\.pi\/agent\/sessions\/.*\.jsonl$/);
	// It is an address like any other.
	expect(run("path", found.path).code).toBe(0);
});

test("show --masked: in every form, the facts of the session too", () => {
	for (const form of [[], ["--markdown"], ["--json"], ["--tree"], ["--markdown", "--json", "--max-chars", "9000"]]) {
		const { code, out } = run("show", "session-0001", "--masked", ...form);
		expect(code).toBe(0);
		// A row of the tree ends before it.
		if (!form.includes("--tree")) expect(out).toContain("‹key 1›");
		expect(out).not.toMatch(/ghp_|zQ8|ada@lovelace/);
		expect(out).not.toContain(sandbox.home);
	}
	expect(run("show", "session-0001", "--masked", "--html").err).toContain("--masked means nothing with --html");
});

test("show --cwd: a session of another project is not printed", () => {
	expect(run("show", "session-0001", "--cwd", `${sandbox.home}/work/api`).code).toBe(0);
	const { code, out, err } = run("show", "session-0001", "--cwd", sandbox.directory("work/site"));
	expect({ code, out }).toEqual({ code: 1, out: "" });
	expect(err).toMatch(/^pi-grove: session-0001 is not a session of the project .*work\/site on this machine\n$/);
});

test("show --cwd: what is in another place, or in no listed directory, is not opened, even if it names the project", () => {
	const bin = sandbox.directory("bin");
	writeFileSync(join(bin, "ssh"), `#!/bin/sh\necho started >> ${sandbox.home}/ssh-ran\n`, { mode: 0o755 });
	const env = { PATH: `${bin}:${process.env.PATH}` };
	expect(run("places", "add", "mini", "--ssh", "mini").code).toBe(0);
	const [path = ""] = run("path", "session-0001").out.split("\n");
	const copy = join(sandbox.directory("old/--copy--"), basename(path));
	copyFileSync(path, copy);
	expect(run("places", "add", "old", "--dir", join(sandbox.home, "old")).code).toBe(0);
	// Opening it would hang or read what somebody put there.
	const pipe = join(sandbox.home, "pipe.jsonl");
	execFileSync("mkfifo", [pipe]);
	const link = join(sandbox.home, "link.jsonl");
	symlinkSync(path, link);

	for (const word of [
		"mini:session-0001",
		"old:session-0001",
		`mini:${path}`,
		copy,
		`${copy}#1`,
		pipe,
		link,
		"x.jsonl",
	]) {
		const shown = runProgram(sandbox, ["show", "--cwd", `${sandbox.home}/work/api`, "--", word], env);
		expect(shown).toMatchObject({ code: 1, out: "" });
		expect(shown.err).toContain(`${word} is not a session of the project`);
	}
	expect(existsSync(join(sandbox.home, "ssh-ran"))).toBe(false);
	expect(run("show", "old:session-0001").code).toBe(0);
	expect(run("show", copy).code).toBe(0);
	for (const word of [path, `~${path.slice(sandbox.home.length)}`])
		expect(run("show", "--cwd", `${sandbox.home}/work/api`, "--", word).code).toBe(0);
});

test("what an ambiguous word may mean is not told with texts that are not masked", () => {
	sandbox.session({ project: "work/api", age: 9, messages: [{ role: "user", text: `Second ${KEY}` }] });
	expect(run("show", "session-").err).toContain(KEY);
	expect(run("show", "session-", "--masked").err).not.toContain("ghp_");
});
