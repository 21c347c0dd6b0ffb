import { describe, expect, test } from "vitest";
import { defaultCacheDir } from "../../src/catalog/model/session-roots.ts";
import { journalPath } from "../../src/changes/journal/journal.ts";
import {
	fileKey,
	homeOf,
	LINUX,
	MACOS,
	rulesOf,
	Spellings,
	shellOf,
	systemOf,
	thisSystem,
	WINDOWS,
	xdgDir,
} from "../../src/shared/system.ts";
import { isPossible, whyRefused } from "../../src/store/write/foreign-names.ts";
import { SYSTEMS } from "../support/systems.ts";

const HOME = "/home/ada";

test("a base directory comes from its variable, by default it is in the home directory", () => {
	expect(xdgDir("XDG_DATA_HOME", { XDG_DATA_HOME: "/data" }, HOME)).toBe("/data");
	expect(xdgDir("XDG_DATA_HOME", {}, HOME)).toBe("/home/ada/.local/share");
	expect(xdgDir("XDG_DATA_HOME", { XDG_DATA_HOME: "" }, HOME)).toBe("/home/ada/.local/share");
});

test("a relative path in the variable is ignored, for the index and for the journal", () => {
	expect(defaultCacheDir({ XDG_CACHE_HOME: "rel/cache" }, HOME)).toBe("/home/ada/.cache/pi-grove");
	expect(journalPath({ XDG_STATE_HOME: "./state" }, HOME)).toBe("/home/ada/.local/state/pi-grove/journal.jsonl");
});

describe.each(SYSTEMS)("on $name", ({ system, home, cwd, file }) => {
	test("a path shows whose it is, and which home it is in", () => {
		expect(systemOf(file("a.ts"))).toBe(system);
		expect(rulesOf(cwd)).toBe(system.paths);
		expect([home, cwd].map(homeOf)).toEqual([home, home]);
		expect(homeOf(system.paths.dirname(home))).toBeUndefined();
	});

	test("names are one file where letter case does not count", () => {
		const isSame = system !== LINUX;
		const other = file("SRC/README.md");
		expect(fileKey(other) === fileKey(file("src/Readme.md"))).toBe(isSame);
		const spellings = new Spellings();
		expect(spellings.of(file("src/Readme.md"))).toBe(file("src/Readme.md"));
		expect(spellings.of(other)).toBe(isSame ? file("src/Readme.md") : other);
		expect(spellings.of(file("SRC/b"))).toBe(file(isSame ? "src/b" : "SRC/b"));
	});

	test("an accent that follows its letter is another name, but on macOS", () => {
		expect(fileKey(file("caf\u00e9")) === fileKey(file("cafe\u0301"))).toBe(system === MACOS);
	});

	test.each([".git\u200c/config", "git~1/x", ".git::$INDEX_ALLOCATION/config", "a/.git./x", ".GIT /x", "gi7eb5~1/x"])(
		"%j is taken for Git's own",
		(name) => expect(whyRefused(name, system)).toBe("it would be Git's own"),
	);

	test.each(["../x", "a/../../x", ""])("%j is outside", (name) => {
		expect(whyRefused(name, system)).toBe("it is outside of the directory");
	});

	test.each(["NUL", "con.txt", "src/aux.ts", "lpt1 .x", "COM¹", "CONIN$", "a.", "b /c", "a:b", "x?", "tab\t"])(
		"only Windows has no file %j",
		(name) => {
			const isRefused = system === WINDOWS;
			expect(whyRefused(name, system)).toBe(isRefused ? "no file can have that name on Windows" : undefined);
		},
	);

	test.each(["console.ts", "auxiliary", "com10", "null", ".env", "a..b", "\u00e9".repeat(127)])(
		"any can be called %j",
		(name) => expect(whyRefused(name, system)).toBeUndefined(),
	);

	test("a name has an end", () => {
		const name = (length: number, letter = "n"): string => letter.repeat(length);
		expect([name(255), name(256)].map((one) => isPossible(one, system))).toEqual([true, false]);
		expect(isPossible(name(200, "\u00e9"), system)).toBe(!system.countsBytes);
		expect(isPossible(`${name(250)}/`.repeat(200), system)).toBe(false);
		expect(isPossible("a\0b", system)).toBe(false);
	});
});

test("the system of what shows none is this one; homes are known by their forms", () => {
	expect(["", "a", "./b", "~"].map(systemOf)).toEqual(Array(4).fill(thisSystem));
	expect(["C:/Users/ada/x", "\\\\server\\share"].map(systemOf)).toEqual([WINDOWS, WINDOWS]);
	expect(
		["/data/data/com.termux/files/home/p", "/root/x", "/var/home/a/b", "c:\\users\\ada\\x", "/var/root/x"].map(homeOf),
	).toEqual(["/data/data/com.termux/files/home", "/root", "/var/home/a", "c:\\users\\ada", "/var/root"]);
	const nobodys = [
		"/Users/Shared/x",
		"C:\\Users\\Public\\x",
		"/home/linuxbrew/x",
		"/rooted",
		"/data/data/com.termux",
		"",
	];
	expect(nobodys.map(homeOf)).toEqual(Array(6).fill(undefined));
	expect(homeOf("/home/linuxbrew2/x")).toBe("/home/linuxbrew2");
});

test("the shell is the person's, else that which each system has", () => {
	expect(shellOf({ SHELL: "/bin/zsh", ComSpec: "x" }, LINUX)).toBe("/bin/zsh");
	expect(shellOf({ SHELL: "" }, MACOS)).toBe("/bin/sh");
	expect(shellOf({ SHELL: "/bin/zsh", ComSpec: "C:\\cmd.exe" }, WINDOWS)).toBe("C:\\cmd.exe");
	expect(shellOf({}, WINDOWS)).toBe("cmd.exe");
});
