import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { HostInfo } from "../../src/app/world/state/choice.ts";
import { hostChooser } from "../../src/cli/browser/host-link.ts";
import { childProgram } from "../support/bundled-programs.ts";
import { inShort } from "../support/cases.ts";
import { EditingSession } from "../support/editing-session.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
let sessions: ReturnType<typeof threeSessions>;
beforeEach(() => {
	sessions = threeSessions(sandbox);
});

const HOST = childProgram("support/fake-host-child.ts");

/** The entries of a session. */
function entriesOf(path: string): Record<string, unknown>[] {
	const lines = readFileSync(path, "utf8").trim().split("\n");
	return lines.slice(1).map((line) => JSON.parse(line));
}

function idOf(path: string, text: string): unknown {
	return entriesOf(path).find((entry) => JSON.stringify(entry).includes(text))?.id;
}

interface HostOptions {
	readonly busy?: boolean;
	readonly opens?: HostInfo["opens"];
	readonly says?: string;
	readonly tells?: string;
	readonly theme?: HostInfo["theme"];
	readonly env?: Readonly<Record<string, string>>;
}

/** Starts the browser as pi does, in which the parser's session is open. */
function start(
	args: readonly string[],
	{ busy = false, opens, says, tells, theme, env }: HostOptions = {},
): TestTerminal {
	const header = JSON.parse(readFileSync(sessions.parser, "utf8").split("\n", 1)[0] ?? "");
	const info: HostInfo = {
		protocol: 1,
		fd: 3,
		pi: "1.5.2",
		open: {
			id: header.id,
			cwd: header.cwd,
			path: sessions.parser,
			leaf: String(entriesOf(sessions.parser).at(-1)?.id),
		},
		busy,
		...(opens && { opens }),
		...(theme && { theme }),
	};
	return sandbox.start(args, {
		within: [process.execPath, HOST],
		columns: 160,
		env: {
			...env,
			FAKE_HOST: JSON.stringify(info),
			FAKE_HOST_LOG: join(sandbox.home, "link.jsonl"),
			FAKE_HOST_SAYS: says,
			FAKE_HOST_TELLS: tells,
		},
	});
}

/** What came over the link, and how the browser ended, once pi has the terminal again. */
async function linkOf(terminal: TestTerminal): Promise<unknown[]> {
	await terminal.exit();
	expect(await terminal.isFullScreen()).toBe(false);
	return readLog();
}

function readLog(): unknown[] {
	const lines = readFileSync(join(sandbox.home, "link.jsonl"), "utf8").trim().split("\n");
	return lines.map((line) => JSON.parse(line));
}

/** Opens the list, whose cursor begins on the session that is open in pi. */
async function onOpen(options?: HostOptions): Promise<TestTerminal> {
	const terminal = start([], options);
	await terminal.waitFor("enter back to pi");
	return terminal;
}

/** Opens the tree of the session that is open in pi, as `/grove tree` does. */
async function inTree(options?: HostOptions): Promise<TestTerminal> {
	const terminal = start([sessions.parser], options);
	await terminal.waitFor(/◂ (?:end|pi continues here)/);
	return terminal;
}

