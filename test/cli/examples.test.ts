import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { copyFamily, sessionsOf } from "../support/copied-family.ts";
import { EditingSession } from "../support/editing-session.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const root = join(import.meta.dirname, "..", "..");

const sandbox = sandboxOfTest();
beforeEach(() => {
	const sessions = sandbox.directory(".pi/agent/sessions/--home-ada-work-api--");
	for (const name of ["branches.jsonl", "names.jsonl", "torn-tail.jsonl"]) {
		copyFileSync(join(root, "fixtures", name), join(sessions, name));
	}
});

/** Runs an example, which imports the built library by its name; returns the lines that it prints. */
function runExample(name: string, ...args: readonly string[]): string[] {
	const { PI_CODING_AGENT_SESSION_DIR, FORCE_COLOR, ...own } = process.env;
	const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "examples", name), ...args], {
		encoding: "utf8",
		env: { ...own, ...sandbox.env },
		cwd: sandbox.home,
	});
	expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	return stdout.trimEnd().split("\n");
}

test("list.ts prints every session, and what is wrong with it", () => {
	const lines = runExample("list.ts");
	expect(lines).toHaveLength(3);
	expect(lines).toContainEqual(expect.stringMatching(/^2026-\S+Z \/home\/ada\/work\/api "Make the parser faster\."$/));
	expect(lines.filter((line) => line.includes("(damaged: "))).toHaveLength(1);
});

test("fork.ts copies a session into another project, and leaves the old file as it is", () => {
	const source = join(root, "fixtures", "names.jsonl");
	const before = readFileSync(source);
	const [path = ""] = runExample("fork.ts", source, sandbox.directory("elsewhere"));
	const [header = "", ...entries] = readFileSync(path, "utf8").trimEnd().split("\n");
	expect(JSON.parse(header)).toMatchObject({ cwd: join(sandbox.home, "elsewhere"), parentSession: source });
	expect(JSON.parse(entries.at(-1) ?? "")).toMatchObject({ name: expect.stringMatching(/^Fork of /) });
	expect(readFileSync(source)).toEqual(before);
});

test("cost-by-model.ts adds up to the total", () => {
	const lines = runExample("cost-by-model.ts");
	const dollars = lines.map((line) => Number(/^\$(\d+\.\d{4}) {2}/.exec(line)?.[1]));
	expect(lines.at(-1)).toMatch(/ {2}in 3 sessions$/);
	expect(dollars.at(-1)).toBeGreaterThan(0);
	expect(dollars.slice(0, -1).reduce((sum, one) => sum + one, 0)).toBeCloseTo(dollars.at(-1) ?? 0, 3);
});

test("report.ts names the files and the runs of a session, and writes its page; who-wrote.ts finds the session of a line", () => {
	const cwd = sandbox.directory("work/lines");
	const one = new EditingSession("01a10000-0000-7000-8000-00000000aaaa", cwd, Date.UTC(2026, 0, 5, 9));
	one.prompt("Write the greeting");
	const written = one.write("greet.ts", 'export const greeting = "hello, whoever reads this";\n');
	const path = one.save(sandbox.agentDir);
	const page = join(sandbox.home, "page.html");
	expect(runExample("report.ts", path, page)).toEqual([`+1 -0  ${join(cwd, "greet.ts")}  in turn 1`, `page: ${page}`]);
	expect(readFileSync(page, "utf8")).toContain('<details class="step" id="file:1">');
	writeFileSync(join(cwd, "greet.ts"), one.disk.get(join(cwd, "greet.ts")) ?? "");
	const lines = runExample("who-wrote.ts", join(cwd, "greet.ts"), "1");
	expect(lines.slice(0, 3)).toEqual([
		"exact: this session added the line, and it has stayed since",
		"",
		`${path}#${written}`,
	]);
	expect(lines.join("\n")).toContain("Write the greeting");

	const [parent] = sessionsOf(copyFamily("nested", join(sandbox.agentDir, "sessions")));
	expect(runExample("report.ts", parent, page).slice(0, 2)).toEqual([
		expect.stringMatching(/^lead: Explore the storage \(done, \$0\.\d{4}\)$/),
		expect.stringMatching(/^ {2}reader: Read the database layer \(done, \$0\.\d{4}\)$/),
	]);
});
