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
	expect(err).toMatch(/^pi-grove: session-0001 is a session of another project than that of .*work\/site\n$/);
});

test("what an ambiguous word may mean is not told with texts that are not masked", () => {
	sandbox.session({ project: "work/api", age: 9, messages: [{ role: "user", text: `Second ${KEY}` }] });
	expect(run("show", "session-").err).toContain(KEY);
	expect(run("show", "session-", "--masked").err).not.toContain("ghp_");
});
