import { describe, expect, test } from "vitest";
import { commandRow, shortCommand, shortPath } from "../../../src/conversation/entries/place.ts";
import { LINUX, WINDOWS } from "../../../src/shared/system.ts";
import { leastCpuMs } from "../../support/cpu-ms.ts";
import { SYSTEMS } from "../../support/systems.ts";

const place = { cwd: "/home/ada/work/api", home: "/home/ada" };

test.each([
	["/home/ada/work/api/src/a.ts", "src/a.ts"],
	["/home/ada/work/api", "."],
	["/home/ada/work/api/", "."],
	["~/work/api/src/a.ts", "src/a.ts"],
	["src/a.ts", "src/a.ts"],
	["./src/a.ts", "src/a.ts"],
	["../site/a.ts", "../site/a.ts"],
	["/home/ada/work/api-2/a.ts", "~/work/api-2/a.ts"],
	["/home/ada", "~"],
	["/etc/hosts", "/etc/hosts"],
	["", ""],
])("%s is said as %s", (path, short) => {
	expect(shortPath(path, place)).toBe(short);
});

describe.each(SYSTEMS)("a title on $name", ({ cwd, home, file, system }) => {
	const { sep } = system.paths;
	const there = { cwd, home };

	test("has the names of files from the directory on", () => {
		expect([file("src/a.ts"), cwd, `${cwd}${sep}`, home].map((path) => shortPath(path, there))).toEqual([
			`src${sep}a.ts`,
			".",
			".",
			"~",
		]);
		expect(shortPath(file("../x"), there)).toBe(["~", "work", "x"].join(sep));
		expect(shortPath("~/work/api/a.ts", there)).toBe("a.ts");
		const other = system.paths.join(home, "Work", "API", "a.ts");
		expect(shortPath(other, there)).toBe(system === LINUX ? "~/Work/API/a.ts" : "a.ts");
	});

	test("has no change to that directory", () => {
		for (const spelling of [cwd, ...(system === WINDOWS ? ["C:/Users/ada/work/api", "/c/Users/ada/work/api"] : [])])
			expect(shortCommand(`cd "${spelling}" && npm test`, there)).toBe("npm test");
		expect(shortCommand(`cd "${file("sub")}" && npm test`, there)).toBe("cd sub && npm test");
	});
});

test("in a session of somebody else ~ is the home that its directory is in", () => {
	const theirs = { cwd: "/Users/eve/work", home: "/home/ada" };
	expect(shortPath("~/work/src/a.ts", theirs)).toBe("src/a.ts");
	expect(shortPath("~/.pi/a.json", theirs)).toBe("~/.pi/a.json");
	expect(shortPath("/Users/eve/.pi/a.json", theirs)).toBe("/Users/eve/.pi/a.json");
	expect(commandRow("ls ~/work/src", theirs)).toBe("ls ./src");
});

test("without a directory, or in the root, a path stays whole", () => {
	expect(shortPath("/etc/hosts", { cwd: "", home: "" })).toBe("/etc/hosts");
	expect(shortPath("/etc/hosts", { cwd: "/", home: "/root" })).toBe("/etc/hosts");
	expect(shortPath("C:\\work\\api\\src\\a.ts", { cwd: "C:\\work\\api", home: "" })).toBe("src\\a.ts");
});

describe("a command without the change to the session's directory", () => {
	test.each([
		["cd /home/ada/work/api && npm test", "npm test"],
		["cd /home/ada/work/api/ && npm test", "npm test"],
		["cd '/home/ada/work/api' && npm test", "npm test"],
		['  cd "/home/ada/work/api"; npm test', "npm test"],
		["cd ~/work/api && npm test", "npm test"],
		["cd /home/ada/work/api\nnpm test", "npm test"],
		["cd . && npm test", "cd . && npm test"],
		["cd /home/ada/work/api/packages/tui && npm test", "cd packages/tui && npm test"],
		["cd '/home/ada/work/api/my app'; npm test", 'cd "my app" && npm test'],
		["cd packages/tui && npm test", "cd packages/tui && npm test"],
		["cd /home/ada/work/api", "cd /home/ada/work/api"],
		["cd /home/ada/work/api || exit 1", "cd /home/ada/work/api || exit 1"],
		["cd /home/ada/work/api-2 && npm test", "cd ~/work/api-2 && npm test"],
		['cd "$HOME" && npm test', 'cd "$HOME" && npm test'],
		["npm test && cd /home/ada/work/api && ls", "npm test && cd /home/ada/work/api && ls"],
	])("%s", (command, short) => {
		expect(shortCommand(command, place)).toBe(short);
	});

	test("with escaped spaces in its name", () => {
		expect(shortCommand("cd /my\\ app && ls", { cwd: "/my app", home: "" })).toBe("ls");
	});

	test("of any length, at once", () => {
		const long = `cd "${"x".repeat(5_000_000)}`;
		const shorten = () => {
			expect(shortCommand(long, place)).toHaveLength(long.length);
			expect(shortCommand(`cd /home/ada/work/api && ${long}`, place)).toHaveLength(long.length);
		};
		expect(leastCpuMs(shorten)).toBeLessThan(1000);
	});
});

describe("a command as one row", () => {
	test.each([
		['grep -n "prompt(" /home/ada/work/api/packages', 'grep -n "prompt(" ./packages'],
		["ls /home/ada/work/api", "ls ."],
		["cat ~/work/api/a.ts '/home/ada/work/api/my b.ts'", "cat ./a.ts './my b.ts'"],
		["npm test --prefix=/home/ada/work/api/site > /home/ada/work/api/log", "npm test --prefix=./site > ./log"],
		["docker run -v /home/ada/work/api:/app x", "docker run -v .:/app x"],
		["cd /home/ada/work/api && cat /home/ada/work/api/a.ts", "cat ./a.ts"],
		// Elsewhere "." is another directory.
		["cd /tmp && cat /home/ada/work/api/a.ts", "cd /tmp && cat /home/ada/work/api/a.ts"],
		["(cd site; cat /home/ada/work/api/a.ts)", "(cd site; cat /home/ada/work/api/a.ts)"],
		["scp host:/home/ada/work/api/a.ts .", "scp host:/home/ada/work/api/a.ts ."],
		[
			"cat /home/ada/work/api-2/a.ts /mnt/home/ada/work/api/b",
			"cat /home/ada/work/api-2/a.ts /mnt/home/ada/work/api/b",
		],
		[
			"for i in 1 2; do\n  echo $i\n  sleep 1\ndone\n\ncat <<'EOF'\nhello\nEOF\n",
			"for i in 1 2; do ⏎ echo $i ⏎ sleep 1 ⏎ done ⏎ cat <<'EOF' ⏎ hello ⏎ EOF",
		],
		["docker run \\\n  --rm \\\r\n  x", "docker run --rm x"],
	])("%j", (command, row) => expect(commandRow(command, place)).toBe(row));

	test("in the home directory, or without one, paths stay as they are", () => {
		expect(commandRow("cat ~/a.ts", { cwd: "/home/ada", home: "/home/ada" })).toBe("cat ~/a.ts");
		expect(commandRow("cat /home/ada/a.ts", { cwd: "/home/ada", home: "/home/ada" })).toBe("cat ./a.ts");
		expect(commandRow("cat /etc/hosts", { cwd: "/", home: "" })).toBe("cat /etc/hosts");
		expect(commandRow("cat /a(b)/c", { cwd: "/a(b)", home: "" })).toBe("cat ./c");
	});
});
