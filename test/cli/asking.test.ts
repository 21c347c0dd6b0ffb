import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
let three: ReturnType<typeof threeSessions>;
beforeEach(() => {
	three = threeSessions(sandbox);
});

/** Starts a command at a terminal, as a shell does. */
function start(...args: readonly string[]) {
	return sandbox.start(args, { columns: 100, rows: 20 });
}

/** How it ended, and what is on the screen then. */
async function ended(terminal: TestTerminal): Promise<{ readonly code: number; readonly screen: string }> {
	const { code } = await terminal.exit();
	return { code, screen: (await terminal.screen()).join("\n") };
}

test("a change is asked about; Enter agrees where nothing can be lost, and the end of the input does not", async () => {
	const first = start("rename", "session-0001", "Import parser");
	await first.waitFor(/^Refactor the parser\n {2}6 messages, .*\nRename it to “Import parser”\? \[Y\/n\]$/m);
	first.type("\x04");
	expect(await ended(first)).toMatchObject({ code: 1, screen: expect.stringContaining("Nothing was done.") });

	const second = start("rename", "session-0001", "Import parser");
	await second.waitFor("[Y/n]");
	second.press("enter");
	expect(await ended(second)).toMatchObject({
		code: 0,
		screen: expect.stringContaining("Renamed “Refactor the parser” to “Import parser”"),
	});
});

test.skipIf(process.platform !== "linux")(
	"a deletion is agreed to by y alone, also where the input is something else; the browser undoes it, and undo the browser's",
	async () => {
		const first = start("delete", "session-0003");
		await first.waitFor(/Move this session to the trash\?\n {2}検索.*Move to the trash\? \[y\/N\]$/ms);
		first.press("enter");
		expect(await ended(first)).toMatchObject({ code: 1, screen: expect.stringContaining("Nothing was done.") });
		expect(existsSync(three.site)).toBe(true);

		const piped = sandbox.start(["delete", "session-0003"], {
			columns: 100,
			rows: 20,
			within: ["sh", "-c", 'echo no | "$@"', "sh"],
		});
		await piped.waitFor("Move to the trash? [y/N]");
		piped.type("y\r");
		expect(await ended(piped)).toMatchObject({
			code: 0,
			screen: expect.stringContaining("Moved “検索を日本語に対応させて” to the trash (pi-grove undo brings it back)"),
		});
		expect(existsSync(three.site)).toBe(false);

		const browser = sandbox.start();
		await browser.waitFor("1/2");
		await browser.waitFor(/◂ (end|pi)/);
		browser.press("ctrl+_");
		await browser.waitFor("┌ Undo this change?");
		await browser.waitFor("Move “検索を日本語に対応させて” to the trash.");
		browser.press("enter");
		await browser.waitFor("Undone: move “検索を日本語に対応させて” to the trash");
		expect(existsSync(three.site)).toBe(true);
		await browser.waitFor(/◂ (?:end|pi continues here)/);
		browser.press("ctrl+r");
		await browser.waitFor("┌ Rename session");
		browser.type("From the browser\r");
		await browser.waitFor("Renamed “検索を日本語に対応させて” to “From the browser”");
		browser.press("ctrl+c");
		await browser.exit();

		const undo = start("undo");
		await undo.waitFor(
			/Undo this change\?\n {2}Rename “検索を日本語に対応させて” to “From the browser”\..*Undo it\? \[Y\/n\]$/ms,
		);
		undo.press("enter");
		expect(await ended(undo)).toMatchObject({
			code: 0,
			screen: expect.stringContaining("Undone: rename “検索を日本語に対応させて” to “From the browser”"),
		});
	},
);

test("ctrl+c at a question ends it, and nothing is done", async () => {
	const before = sandbox.fingerprints();
	const terminal = start("delete", "session-0003");
	await terminal.waitFor("[y/N]");
	terminal.press("ctrl+c");
	expect((await terminal.exit()).signal).toBe(2);
	expect(sandbox.fingerprints()).toEqual(before);
});

test("resume: pi gets the terminal, in the session's directory, and its exit code is ours", async () => {
	sandbox.installPi('trap "exit 7" INT; echo "pi $* in $PWD"; while :; do sleep 0.1; done');
	const terminal = start("resume", "session-0001", "--pi", "pi --model x");
	const place = join(sandbox.home, "work/api");
	await terminal.waitFor((screen) =>
		screen.replaceAll("\n", "").includes(`pi --model x --session ${three.parser} in ${place}`),
	);
	// For pi alone.
	terminal.press("ctrl+c");
	expect(await terminal.exit()).toMatchObject({ code: 7 });
});

