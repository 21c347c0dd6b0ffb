import { describe, expect, test } from "vitest";
import {
	endsWithName,
	isOfThisSystem,
	isUnder,
	isWithin,
	nameFrom,
	prefixOf,
	projectKey,
	resolvePath,
	sessionHome,
	wholeDirectory,
	withSlashes,
} from "../../src/shared/paths.ts";
import { LINUX, MACOS, WINDOWS } from "../../src/shared/system.ts";
import { toolPath } from "../../src/store/format/tool-change.ts";
import { SYSTEMS } from "../support/systems.ts";

describe.each(SYSTEMS)("on $name", ({ system, home, cwd, file }) => {
	const { sep } = system.paths;
	const ignoresCase = system !== LINUX;

	test("what is in a directory", () => {
		expect(isUnder(file("src/a.ts"), cwd)).toBe(true);
		expect(isUnder(cwd, cwd)).toBe(false);
		expect([cwd, `${cwd}${sep}`, file("a")].map((path) => isWithin(path, cwd))).toEqual([true, true, true]);
		const outside = [home, `${cwd}2`, file(".."), file("../other/x"), "src/a.ts", "", "E:\\x", "/x"];
		expect(outside.map((path) => isWithin(path, cwd))).toEqual(Array(8).fill(false));
		expect(isUnder(file("..x"), cwd)).toBe(true);
	});

	test("the same directory in other letters", () => {
		const other = system.paths.join(home, "Work", "API", "src", "A.ts");
		expect([isUnder(other, cwd), isWithin(system.paths.dirname(other), cwd)]).toEqual([ignoresCase, ignoresCase]);
		expect(nameFrom(other, cwd)).toBe(ignoresCase ? "src/A.ts" : "../../Work/API/src/A.ts");
		expect(isWithin(system.paths.join(home, "WORK", "api"), cwd)).toBe(ignoresCase);
		expect(nameFrom(system.paths.join(home, "WORK", "api"), cwd)).toBe(ignoresCase ? "" : "../../WORK/api");
	});

	test("a name has slashes, as Git has it", () => {
		expect(nameFrom(file("src/a.ts"), cwd)).toBe("src/a.ts");
		expect(nameFrom(system.paths.join(home, "x"), cwd)).toBe("../../x");
		expect(endsWithName(file("src/a.ts"), `src${sep}a.ts`)).toBe(true);
		expect(endsWithName(file("src/a.ts"), "./src/a.ts")).toBe(true);
		expect(endsWithName(file("src/ba.ts"), "a.ts")).toBe(false);
		expect(endsWithName(file("src/a.ts"), "SRC/A.ts")).toBe(ignoresCase);
		expect(prefixOf(cwd)).toBe(`${cwd}${sep}`);
		expect(withSlashes(file("src/a.ts"))).toMatch(/\/work\/api\/src\/a\.ts$/);
		expect(withSlashes("src\\a.ts", cwd)).toBe(system === WINDOWS ? "src/a.ts" : "src\\a.ts");
	});

	test("what a session calls a file", () => {
		const there = (path: string): string | undefined => toolPath(path, cwd, "/home/reader");
		for (const path of ["src/a.ts", "@src/a.ts", "./src//a.ts", "~/work/api/src/a.ts", file("src/a.ts")])
			expect(there(path)).toBe(file("src/a.ts"));
		expect(there("../x")).toBe(file("../x"));
		expect(sessionHome(cwd, "/home/reader")).toBe(home);
		expect(resolvePath("b", file("src"), home)).toBe(file("src/b"));
		expect(there(`src\\a.ts`)).toBe(system === WINDOWS ? file("src/a.ts") : `${file("src")}\\a.ts`);
	});

	test("a project is one in all its spellings", () => {
		const key = projectKey(cwd);
		expect([`${cwd}${sep}`, file("."), file("x/..")].map(projectKey)).toEqual([key, key, key]);
		expect(projectKey(system.paths.join(home, "WORK", "Api")) === key).toBe(ignoresCase);
		expect(projectKey(cwd.replace("C:", "c:"))).toBe(key);
		expect(projectKey(file("cafe\u0301"))).toBe(projectKey(file("caf\u00e9")));
		expect(key).toBe(cwd);
	});
});

test.skipIf(process.platform === "win32")(
	"a directory that was typed is of the current one, or another system's",
	() => {
		expect(["src", "/w/x/", "c:\\Proj\\"].map(wholeDirectory)).toEqual([resolvePath("src"), "/w/x", "c:\\Proj\\"]);
	},
);

test("only some can be of this machine", () => {
	const isWindows = process.platform === "win32";
	expect(SYSTEMS.map(({ cwd }) => isOfThisSystem(cwd))).toEqual([!isWindows, !isWindows, isWindows]);
	expect([LINUX, MACOS, WINDOWS].map(({ isUnix }) => isUnix)).toEqual([true, true, false]);
});
