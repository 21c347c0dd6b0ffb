import { execFileSync, spawnSync } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inShort } from "../support/cases.ts";
import { EditingSession } from "../support/editing-session.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { GitRepository } from "../support/git-repository.ts";
import { run } from "../support/run.ts";
import { programPath, Sandbox } from "../support/sandbox.ts";
import { configurationThatRuns, SETTINGS_THAT_RUN } from "../support/settings-that-run.ts";

const ID = "01a10000-0000-7000-8000-0000000000a1";
const HOOKS = [
	"post-checkout",
	"post-index-change",
	"pre-auto-gc",
	"reference-transaction",
	"post-merge",
	"fsmonitor-watchman",
];
let here: Sandbox;
/** What ran is noted here. */
let ran: string;
let clone: string;

/** A partial clone whose configuration, attributes, hooks and embedded repositories run a program wherever one can. */
beforeEach(() => {
	here = new Sandbox();
	ran = join(here.home, "ran.log");
	const program = join(here.directory("evil"), "run.sh");
	writeFileSync(program, `#!/bin/sh\necho "$@" >> ${ran}\nexit 1\n`);
	chmodSync(program, 0o755);
	const now = Date.now() - 3_600_000;
	const source = new GitRepository(join(here.home, "source"));
	for (const [index, text] of ["one\n", "one\ntwo\n", "one\ntwo\nthree of a long line\n"].entries()) {
		writeFileSync(source.file("a.ts"), text);
		if (index === 0) writeFileSync(source.file("b.ts"), "export const limit = 30;\n");
		source.commit(now - 60_000 * (9 - index), `change ${index}`);
	}
	source.git("config", "uploadpack.allowFilter", "true");
	clone = join(here.directory("work"), "api");
	source.gitAt(now - 60_000, "clone", "--quiet", "--filter=blob:none", `file://${source.path}`, clone);

	const session = new EditingSession(ID, clone, now);
	session.disk.set(join(clone, "a.ts"), "one\ntwo\nthree of a long line\n");
	session.disk.set(join(clone, "b.ts"), "export const limit = 30;\n");
	session.prompt("Change it");
	session.edit("a.ts", [{ oldText: "two", newText: "two and a half" }]);
	session.edit("b.ts", [{ oldText: "30", newText: "60" }]);
	session.write("sub/f.txt", "a line of the embedded one\n");
	session.bash("npm test");
	session.save(here.agentDir);
	mkdirSync(join(clone, "sub"));
	for (const [path, text] of session.disk) writeFileSync(path, text);

	// A bare repository inside, with a file of the working tree that it calls its own.
	const embedded = new GitRepository(join(here.home, "embedded"));
	writeFileSync(embedded.file("f.txt"), "a line of the embedded one\n");
	embedded.commit(now, "embedded");
	execFileSync("git", ["clone", "--quiet", "--bare", embedded.path, join(here.home, "bare")]);
	execFileSync("cp", ["-r", `${join(here.home, "bare")}/.`, join(clone, "sub")]);
	const runs = configurationThatRuns(program);
	writeFileSync(
		join(clone, "sub/config"),
		`[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n${runs}`,
	);
	const attributes = "* filter=evil diff=evil merge=evil\n";
	for (const name of [".gitattributes", "sub/.gitattributes", ".git/info/attributes"])
		writeFileSync(join(clone, name), attributes);
	appendFileSync(join(clone, ".git/config"), `${runs}[remote "origin"]\n\turl = ssh://example.invalid/x\n`);
	for (const hook of HOOKS) {
		writeFileSync(join(clone, ".git/hooks", hook), `#!/bin/sh\n${program} hook ${hook}\n`);
		chmodSync(join(clone, ".git/hooks", hook), 0o755);
	}
});
afterEach(() => here.remove());