test("resume from an entry adds a line after asking; undo takes that back", async () => {
	sandbox.installPi('echo "pi is here"');
	const terminal = start("resume", "session-0001#00010001");
	await terminal.waitFor(/This adds one line to the session.*Continue from entry 00010001\? \[Y\/n\]$/ms);
	terminal.type("y\r");
	expect(await ended(terminal)).toMatchObject({ code: 0, screen: expect.stringContaining("pi is here") });
	const last = readFileSync(three.parser, "utf8").trimEnd().split("\n").at(-1) ?? "";
	expect(JSON.parse(last)).toMatchObject({ type: "custom", parentId: "00010001" });
	expect(run(sandbox, ["undo", "-y"]).err).toMatch(
		/^Undone: continue “Refactor the parser” from an earlier entry \(made \w+ at \d+:\d\d\)\n$/,
	);
});

test("where the session's directory is gone, resume asks where to go on, by number", async () => {
	sandbox.installPi('echo "pi in $PWD"');
	rmSync(join(sandbox.home, "work/site"), { recursive: true });
	const refused = run(sandbox, ["resume", "session-0003", "-y"]);
	expect(refused.code).toBe(2);
	expect(refused.err).toContain("--yes does not cover this");
	const terminal = start("resume", "session-0003");
	await terminal.waitFor(
		/The session's directory does not exist\n {2}~\/work\/site\n {2}1 {2}Resume in ~\n {2}2 {2}Fork into ~/,
	);
	terminal.type("2\r");
	expect(await ended(terminal)).toMatchObject({ code: 0, screen: expect.stringContaining(`pi in ${sandbox.home}`) });
	expect(run(sandbox, ["undo", "-y"]).err).toContain("Undone: fork ");
});

test("an archived session is brought back only where that is agreed to", async () => {
	sandbox.installPi('echo "pi $*"');
	const archived = three.parser.replace("/sessions/", "/session-archive/");
	mkdirSync(dirname(archived), { recursive: true });
	renameSync(three.parser, archived);
	const refused = run(sandbox, ["resume", "session-0001", "-y"]);
	expect(refused).toMatchObject({ code: 2, out: "" });
	expect(refused.err).toMatch(/^This session is archived\n/);
	expect(run(sandbox, ["branch", `${archived}#00010001`, "-y"]).err).toContain(
		"is archived, and a branch would be too",
	);
	expect(run(sandbox, ["rename", archived, "Put away", "-y"]).err).toBe(
		"Renamed “Refactor the parser” to “Put away”\n",
	);
	const terminal = start("resume", "session-0001");
	await terminal.waitFor(/1 {2}Bring it back and resume it\n {2}2 {2}Bring it back\n/);
	terminal.type("1\r");
	expect((await ended(terminal)).screen.replaceAll("\n", "")).toContain(`pi --session ${three.parser}`);
	expect(run(sandbox, ["undo", "-y"]).err).toMatch(
		/^Undone: bring “Put away” back from the archive \(made \w+ at \d+:\d\d\)\n$/,
	);
	expect(existsSync(archived)).toBe(true);
});

test("what tidy proposes, as text and as JSON, by its kind; all of it goes and comes back as one step", () => {
	for (const age of [1, 2]) sandbox.session({ project: "work/api", age, messages: [] });
	sandbox.session({
		project: "work/gone",
		age: 3,
		messages: [
			{ role: "user", text: "Orphan" },
			{ role: "assistant", text: "Yes" },
		],
	});
	rmSync(join(sandbox.home, "work/gone"), { recursive: true });
	const before = sandbox.fingerprints();
	const all = JSON.parse(run(sandbox, ["tidy", "--json"]).out) as { kind: string; id: string; path: string }[];
	expect(all.map(({ kind, id }) => [kind, id])).toEqual([
		["empty", "session-0005"],
		["empty", "session-0004"],
		["orphaned", "session-0006"],
	]);
	const { out, err, code } = run(sandbox, ["tidy"]);
	expect(out.split("\n")[2]).toMatch(/^orphaned\tsession-0006\t\S+\t\d+\tOrphan$/);
	expect({ err, code }).toEqual({ err: "", code: 0 });
	expect(run(sandbox, ["tidy", "orphaned", "--cwd", "work/api"])).toEqual({ code: 1, out: "", err: "" });
	expect(run(sandbox, ["tidy", "empty", "--delete"]).err).toContain("Move 2 sessions to the trash?");
	expect(run(sandbox, ["tidy", "orphaned", "--delete"]).err).toContain("It would no longer be listed.");
	expect(sandbox.fingerprints()).toEqual(before);
	if (process.platform !== "linux") return;
	const result = JSON.parse(run(sandbox, ["tidy", "empty", "--delete", "--yes", "--json"]).out) as {
		deleted: string[];
	};
	expect(result.deleted.toSorted()).toEqual(
		all
			.slice(0, 2)
			.map(({ path }) => path)
			.toSorted(),
	);
	expect(run(sandbox, ["tidy", "empty", "--delete", "--yes"])).toEqual({ code: 1, out: "", err: "" });
	expect(run(sandbox, ["undo", "-y"]).err).toMatch(/^Undone: move 2 sessions to the trash \(made \w+ at \d+:\d\d\)\n$/);
	expect(sandbox.fingerprints()).toEqual(before);
});
