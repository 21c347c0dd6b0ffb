import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { inLong, inShort } from "../support/cases.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
let parser: string;
beforeEach(() => {
	({ parser } = threeSessions(sandbox));
});

/** The browser with a query, and the cursor on the session that it finds. */
async function onParser(args: readonly string[] = [], within: readonly string[] = []): Promise<TestTerminal> {
	const terminal = sandbox.start(args, { within });
	await terminal.waitFor("3 sessions");
	// Found by its name alone, so that enter does not go to a hit.
	terminal.type("refactor");
	await terminal.waitFor("1 of 3");
	await terminal.waitFor(/◂ (?:end|pi continues here)/);
	return terminal;
}

async function isBack(terminal: TestTerminal): Promise<string> {
	const screen = await terminal.waitFor("1 of 3");
	expect(screen).toContain("› Refactor the parser");
	expect(screen).toContain("❯ refactor");
	expect(await terminal.isFullScreen()).toBe(true);
	return screen;
}

function noted(name: string): string {
	return readFileSync(join(sandbox.home, name), "utf8").trim();
}

function threadsOf(pid: number): number {
	return readdirSync(`/proc/${pid}/task`).length;
}

/** The processor time that a process has taken, in hundredths of a second. */
function ticksOf(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
	return Number(fields[11]) + Number(fields[12]);
}

/** Appends a prompt to the session that it is given, as pi does. */
const saysMore = `for session; do :; done
printf '%s\\n' '{"type":"message","id":"feedbee1","parentId":null,"timestamp":"2031-01-01T00:00:00.000Z","message":{"role":"user","content":"said in pi"}}' >>"$session"`;

test("while pi runs, the browser does nothing; after pi it is there again, with its query and its cursor; the session is read anew, a new one is listed", async () => {
	const other = join(parser, "..", "2031-01-01T00-00-00-000Z_0199aaaa-0000-7000-8000-000000000001.jsonl");
	const header = JSON.stringify({
		type: "session",
		version: 3,
		id: "0199aaaa-0000-7000-8000-000000000001",
		timestamp: "2031-01-01T00:00:00.000Z",
		cwd: join(sandbox.home, "work", "api"),
	});
	sandbox.installPi(`echo "pi is here"; read -r line; ${saysMore}\nprintf '%s\\n' '${header}' >"${other}"`);
	const terminal = await onParser([], ["sh", "-c", 'echo $$ >"$HOME/browser"; exec "$@"', "sh"]);
	const browser = Number(noted("browser"));
	const threads = threadsOf(browser);
	terminal.press("enter");
	await terminal.waitFor("pi is here");
	expect(await terminal.isFullScreen()).toBe(false);
	const running = join(sandbox.home, "state", "pi-grove", "running");
	// pi prints at once, perhaps before the browser has noted it.
	await expect.poll(() => existsSync(running) && readdirSync(running)).toEqual([expect.stringMatching(/\.json$/)]);
	const seconds = inLong(4, 0.5);
	const worked = async (): Promise<number> => {
		const before = ticksOf(browser);
		await delay(seconds * 1000);
		return ticksOf(browser) - before;
	};
	// Hundredths of a second. Some time after pi has started, garbage is collected; then there is nothing to do.
	await expect.poll(worked).toBeLessThanOrEqual(2 * seconds);
	expect(threadsOf(browser)).toBeLessThan(threads);
	terminal.press("enter");
	await terminal.waitFor("1 of 4");
	await terminal.waitFor("said in pi");
	expect(await terminal.isFullScreen()).toBe(true);
	expect(readdirSync(running)).toEqual([]);
	const screen = await terminal.waitFor("enter resume");
	// Nothing but the sign of the tree's scope.
	expect(screen.split("\n").filter((row) => /^. ●/.test(row))).toEqual([]);
	await terminal.waitFor("› Refactor the parser");
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);
	// What pi printed is still on the screen outside of the browser.
	expect((await terminal.history()).join("\n")).toContain("pi is here");
});

