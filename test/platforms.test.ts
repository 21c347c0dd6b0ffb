import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join, posix, win32 } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { noteSessions } from "../extensions/note-session.ts";
import { usefulPath } from "../src/app/features/list/draw-row.ts";
import { findOutsideProgram, findOwnShell, findProgram, findShell } from "../src/app/world/effects/find-program.ts";
import { openTmuxWindow } from "../src/app/world/effects/sessions/tmux.ts";
import { projectNames } from "../src/app/world/list/projects.ts";
import { writersOf } from "../src/catalog/live/open-files.ts";
import { parentsByPid, processMark, runningOnes, runningPis, startMark } from "../src/catalog/live/processes.ts";
import { projectName } from "../src/catalog/query/conditions.ts";
import { findRipgrep } from "../src/catalog/search/find-ripgrep.ts";
import { shortPath } from "../src/conversation/entries/place.ts";
import { expandPath, sessionHome } from "../src/shared/paths.ts";
import { splitWords } from "../src/shared/split-words.ts";
import { LINUX, MACOS, WINDOWS } from "../src/shared/system.ts";
import { restoreSession, trashSession } from "../src/store/actions/trash.ts";
import { isDirectoryTyped } from "../src/store/files/paths.ts";
import { directoryName } from "../src/store/read/session-dir.ts";
import { spawnForm } from "../src/terminal/run-foreground.ts";
import { shortenHome } from "../src/ui/text/format.ts";
import { copyOfFixture } from "./support/fixture.ts";
import { NOT_ON_WINDOWS, whyNotOnWindows } from "./support/not-on-windows.ts";
import { makeRow } from "./support/rows.ts";
import { tempDir } from "./support/temp-dir.ts";

/*
 * What decides differently on macOS and Windows, tried on whatever system the tests run on: the platform is an argument, and
 * paths are texts. Nothing here shows that a whole run works there.
 */

afterEach(() => {
	vi.unstubAllEnvs();
	vi.restoreAllMocks();
});