describe("in pi", () => {
	test("the open session is marked, another one is the choice, and all is in pi's colors", async () => {
		const before = sandbox.fingerprints();
		const colors = { borderAccent: "#ff8811", text: "#eeddcc" };
		const terminal = start([], { theme: { colors, appearance: "dark" } });
		const screen = await terminal.waitFor("open here");
		expect(screen).toMatch(/● Refactor the parser +open here/);
		expect(screen).toContain("esc back to pi");
		expect(terminal.written).toContain("38;2;255;136;17");
		terminal.press("up", "enter");
		const choice = { action: "resume", path: sessions.retry, cwd: join(sandbox.home, "work/api") };
		expect(await linkOf(terminal)).toEqual([{ choice }, { ended: 0 }]);
		expect(sandbox.fingerprints()).toEqual(before);
	});

	test("ctrl+c goes back without a choice; a query may be there from the start", async () => {
		const terminal = start(["--query", "parser"]);
		await terminal.waitFor(/parser.*1\/1/s);
		terminal.press("ctrl+c");
		expect(await linkOf(terminal)).toEqual([{ ended: 0 }]);
	});

	test("pi may open the changes of its session, or the question whether to take back those of its last turn", async () => {
		const cwd = join(sandbox.home, "work/parser");
		mkdirSync(cwd, { recursive: true });
		const now = Date.now();
		const edited = new EditingSession("01a10000-0000-7000-8000-0000000000a3", cwd, now - 60_000);
		edited.prompt("Write both files");
		edited.write("first.ts", "first\n");
		edited.prompt("And the other one");
		edited.write("second.ts", "second\n");
		sessions.parser = edited.save(join(sandbox.home, ".pi/agent"));
		for (const name of ["first", "second"]) writeFileSync(join(cwd, `${name}.ts`), `${name}\n`);
		const page = start([sessions.parser], { opens: "changes" });
		await page.waitFor(/first\.ts[\s\S]*second\.ts/);
		page.press("ctrl+c", "ctrl+c");
		await page.exit();
		const question = start([sessions.parser], { opens: "revert" });
		const screen = await question.waitFor("Take back what");
		expect(screen).toMatch(/to trash +second\.ts/);
		expect(screen).not.toMatch(/to trash +first\.ts/);
		question.press("enter");
		await expect.poll(() => existsSync(join(cwd, "second.ts"))).toBe(false);
		expect(existsSync(join(cwd, "first.ts"))).toBe(true);
		question.press("ctrl+c", "ctrl+c");
		await question.exit();
	});

	test("a directory that is gone is left to pi, which asks", async () => {
		const gone = sandbox.session({ project: "gone", age: 1, messages: [{ role: "user", text: "Where am I?" }] });
		const cwd = join(sandbox.home, "gone");
		rmdirSync(cwd);
		const terminal = start([]);
		await terminal.waitFor("3/4");
		terminal.press("up", "up", "enter");
		expect(await linkOf(terminal)).toEqual([{ choice: { action: "resume", path: gone, cwd } }, { ended: 0 }]);
	});

	test("when pi has ended, so does the browser, and the terminal is as it was", async () => {
		const terminal = await onOpen({ says: "gone" });
		terminal.press("ctrl+r");
		await terminal.waitFor("┌ Rename");
		terminal.type("x\r");
		expect(await linkOf(terminal)).toEqual([expect.objectContaining({ action: "rename" }), { ended: 129 }]);
	});
});

describe("the open session", () => {
	test("is neither deleted nor archived, nor opened a second time; is renamed by pi, and that is undone by pi; is labeled by pi; enter where pi is goes back to it", async () => {
		const untouched = sandbox.fingerprints();
		const before = entriesOf(sessions.parser).length;
		const terminal = await onOpen({ env: { TMUX: "/nowhere,1,0", TMUX_PANE: "%0" } });
		terminal.press("ctrl+d");
		await terminal.waitFor(/In use: this session is not deleted.*open in the pi that you came from/s);
		terminal.press("enter", "<archive>");
		await terminal.waitFor(/In use: this session is not archived.*open in the pi that you came from/s);
		terminal.press("enter");
		terminal.type("\x1b\r");
		await terminal.waitFor("This session is already open in pi");
		expect(sandbox.fingerprints()).toEqual(untouched);
		terminal.press("ctrl+r");
		await terminal.waitFor("┌ Rename");
		terminal.type("\x15Second try\r");
		await terminal.waitFor("› ● Second try");
		terminal.type("\x1f");
		await terminal.waitFor(/Undone.*› ● Refactor the parser|› ● Refactor the parser.*Undone/s);
		const names = entriesOf(sessions.parser).slice(before);
		expect(names.map(({ type, name }) => [type, name])).toEqual([
			["session_info", "Second try"],
			["session_info", "Refactor the parser"],
		]);
		terminal.press("right", "alt+l");
		await terminal.waitFor("┌ Label");
		terminal.type("works\r");
		await terminal.waitFor("⚑works");
		terminal.press("enter");
		const screen = await terminal.waitFor("› Back to pi, which continues here");
		// An answer cannot be left out of a fork, nor said again.
		expect(screen).not.toContain("before this prompt");
		expect(screen).not.toContain("Insert its text");
		terminal.press("enter");
		const entryId = idOf(sessions.parser, "All tests pass now.");
		expect(await linkOf(terminal)).toEqual([
			{ request: 1, action: "rename", name: "Second try" },
			{ request: 2, action: "rename", name: "Refactor the parser" },
			{ request: 3, action: "label", entryId, label: "works" },
			{ ended: 0 },
		]);
	});
});

