import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EditingSession } from "../support/editing-session.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const ID = "01a10000-0000-7000-8000-0000000000a1";
const sandbox = sandboxOfTest();

/** A session that has written a file, and its file on the disk. */
function begin(): { readonly file: string } {
	const cwd = sandbox.directory("api");
	const session = new EditingSession(ID, cwd, Date.now() - 3_600_000);
	session.prompt("Add the retries");
	session.write("src/retry.ts", "export const tries = 3;\nexport const wait = 100;\n");
	session.save(sandbox.agentDir);
	const file = join(sandbox.directory("api/src"), "retry.ts");
	writeFileSync(file, "export const tries = 3;\nexport const wait = 100;\n");
	return { file };
}

/** The page of what the session changed, with the cursor on the second line of the file. */
async function onChanges(size: { readonly columns: number; readonly rows: number }): Promise<TestTerminal> {
	const terminal = sandbox.start([ID], { ...size });
	await terminal.waitFor("Add the retries");
	terminal.press("ctrl+k");
	terminal.type("Changes of the session");
	await terminal.waitFor("❯ Changes of the session");
	terminal.press("enter");
	await terminal.waitFor(/wait = 100/);
	terminal.type("G");
	await terminal.waitFor(/› .*wait = 100/);
	return terminal;
}

test("a comment is written on a line, stays below it, is sent to pi as it is now, and undone", async () => {
	const { file } = begin();
	sandbox.installPi('printf "%s\\n" "$@" > "$HOME/args"; echo PI RUNS; read line');
	const terminal = await onChanges({ columns: 100, rows: 30 });
	terminal.type("c");
	expect(await terminal.waitFor("Comment on src/retry.ts:2")).toContain("› + export const wait = 100;");
	terminal.type("Make it");
	terminal.press("alt+enter");
	terminal.type("configurable");
	await terminal.waitFor("configurable");
	terminal.press("enter");
	expect(await terminal.waitFor("Wrote a comment on “Add the retries”, src/retry.ts:2")).toMatch(
		/wait = 100;\n *✎ Make it\n *configurable\n[\s\S]* · shift\+c to send/,
	);
	terminal.resize(80, 24);
	terminal.type("k");
	expect(await terminal.waitFor(/ shift\+c comments .*ctrl\+k commands/)).toContain("1 comment to send");
	terminal.resize(100, 30);

	// The line moves meanwhile.
	writeFileSync(file, `// new\n${readFileSync(file, "utf8")}`);
	terminal.type("C");
	expect(await terminal.waitFor("was line 2")).toMatch(/src\/retry\.ts:3 {2}Make it/);
	terminal.type("x");
	await terminal.waitFor("Send 1 comment");
	terminal.press("enter");
	await terminal.waitFor("PI RUNS");
	const args = readFileSync(join(sandbox.home, "args"), "utf8");
	expect(args).toContain(ID);
	expect(args).toContain("# Review\n");
	expect(args).toContain("## 1. `src/retry.ts`, line 3 (was line 2; turn 1 “Add the retries”)");
	expect(args).toContain("> 3  export const wait = 100;");
	expect(args).toContain("Make it\nconfigurable");
	terminal.press("enter");
	expect(await terminal.waitFor("0 to send")).toContain("sent");
	terminal.press("ctrl+_");
	await terminal.waitFor("Undone: mark a comment on “Add the retries”");
	terminal.press("ctrl+d");
	await terminal.waitFor("There is no comment");
	terminal.press("ctrl+_");
	await terminal.waitFor("src/retry.ts:3");
	terminal.press("ctrl+q");
	await terminal.exit();

	for (const command of ["list", "search"])
		expect(run(sandbox, [command, "is:reviewed"]).out).toContain("Add the retries");
	expect(run(sandbox, ["list", "is:reviewed", "--archived"])).toMatchObject({ code: 1, out: "" });
	expect(run(sandbox, ["list", "is:reviewed", "--raw"]).err).toContain("--raw lists all sessions");
	const printed = run(sandbox, ["review", ID]);
	expect(printed).toMatchObject({ code: 0, err: "" });
	expect(printed.out).toContain("Make it\nconfigurable");
	expect(JSON.parse(run(sandbox, ["review", ID, "--json"]).out)).toMatchObject([
		{
			path: file,
			line: 3,
			endLine: 3,
			was: 2,
			kind: "added",
			change: "was line 2",
			text: "Make it\nconfigurable",
			sent: null,
		},
	]);
});