/** The encoding of pi (1.5.2, `session-manager.ts`), for an absolute path. */
function piEncodes(cwd: string): string {
	return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

describe("paths of Windows", () => {
	test.each([
		["C:\\Users\\ada\\api", "--C--Users-ada-api--"],
		["C:\\", "--C----"],
		["\\\\server\\share\\api", "---server-share-api--"],
		["\\\\?\\C:\\long", "---?-C--long--"],
		["/home/ada/api", "--home-ada-api--"],
		["/home/ada/a:b\\c", "--home-ada-a-b-c--"],
	])("the sessions of %s are in %s", (cwd, name) => {
		expect(directoryName(cwd)).toBe(name);
		expect(directoryName(cwd)).toBe(piEncodes(cwd));
	});

	test.each([
		["C:\\Users\\ada\\work", "C:\\Users\\ada", "~\\work"],
		["C:\\Users\\ada", "C:\\Users\\ada", "~"],
		["C:\\Users\\adam", "C:\\Users\\ada", "C:\\Users\\adam"],
		["\\\\server\\home\\ada\\x", "\\\\server\\home\\ada", "~\\x"],
	])("%s with the home %s is shown as %s", (path, home, short) => expect(shortenHome(path, home)).toBe(short));

	test.each([
		["C:\\work\\api\\src\\a.ts", "src\\a.ts"],
		["C:\\work\\api", "."],
		["C:\\work\\apidocs\\a.ts", "C:\\work\\apidocs\\a.ts"],
		["D:\\work\\api\\a.ts", "D:\\work\\api\\a.ts"],
		["C:\\Users\\ada\\a.ts", "~\\a.ts"],
	])("%s is seen from the project as %s", (path, short) => {
		expect(shortPath(path, { cwd: "C:\\work\\api", home: "C:\\Users\\ada" })).toBe(short);
	});

	test("a project is called by its last folder", () => {
		expect(["C:\\work\\api", "C:\\work\\api\\", "\\\\server\\share\\api"].map(projectName)).toEqual([
			"api",
			"api",
			"api",
		]);
		const rows = ["C:\\a\\api", "D:\\b\\api"].map((cwd, index) => makeRow(`s${index}`, { cwd }));
		const { names } = projectNames(new Map(rows.map((row) => [row.path, row])));
		expect([...names.values()].map(({ text }) => text)).toEqual(["a/api", "b/api"]);
	});

	test("a session's file is named by what is behind the root", () => {
		const row = { ...makeRow("one"), path: "C:\\s\\--C--api--\\one.jsonl" };
		expect(usefulPath(row, "C:\\Users\\ada", "C:\\s", 20)).toBe("--C--api--\\one.jsonl");
	});

	test("~ is the home directory, before both slashes there, before one elsewhere", () => {
		expect(expandPath("~\\x", "C:\\Users\\ada", win32)).toBe("C:\\Users\\ada\\x");
		expect(expandPath("~\\x", "/home/ada", posix)).toBe("~\\x");
		expect(expandPath("~/x", "C:\\Users\\ada", win32)).toBe("C:\\Users\\ada\\x");
		expect(win32.join("C:\\Users\\ada", "x")).toBe("C:\\Users\\ada\\x");
	});

	test("a backslash in a command line is one", () => {
		const words = (line: string) => splitWords(line, WINDOWS);
		expect(words("C:\\tools\\pi.cmd --model x")).toEqual({ words: ["C:\\tools\\pi.cmd", "--model", "x"] });
		expect(words('"C:\\Program Files\\pi.exe" -x')).toEqual({ words: ["C:\\Program Files\\pi.exe", "-x"] });
		expect(words('pi "say \\"hi\\""')).toEqual({ words: ["pi", 'say "hi"'] });
		expect(splitWords("C:\\tools\\pi", LINUX)).toEqual({ words: ["C:toolspi"] });
	});
});

/** Files that may be run, in a directory of their own; returns it. */
function programs(...names: readonly string[]): string {
	const directory = tempDir();
	for (const name of names) {
		writeFileSync(join(directory, name), "");
		chmodSync(join(directory, name), 0o755);
	}
	return directory;
}

describe("a program on Windows", () => {
	test("is found by the endings of PATHEXT, and not as the script for other shells that npm puts beside it", async () => {
		const [first, second] = [programs("other.exe"), programs("pi", "pi.cmd", "pi.ps1", "node.exe")];
		const env = { Path: `${first};${second};`, PATHEXT: ".com;.exe;.bat;.cmd" };
		expect(await findProgram("pi", env, WINDOWS)).toBe(join(second, "pi.cmd"));
		expect(await findProgram("pi.cmd", env, WINDOWS)).toBe(join(second, "pi.cmd"));
		expect(await findProgram("node", env, WINDOWS)).toBe(join(second, "node.exe"));
		expect(await findProgram(join(second, "pi"), env, WINDOWS)).toBe(join(second, "pi.cmd"));
		expect(await findProgram("pi.ps1", env, WINDOWS)).toBeUndefined();
		expect(await findProgram("pi", { PATH: second }, LINUX)).toBe(join(second, "pi"));
	});

	test("is never one of the current directory, where PATH ends with a semicolon, as it often does", async () => {
		const here = programs("pi.cmd");
		vi.spyOn(process, "cwd").mockReturnValue(here);
		const env = { PATH: `${tempDir()};`, PATHEXT: ".cmd" };
		expect(await findProgram("pi", env, WINDOWS)).toBeUndefined();
	});

	test("of the person is a path with blanks in quotes, or one of the system", async () => {
		const directory = programs("code.cmd", "notepad.exe");
		const env = { PATH: directory, PATHEXT: ".exe;.cmd" };
		const named = { ...env, EDITOR: `"${join(directory, "code.cmd")}" --wait` };
		expect(await findOutsideProgram("editor", named, WINDOWS)).toMatchObject({
			command: join(directory, "code.cmd"),
			args: ["--wait"],
		});
		expect(await findOutsideProgram("editor", env, WINDOWS)).toMatchObject({ command: join(directory, "notepad.exe") });
		expect(await findOutsideProgram("editor", { ...env, EDITOR: "ed" }, WINDOWS)).toMatch(
			/the program "ed", which does not exist/,
		);
	});

	test("that is a .cmd is run by cmd.exe, with arguments that stay what they are", () => {
		const env = { ComSpec: "C:\\Windows\\System32\\cmd.exe" };
		const form = (command: string, ...args: readonly string[]) => spawnForm(command, args, env, WINDOWS);
		expect(form("C:\\npm\\pi.cmd", "--session", 'C:\\my "s" & more\\', "%PATH%")).toEqual({
			command: env.ComSpec,
			args: ["/d", "/s", "/c", '"C:\\npm\\pi.cmd ^"--session^" ^"C:\\my^ \\^"s\\^"^ ^&^ more\\\\^" ^"^%PATH^%^""'],
			windowsVerbatimArguments: true,
		});
		expect(form("C:\\x\\node_modules\\.bin\\pi.cmd", "a b").args.at(-1)).toContain('^^^"a^^^ b^^^"');
		expect(form("C:\\pi.exe", "a b")).toEqual({
			command: "C:\\pi.exe",
			args: ["a b"],
			windowsVerbatimArguments: false,
		});
		expect(spawnForm("/bin/pi.cmd", ["a b"], {}, MACOS).args).toEqual(["a b"]);
		expect(spawnForm("pi.BAT", [], {}, WINDOWS).command).toBe("cmd.exe");
	});
});

describe("the trash", () => {
	// The package chooses by the platform when it trashes: the programs for other systems cannot run here.
	test.runIf(process.platform === "linux").each(["darwin", "win32"] as const)(
		"of %s that does not work leaves the file, and says so",
		async (platform) => {
			const path = copyOfFixture("conversation");
			vi.stubEnv("XDG_DATA_HOME", tempDir());
			const own = Object.getOwnPropertyDescriptor(process, "platform");
			Object.defineProperty(process, "platform", { ...own, value: platform });
			onTestFinished(() => void Object.defineProperty(process, "platform", own ?? {}));
			await expect(trashSession(path)).rejects.toThrow(/^Cannot move the session to the trash: .*nothing was deleted/);
			expect(existsSync(path)).toBe(true);
		},
	);

	test("in which a file was not found cannot restore it, and says what to do", async () => {
		const receipt = { path: join(tempDir(), "one.jsonl"), size: 10 };
		await expect(restoreSession(receipt)).rejects.toThrow(/was not found in the system's trash; restore it there/);
	});
});

test("without /proc no pi is seen, and nothing fails", () => {
	const proc = join(tempDir(), "proc");
	const path = copyOfFixture("conversation");
	expect(runningPis(proc)).toEqual([]);
	expect(startMark(process.pid, proc)).toBeUndefined();
	expect(writersOf([path], undefined, proc)).toEqual(new Map([[path, []]]));
});

describe("processes without /proc", () => {
	/** A program that prints `lines`, and the time zone and language of its environment; `calls` are its arguments. */
	function program(path: string, lines: readonly string[]) {
		const log = `${path}.log`;
		writeFileSync(log, "");
		const script = `#!/bin/sh\necho "$LC_ALL $TZ $*" >>'${log}'\ncat <<'END'\n${lines.join("\n")}\nEND\n`;
		writeFileSync(path, script, { mode: 0o755 });
		return { calls: () => readFileSync(log, "utf8").split("\n").slice(0, -1) };
	}

	const { pid, ppid } = process;
	const START = Date.parse("2026-11-21T14:05:31Z");
	const marks = (): string[] => [String(START), String(START + 9000), "Sat Nov 21 14:05:31 2026", "alive"];
	const others = (): string[] => [String(START + 60_000), "Sat Nov 21 14:06:31 2026"];
	/** Each time at another hour, since answers are used again for half a minute. */
	let hour = 0;
	beforeEach(() => {
		hour += 1;
		vi.spyOn(Date, "now").mockReturnValue(START + hour * 3_600_000);
	});

	test("are known by their start: one `ps` is asked about all, and again after half a minute", () => {
		const bin = tempDir();
		vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
		const ps = program(join(bin, "ps"), [
			` ${pid} S+   Sat Nov 21 14:05:31 2026`,
			`${ppid} Ss   Sat Nov 21 14:05:31 2026 `,
		]);
		const noted = [pid, ppid].flatMap((one) => [...marks(), ...others()].map((mark) => ({ pid: one, mark })));
		const gone = { pid: 4_194_303, mark: String(START) };
		expect(runningOnes([...noted, gone], MACOS)).toEqual(
			[pid, ppid].flatMap((one) => marks().map((mark) => ({ pid: one, mark }))),
		);
		expect(ps.calls()).toEqual([`C UTC -o pid= -o stat= -o lstart= -p ${pid},${ppid}`]);
		runningOnes(noted, MACOS);
		expect(ps.calls()).toHaveLength(1);
		vi.spyOn(Date, "now").mockReturnValue(Date.now() + 31_000);
		runningOnes(noted, MACOS);
		expect(ps.calls()).toHaveLength(2);
	});

	test("that have ended are not running, although their parents have not noticed; without `ps` the pid has to suffice", () => {
		const bin = tempDir();
		vi.stubEnv("PATH", bin);
		const one = { pid, mark: String(START + 60_000) };
		expect(runningOnes([one], MACOS)).toEqual([one]);
		vi.spyOn(Date, "now").mockReturnValue(Date.now() + 31_000);
		program(join(bin, "ps"), [` ${pid} Z    Sat Nov 21 14:05:31 2026`]);
		vi.stubEnv("PATH", `${bin}:/usr/bin:/bin`);
		expect(runningOnes([{ pid, mark: String(START) }], MACOS)).toEqual([]);
	});

	test("of Windows are asked for by one PowerShell, by its path; what it does not tell counts by the pid", () => {
		const root = join(tempDir(), "Windows");
		vi.stubEnv("SystemRoot", root);
		const path = `${root}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
		const powerShell = program(path, [`${pid} ${START}\r`]);
		const noted = [...marks(), ...others()].map((mark) => ({ pid, mark }));
		const silent = { pid: ppid, mark: String(START + 60_000) };
		expect(runningOnes([...noted, silent], WINDOWS)).toEqual([...marks().map((mark) => ({ pid, mark })), silent]);
		expect(powerShell.calls()).toHaveLength(1);
		expect(powerShell.calls()[0]).toContain(`Get-Process -Id ${pid},${ppid} |`);
	});

	test("are marked alike by pi-grove and by its extension in pi, without a program", () => {
		const own = Object.getOwnPropertyDescriptor(process, "platform");
		Object.defineProperty(process, "platform", { ...own, value: "darwin" });
		onTestFinished(() => void Object.defineProperty(process, "platform", own ?? {}));
		const bin = tempDir();
		const ps = program(join(bin, "ps"), []);
		vi.stubEnv("PATH", bin);
		const home = tempDir();
		vi.stubEnv("XDG_STATE_HOME", home);
		const notes = join(home, "pi-grove", "open-in-pi");
		const handlers = new Map<string, (event: object, ctx: object) => unknown>();
		const on = (event: string, handler: (event: object, ctx: object) => unknown): unknown =>
			handlers.set(event, handler);
		noteSessions({ on } as Parameters<typeof noteSessions>[0]);
		handlers.get("session_start")?.({}, { sessionManager: { getSessionFile: () => "/s/a.jsonl" } });
		const [name = ""] = readdirSync(notes);
		const { mark } = JSON.parse(readFileSync(join(notes, name), "utf8"));
		handlers.get("session_shutdown")?.({}, {});
		expect(mark).toBe(processMark(pid, undefined, MACOS));
		expect(Math.abs(Number(mark) - performance.timeOrigin)).toBeLessThan(1);
		expect([processMark(ppid, START, WINDOWS), ps.calls()]).toEqual([String(START), []]);
	});

	test("have their parents from one `ps`", () => {
		const bin = tempDir();
		vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
		const ps = program(join(bin, "ps"), ["    1     0", "  417     1", " 4170   417"]);
		expect([...parentsByPid(MACOS)]).toEqual([
			[1, 0],
			[417, 1],
			[4170, 417],
		]);
		expect(ps.calls()).toHaveLength(1);
		expect(parentsByPid(WINDOWS).size).toBe(0);
		expect(parentsByPid(LINUX).get(pid)).toBe(ppid);
	});
});

describe("shells of Windows", () => {
	test("the person's is PowerShell, if it is installed, else the one of ComSpec", async () => {
		const env = { ComSpec: "C:\\Windows\\System32\\cmd.exe", SHELL: "/usr/bin/bash", PATHEXT: ".exe" };
		expect(await findOwnShell({ ...env, PATH: tempDir() }, WINDOWS)).toBe(env.ComSpec);
		expect(await findOwnShell({ PATH: tempDir() }, WINDOWS)).toBe("cmd.exe");
		const bin = programs("pwsh.exe");
		expect(await findOwnShell({ ...env, PATH: bin }, WINDOWS)).toBe(join(bin, "pwsh.exe"));
		expect(await findOwnShell({ ...env, PATH: bin }, LINUX)).toBe("/usr/bin/bash");
	});

	test("that of own commands is `sh` on the PATH, or the one of Git", async () => {
		const git = programs("git.exe");
		const env = { PATH: git, PATHEXT: ".exe" };
		expect(await findShell(env, WINDOWS)).toBeUndefined();
		const bin = join(git, "..", "bin");
		onTestFinished(() => rmSync(bin, { recursive: true }));
		mkdirSync(bin);
		writeFileSync(join(bin, "sh.exe"), "", { mode: 0o755 });
		expect(await findShell(env, WINDOWS)).toBe(join(bin, "sh.exe"));
		expect(await findShell(env, LINUX)).toBeUndefined();
		const other = programs("sh.exe");
		expect(await findShell({ ...env, PATH: `${git};${other}` }, WINDOWS)).toBe(join(other, "sh.exe"));
	});
});

test("on Android the way to ripgrep is that of Termux", async () => {
	const env = { PI_GROVE_RG: join(tempDir(), "rg") };
	await expect(findRipgrep(env, { ...LINUX, platform: "android" })).rejects.toThrow(
		/Install it, with `pkg install ripgrep`, or/,
	);
	await expect(findRipgrep({ ...env, PATH: "" }, LINUX)).rejects.toThrow(/Install it, so that rg is on the PATH, or/);
	expect(sessionHome("/data/data/com.termux/files/home/api", "/home/ada")).toBe("/data/data/com.termux/files/home");
});

test("what is known not to work on Windows is there, and says why", () => {
	for (const [name, reason] of Object.entries(NOT_ON_WINDOWS)) {
		const [file = "", ...titles] = name.split(" > ");
		const source = readFileSync(join(import.meta.dirname, "..", file), "utf8");
		// A title may have values of a table.
		for (const title of titles) expect(source, name).toContain(`"${title.replace("a named pipe", "%s")}"`);
		expect([whyNotOnWindows(name), whyNotOnWindows(`${name} > x`)]).toEqual([reason, reason]);
	}
	expect(whyNotOnWindows("test/platforms.test.ts > paths of Windows > x")).toBeUndefined();
});

test("without tmux there is no window of it, and the reason", async () => {
	const run = { command: "pi", args: [], cwd: tempDir(), path: "/x.jsonl" };
	const opened = await openTmuxWindow(run, { PATH: tempDir(), TMUX: "x" });
	expect(opened).toEqual({ failure: 'there is no program "tmux" on the PATH' });
});

test("a directory is found by the name that was typed and by its own, as where several names lead to it", () => {
	const base = tempDir();
	mkdirSync(join(base, "own"));
	symlinkSync(join(base, "own"), join(base, "other"));
	const isAsked = isDirectoryTyped(join(base, "other"));
	expect(["own", "other", "else"].map((name) => isAsked(join(base, name)))).toEqual([true, true, false]);
	expect(isDirectoryTyped(join(base, "gone"))(join(base, "gone"))).toBe(true);
});