test("where the text of a prompt went is said before pi starts, and after it", async () => {
	sandbox.installPi('echo "pi is here"; read -r line');
	const terminal = await onParser();
	terminal.press("right", "alt+up");
	await terminal.waitFor(/›[●◆] /);
	terminal.press("enter");
	const screen = await terminal.waitFor("┌ Continue from here");
	expect(screen).toContain("› Rewind to before this prompt, and reword it (its text goes to the clipboard)");
	terminal.press("enter");
	const said = await terminal.waitFor("pi is here");
	expect(said).toMatch(/pi-grove: Sent the prompt's text to the terminal's clipboard \(/);
	terminal.press("enter");
	await terminal.waitFor(
		(now) => now.includes("Sent the prompt's text to the terminal's clipboard") && now.includes("tree"),
	);
});

test("one after the other: a pi that cannot be started is a message; what is typed while one ends is not for the browser, whose size may be another afterwards; one that is killed leaves nothing behind in the terminal; what one said that ended with an error stays until a key is pressed", async () => {
	sandbox.installPi("");
	writeFileSync(join(sandbox.home, "bin", "pi"), "#!/no/such/interpreter\n");
	const script = '"$@"; code=$?; stty -g >"$HOME/after"; exit $code';
	const terminal = await onParser([], ["sh", "-c", script, "sh"]);
	terminal.press("enter");
	await terminal.waitFor("Cannot start pi");
	await isBack(terminal);

	sandbox.installPi(
		`was=$(stty -g); stty raw; echo "pi is here"; until [ -e "$HOME/typed" ]; do sleep 0.05; done; stty "$was"`,
	);
	terminal.press("enter");
	await terminal.waitFor("pi is here");
	terminal.resize(90, 24);
	terminal.type("\x04xyz\x04");
	// The terminal shows what it has got, which nobody has read.
	await terminal.waitFor("xyz");
	writeFileSync(join(sandbox.home, "typed"), "");
	const screen = await isBack(terminal);
	expect(screen).not.toContain("xyz");
	expect(screen).not.toContain("Move this session");
	expect((await terminal.screen()).every((row) => row.length <= 90)).toBe(true);
	expect((await terminal.screen()).at(-1)).toContain("enter");

	sandbox.installPi(
		`stty -g >"$HOME/before"; stty raw -echo; printf '\\033[?1049h\\033[?1000h\\033[?2004h\\033[?25l\\033[>5u'; echo "pi is there"; kill -KILL $$`,
	);
	terminal.press("enter");
	await terminal.waitFor("pi ended with exit code 137");
	expect(await terminal.isFullScreen()).toBe(false);
	for (const mode of [1000, 2004]) expect(lastOf(terminal, `\x1b[?${mode}h`, `\x1b[?${mode}l`)).toBe(`\x1b[?${mode}l`);
	expect(lastOf(terminal, "\x1b[>5u", "\x1b[<u")).toBe("\x1b[<u");
	terminal.press("escape");
	await isBack(terminal);

	sandbox.installPi("exit 1");
	terminal.press("enter");
	await terminal.waitFor("pi ended with exit code 1. Press any key to go back");
	terminal.press("enter");
	await isBack(terminal);
	await terminal.waitFor(/pi ended with exit code 1\b/);

	sandbox.installPi(`echo "Error: the last words of pi" >&2; exit 2`);
	terminal.press("enter");
	const told = await terminal.waitFor("pi ended with exit code 2. Press any key to go back to the sessions");
	expect(told).toContain("Error: the last words of pi");
	expect(await terminal.isFullScreen()).toBe(false);
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(2);
	expect(noted("after")).toBe(noted("before"));
});

function lastOf({ written }: TestTerminal, ...sequences: readonly string[]): string | undefined {
	return sequences.toSorted((a, b) => written.lastIndexOf(b) - written.lastIndexOf(a))[0];
}

test("ctrl+c is pi's; ctrl+z stops both, and fg goes on with pi; a signal that ends us while pi runs is pi's first, and nobody draws over it", async () => {
	sandbox.installPi(`trap 'echo "pi was interrupted"' INT
		echo "pi is here"; until [ "$line" = stop ]; do read -r line; done; echo "pi stops"; kill -TSTP 0; echo "pi goes on"; read -r line`);
	const shell = 'set -m; "$@"; echo "the shell has it"; read -r line; fg; exit $?';
	const terminal = await onParser([], ["bash", "-c", shell, "bash"]);
	terminal.press("enter");
	await terminal.waitFor("pi is here");
	terminal.press("ctrl+c");
	await terminal.waitFor("pi was interrupted");
	// Some shells end the read that is interrupted, others go on with it.
	terminal.type("stop\r");
	await terminal.waitFor("the shell has it");
	terminal.press("enter");
	await terminal.waitFor("pi goes on");
	terminal.press("enter");
	await isBack(terminal);

	sandbox.installPi(
		`echo $PPID >"$HOME/browser"; trap 'echo "pi saves"; sleep 0.3; echo "pi is done"; exit 0' TERM; echo "pi is there"; while :; do sleep 0.05; done`,
	);
	terminal.press("enter");
	await terminal.waitFor("pi is there");
	process.kill(Number(noted("browser")), "SIGTERM");
	expect((await terminal.exit()).code).toBe(143);
	const shown = (await terminal.history()).join("\n");
	expect(shown).toContain("pi saves");
	expect(shown).toContain("pi is done");
	expect(await terminal.isFullScreen()).toBe(false);
});

const WAYS = [
	["options", ["--leave", "--pi", `pi --model "a b" -x`], {}],
	["variables", [], { PI_GROVE_LEAVE: "1", PI_GROVE_PI: "pi --model 'a b' -x" }],
] as const;

test.each(inShort(WAYS, ([way]) => way === "variables"))(
	"by %s the browser ends when pi starts, with pi's exit code, and pi has arguments, which come first",
	async (_, args, env) => {
		sandbox.installPi(`printf '%s\\n' "$@" >"$HOME/args"; echo "pi is here"; read -r line; exit 7`);
		const terminal = sandbox.start(args, { env });
		await terminal.waitFor(/◂ (?:end|pi continues here)/);
		terminal.press("enter");
		await terminal.waitFor("pi is here");
		terminal.press("enter");
		expect((await terminal.exit()).code).toBe(7);
		expect(await terminal.isFullScreen()).toBe(false);
		expect(noted("args").split("\n").slice(0, 4)).toEqual(["--model", "a b", "-x", "--session"]);
	},
);

test("--pi is a path with blanks where there is such a program, and an open quote is a mistake", async () => {
	sandbox.installPi(`echo "the other pi"; read -r line`);
	const terminal = sandbox.start(["--pi", "./my pi"], { within: ["sh", "-c", 'mv bin/pi "./my pi"; exec "$@"', "sh"] });
	await terminal.waitFor(/◂ (?:end|pi continues here)/);
	terminal.press("enter");
	await terminal.waitFor("the other pi");
	const mistaken = sandbox.start(["--pi", "pi 'x"]);
	expect((await mistaken.exit()).code).toBe(2);
	expect((await mistaken.history()).join(" ")).toContain(`cannot use --pi "pi 'x": a single quote in it is not closed`);
});