describe("while a turn is running", () => {
	test("the action says that it stops it, and asks", async () => {
		const terminal = start([], { busy: true });
		await terminal.waitFor("2/3");
		terminal.press("up");
		await terminal.waitFor("enter resume, stops the turn");
		terminal.press("enter");
		await terminal.waitFor("Switching to “Find the retry loop” stops it");
		terminal.press("enter");
		await terminal.waitFor((screen) => !screen.includes("Switching to"));
		terminal.press("enter");
		await terminal.waitFor("› Cancel");
		terminal.press("down", "enter");
		const [said] = await linkOf(terminal);
		expect(said).toMatchObject({ choice: { action: "resume", path: sessions.retry } });
	});

	test("the entries of the open session say what waits and what stops; its end is heard of; other programs do not get to know of pi", async () => {
		const leaf = String(entriesOf(sessions.parser).at(-1)?.id);
		const open = { id: "x", cwd: "/x", path: sessions.parser, leaf };
		const terminal = await inTree({
			busy: true,
			tells: JSON.stringify({ busy: false, open }),
			env: { VISUAL: 'env >"$HOME/env.txt"; true' },
		});
		terminal.press("alt+up");
		await terminal.waitFor("›◆ Stream it instead");
		terminal.press("enter");
		const screen = await terminal.waitFor("A turn is running in pi");
		expect(screen).toContain("(its text goes to pi's editor), when the running turn has ended");
		expect(screen).toContain("Branch into a new session, up to here: stops the running turn");
		terminal.press("escape");
		await terminal.waitFor((now) => !now.includes("┌ Continue from here"));
		terminal.press("ctrl+r");
		await terminal.waitFor("┌ Rename");
		terminal.type("x\r");
		await terminal.waitFor("Renamed");
		terminal.press("enter");
		await terminal.waitFor((now) => now.includes("┌ Continue from here") && !now.includes("A turn is running"));
		terminal.press("escape");
		await terminal.waitFor((now) => !now.includes("┌ Continue from here"));
		terminal.press("<editor>");
		await terminal.waitFor(() => existsSync(join(sandbox.home, "env.txt")));
		await terminal.waitFor("enter in pi");
		terminal.press("ctrl+q");
		await linkOf(terminal);
		const env = readFileSync(join(sandbox.home, "env.txt"), "utf8");
		expect(env).toContain("PI_CODING_AGENT_DIR");
		expect(env).not.toContain("PI_GROVE_HOST");
	});
});

const UNUSABLE: readonly (readonly [what: string, value: string, message: RegExp])[] = [
	["no JSON", "{", /cannot read PI_GROVE_HOST: it is not as expected; only pi sets it/],
	["another version", '{"protocol":7}', /the extension in pi uses protocol version 7, and this pi-grove knows only 1/],
	["a field that is missing", '{"protocol":1,"fd":3,"pi":"1","busy":true}', /PI_GROVE_HOST: open is not as expected/],
	[
		"a descriptor that is not there",
		'{"protocol":1,"fd":99,"pi":"1","busy":true,"open":{"id":"","cwd":"/","leaf":null}}',
		/cannot talk to pi over descriptor 99/,
	],
];

/** All but the last: in the process of the tests that descriptor may be open. */
const UNREADABLE = UNUSABLE.slice(0, -1);

test.each(UNREADABLE)("%s is refused with the reason", (_, value, message) => {
	expect(() => hostChooser(value)).toThrow(message);
});

test.each(inShort(UNUSABLE, (_case, index) => index === 1))(
	"%s ends with 2 and one line",
	async (_, value, message) => {
		const terminal = sandbox.start([], { env: { PI_GROVE_HOST: value }, columns: 200 });
		expect(await terminal.exit()).toMatchObject({ code: 2 });
		expect(terminal.written).toMatch(new RegExp(`^pi-grove: .*${message.source}`));
		expect(terminal.written.trim().split("\n")).toHaveLength(1);
	},
);

test("a mistake ends the browser while pi holds the link open", async () => {
	const terminal = start([join(sandbox.home, "nowhere.jsonl")]);
	expect(await linkOf(terminal)).toEqual([{ ended: 2 }]);
	expect(terminal.written).toContain("cannot open");
});

test("a command is not for pi: it does what it does", () => {
	writeFileSync(join(sandbox.home, "x"), "");
	expect(run(sandbox, ["list"], { PI_GROVE_HOST: "{" }).code).toBe(0);
});