const LOOKING = (): readonly (readonly string[])[] => [
	["diff", ID],
	["diff", ID, "--stat"],
	["blame", join(clone, "a.ts")],
	["blame", join(clone, "b.ts")],
	["blame", join(clone, "sub/f.txt")],
	["files", ID],
	["show", ID, "--file", "a.ts"],
	["show", ID, "--file", "b.ts"],
	["checkout", ID, "--dry-run"],
];

/** What is in the clone, byte by byte. */
function contents(): ReadonlyMap<string, string> {
	const files = readdirSync(clone, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const paths = files.map(({ parentPath, name }) => join(parentPath, name));
	return new Map(paths.map((path) => [path, fingerprint(path)]));
}

test("looking runs no program of a repository, fetches nothing and writes nothing into it", () => {
	expect(SETTINGS_THAT_RUN).toBeGreaterThanOrEqual(70);
	const before = contents();
	const said = LOOKING().map((args) => ({ args, ...run(here, args) }));
	expect(existsSync(ran) ? readFileSync(ran, "utf8") : "").toBe("");
	expect(contents()).toEqual(before);
	const of = (...args: readonly string[]) => said.find((one) => args.every((arg) => one.args.includes(arg)));
	expect(of("diff")?.out).toContain("+export const limit = 60;");
	expect(of("blame", join(clone, "b.ts"))?.out).toMatch(/^1\texact\t/);
	expect(of("blame", join(clone, "sub/f.txt"))?.err).toContain("Git does not have the file");
	expect(of("blame", join(clone, "a.ts"))?.out).toContain("two and a half");
	expect(of("checkout")?.out).toContain("b.ts");
	// Git itself runs them.
	spawnSync("git", ["-C", clone, "log", "-p", "--", "a.ts"], { timeout: 20_000 });
	spawnSync("git", ["-C", join(clone, "sub"), "diff"], { timeout: 20_000 });
	expect(readFileSync(ran, "utf8")).toMatch(/core\.(?:sshCommand|pager|fsmonitor)|filter|diff/);
});

/** Whether another of them looks in the same way, at a file with less that could run. */
const isAgain = (words: readonly string[]): boolean =>
	words.includes("--stat") || words.some((word) => word.endsWith("b.ts"));

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
const WRITES =
	/O_WRONLY|O_RDWR|O_CREAT|^(?:creat|rename|renameat2?|unlink|unlinkat|mkdir|mkdirat|link|linkat|symlink|symlinkat)\(/;

test.skipIf(!hasStrace)("of what looking starts, nothing but Git and the search runs, connects or writes", () => {
	const calls =
		"execve,connect,open,openat,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat,symlink,symlinkat";
	const trace = join(here.home, "trace");
	const strace = ["-f", "-qq", "-s", "4096", "-e", `trace=${calls}`, "-o", trace, process.execPath, programPath];
	const started = new Set<string>();
	for (const args of inShort(LOOKING(), (words) => !isAgain(words))) {
		rmSync(trace, { force: true });
		const { stderr } = spawnSync("strace", [...strace, ...args], {
			env: { ...process.env, ...here.env },
			cwd: here.home,
			encoding: "utf8",
		});
		const lines = readFileSync(trace, "utf8")
			.split("\n")
			.map((line) => line.replace(/^\d+ +/, ""));
		const done = lines.filter((line) => !/ = -1 E/.test(line));
		const programs = done.flatMap((line) => /^execve\("(?:[^"]*\/)?([^"/]+)"/.exec(line)?.[1] ?? []);
		expect([args, stderr, programs.filter((name) => !["node", "git", "rg"].includes(name))]).toEqual([
			args,
			stderr,
			[],
		]);
		for (const name of programs) started.add(name);
		expect([args, lines.filter((line) => line.startsWith("connect("))]).toEqual([args, []]);
		const written = done.filter((line) => WRITES.test(line) && line.includes(`"${clone}`));
		expect([args, written]).toEqual([args, []]);
	}
	expect(started).toContain("git");
	expect(existsSync(ran)).toBe(false);
});
