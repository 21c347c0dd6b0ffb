import { expect, test } from "vitest";
import { directoryHere } from "../../../src/changes/kinds/bring.ts";

test.skipIf(process.platform === "win32")("a directory there is found here with the home directory replaced", () => {
	const cases: readonly (readonly [cwd: string, homeThere: string, here: string | undefined])[] = [
		["/home/ada/work/api", "/home/ada", "/Users/ada/work/api"],
		["/home/ada", "/home/ada/", "/Users/ada"],
		["/home/ada2/work", "/home/ada", "/home/ada2/work"],
		["/srv/app", "/home/ada", "/srv/app"],
		["/home/ada/..x", "/home/ada", "/Users/ada/..x"],
		// Nothing that says more than its names is followed.
		["/home/ada/../bob", "/home/ada", undefined],
		["/home//ada", "/home/ada", undefined],
		["work/api", "/home/ada", undefined],
		["~/work", "/home/ada", undefined],
		["file:///etc", "/home/ada", undefined],
		["C:\\work", "C:\\Users\\ada", undefined],
		["/home/a\0b", "/home/ada", undefined],
		["", "/home/ada", undefined],
		["/srv/app", "../..", "/srv/app"],
	];
	for (const [cwd, home, here] of cases) expect([cwd, directoryHere(cwd, home, "/Users/ada")]).toEqual([cwd, here]);
});