test("an empty text deletes a comment; a comment on what was said quotes it; a small screen has room for it", async () => {
	begin();
	const terminal = await onChanges({ columns: 40, rows: 10 });
	terminal.type("c");
	await terminal.waitFor("Comment on src/retry.ts:2");
	terminal.press("up");
	await terminal.waitFor("Comment on src/retry.ts:1");
	terminal.type("Why three?");
	await terminal.waitFor("Why three?");
	terminal.press("enter");
	await terminal.waitFor("✎ Why three?");
	terminal.type("k");
	terminal.type("c");
	await terminal.waitFor("Change comment on src/retry.ts:1");
	terminal.press("ctrl+u", "enter");
	await terminal.waitFor((screen) => !screen.includes("✎ Why three?") && screen.includes("Deleted a comment"));
	terminal.press("ctrl+q");
	await terminal.exit();
	expect(run(sandbox, ["review", ID])).toMatchObject({ code: 1, out: "" });
	expect(run(sandbox, ["search", "is:reviewed"]).out).toBe("");
	expect(existsSync(join(sandbox.home, "state/pi-grove/comments.jsonl"))).toBe(true);
});

test("a row of the conversation is quoted as it was said, and has a sign while it is commented", async () => {
	begin();
	const terminal = sandbox.start([ID], { columns: 100, rows: 30 });
	await terminal.waitFor("Add the retries");
	terminal.type("{");
	await terminal.waitFor(/›.* Add the retries/);
	terminal.type("c");
	await terminal.waitFor("Comment on this line");
	terminal.type("Which ones?");
	await terminal.waitFor("Which ones?");
	terminal.press("enter");
	await terminal.waitFor("✎❯ Add the retries");
	terminal.press("ctrl+q");
	await terminal.exit();
	expect(run(sandbox, ["review", ID]).out).toContain(
		"## 1. What was said (turn 1 “Add the retries”)\n\n> Add the retries\n\nWhich ones?\n",
	);
});

test("shift and an arrow comment on several lines, which have a sign; they are printed as they are now", async () => {
	const { file } = begin();
	const terminal = await onChanges({ columns: 100, rows: 30 });
	terminal.type("cBoth");
	await terminal.waitFor("Both");
	terminal.press("shift+up");
	const screen = await terminal.waitFor("Comment on src/retry.ts:1-2");
	expect(screen).toMatch(/› +export const tries = 3;.*\n.*› +export const wait = 100;[\s\S]*Both/);
	terminal.press("enter");
	expect(await terminal.waitFor("Wrote a comment on “Add the retries”, src/retry.ts:1-2")).toMatch(
		/✎.*tries = 3;\n.*✎.*wait = 100;\n *✎ Both\n/,
	);
	terminal.press("ctrl+q");
	await terminal.exit();

	const other = new EditingSession(
		"01a10000-0000-7000-8000-0000000000a2",
		sandbox.directory("api"),
		Date.now() - 1_800_000,
	);
	other.prompt("Name the unit");
	const moved = join(sandbox.directory("api/src"), "times.ts");
	other.disk.set(file, readFileSync(file, "utf8"));
	other.bash("mv src/retry.ts src/times.ts", (disk) => void disk.delete(file));
	other.disk.set(moved, readFileSync(file, "utf8"));
	other.edit("src/times.ts", [{ oldText: "const wait = 100", newText: "const waitMs = 100" }]);
	other.putDisk();
	other.save(sandbox.agentDir);
	const printed = run(sandbox, ["review", ID]).out;
	expect(printed).toContain(
		"## 1. `src/times.ts`, lines 1–2 (was in src/retry.ts; changed since by the edit in turn 1 of “Name the unit”; ",
	);
	expect(printed).toContain(
		"-    export const wait = 100;\n> 1  export const tries = 3;\n> 2  export const waitMs = 100;\n",
	);
	expect(JSON.parse(run(sandbox, ["review", ID, "--json"]).out)).toMatchObject([
		{ path: moved, line: 1, endLine: 2, was: 1 },
	]);
});
