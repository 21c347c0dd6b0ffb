import { cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { FIRST_SEED, inShort } from "../support/cases.ts";
import { copyFamily, sessionsOf } from "../support/copied-family.ts";
import { EditingSession } from "../support/editing-session.ts";
import { fixtureDir } from "../support/fixture.ts";
import { run, runAlone } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

const PRELOAD = pathToFileURL(join(import.meta.dirname, "..", "support", "breaking-files.mjs")).href;

const WAYS = [
	"vanishes",
	"is replaced",
	"is cut off",
	"becomes a directory",
	"cannot be opened",
	"cannot be read",
] as const;

/** After these the file is there, and cannot be read. */
const UNREADABLE: ReadonlySet<(typeof WAYS)[number]> = new Set(["cannot be opened", "cannot be read"] as const);

/** Commands over all sessions, what of the others they print, and whether they name each that cannot be read. */
const OVER_ALL: readonly (readonly [args: readonly string[], others: string, names: boolean])[] = [
	// A run of a session that is listed is only counted there.
	[["list"], "Find the retry loop", false],
	[["list", "--json"], "Find the retry loop", false],
	[["list", "--runs", "--json"], "Find the retry loop", true],
	[["search", "retry"], "Find the retry loop", true],
	[["search", "--json", "retry"], "Find the retry loop", true],
	[["search", "--json", "--masked", "retry"], "Find the retry loop", true],
	[["search", "--limit", "5", "the"], "Find the retry loop", true],
	[["search", "cost:>=0"], "Find the retry loop", false],
	[["files"], "kept.ts", true],
	[["files", "--json"], "kept.ts", true],
	[["prompts"], "Find the retry loop", false],
	[["commands", "--json"], "npm test", true],
	[["stats"], "/home/ada/work/api", false],
	[["stats", "--json"], "sessions", false],
	[["standup", "--since", "30d"], "retry", false],
	[["doctor"], "", true],
	[["doctor", "--json"], "", true],
	[["tidy"], "", false],
	[["history"], "", false],
	[["search", "is:run"], "run-0", false],
	[["search", "--cwd", "code", "--since", "30d", "kept"], "01a10001-0000-7000-8000-000000000001", false],
	[["blame", "code/kept.ts"], "01a10001-0000-7000-8000-000000000001", true],
];

/** Commands for the session that breaks: they fail in one line, and name it. */
const FOR_IT: readonly (readonly string[])[] = [
	["show"],
	["show", "--json"],
	["show", "--tree"],
	["show", "--runs"],
	["show", "--file", "kept.ts"],
	["path"],
	["export", "--out", "out.md"],
	["export", "--html", "--out", "out.html"],
	["rename", "New"],
	["label", "#00010002", "Here"],
	["branch", "#00010002"],
	["fork"],
	["delete", "--yes"],
	["resume"],
	["doctor"],
];

function collection() {
	sandbox.installPi("exit 0");
	const { retry, parser } = threeSessions(sandbox);
	const cwd = sandbox.directory("code");
	const editing = new EditingSession("01a10001-0000-7000-8000-000000000001", cwd, Date.now() - 3_600_000);
	editing.prompt("Write it");
	editing.write("kept.ts", "export const kept = 1;\n");
	editing.bash("npm test", undefined, "ok");
	editing.save(sandbox.agentDir);
	writeFileSync(join(cwd, "kept.ts"), "export const kept = 1;\n");
	const sessions = join(sandbox.agentDir, "sessions");
	const nested = sessionsOf(copyFamily("nested", sessions));
	const [orphan] = sessionsOf(copyFamily("fresh", sessions));
	rmSync(orphan);
	const odd = sandbox.directory(".pi/agent/sessions/--work-odd--");
	for (const name of ["forked-v1.jsonl", "bad-lines.jsonl"]) cpSync(join(fixtureDir, name), join(odd, name));
	return { retry, parser, parent: nested[0], run: nested[1] ?? "" };
}

function broken(args: readonly string[], paths: readonly string[], way: (typeof WAYS)[number]) {
	const env = { NODE_OPTIONS: `--import=${PRELOAD}`, PI_GROVE_TEST_BREAK: JSON.stringify({ paths, way }) };
	return run(sandbox, args, env);
}

/** In the test command each way with some of the commands, and each command with one of the ways. */
function some<Command>(commands: readonly Command[], way: (typeof WAYS)[number]): readonly Command[] {
	const at = WAYS.indexOf(way) + FIRST_SEED;
	return inShort(commands, (_, index) => index % WAYS.length === at % WAYS.length);
}

describe.each(WAYS)("a session that %s before it is read", (way) => {
	test.each(some(OVER_ALL, way))("takes nothing else from %j", (args, others, names) => {
		const { parser, parent, run: own } = collection();
		const paths = [parser, parent, own];
		const { code, out, err } = broken(args, paths, way);
		// A command may end with 2 because something is missing, but then says what.
		const isSaid = (one: number): boolean => one < 2 || paths.some((path) => err.includes(path));
		expect({ code, out, err }).toEqual({
			code: expect.toSatisfy(isSaid),
			out: expect.stringContaining(others),
			err: expect.not.stringMatching(/^ {4}at /m),
		});
		if (names && UNREADABLE.has(way))
			for (const path of paths) expect(`${out}${err}`.replaceAll("~/", `${sandbox.home}/`)).toContain(path);
	});

	test.each(some(FOR_IT, way).map((args) => [args]))("is named by %j", ([command = "", ...args]) => {
		const { parser } = collection();
		const entry = args[0]?.startsWith("#") ? args.shift() : "";
		const { code, err } = broken([command, `${parser}${entry}`, ...args], [parser], way);
		expect([0, 1, 2]).toContain(code);
		if (way !== "is replaced" && way !== "is cut off" && code !== 0) expect(err).toMatch(/session-0001/);
		expect(err).not.toMatch(/^ {4}at /m);
	});
});

test("a run whose parent's file is gone is found, and says so", () => {
	const [parent] = sessionsOf(copyFamily("nested", join(sandbox.agentDir, "sessions")));
	rmSync(parent);
	for (const args of [
		["search", "the"],
		["search", "--json", "the"],
		["search", "--json", "--masked", "the"],
	]) {
		const { code, out, err } = run(sandbox, args);
		expect({ code, err }).toEqual({ code: 0, err: "" });
		expect(out).toContain("run-0");
	}
});

test("a run in another place is found in a terminal", async () => {
	copyFamily("nested", sandbox.directory("old"));
	run(sandbox, ["places", "add", "old", "--dir", join(sandbox.home, "old")]);
	const terminal = sandbox.start(["search", "--place", "all", "the"]);
	expect((await terminal.exit()).code).toBe(0);
	expect((await terminal.history()).join("\n")).toContain("◫ lead");
});

test("an error that nobody foresaw ends a command with a code of its own", () => {
	threeSessions(sandbox);
	const code = "Intl.Collator = Array.prototype.toSorted = () => { throw new Error('broken on purpose'); };";
	const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
	const { code: ended, out, err } = runAlone(sandbox, ["search", "retry"], env);
	expect({ ended, out }).toEqual({ ended: 70, out: "" });
	const message =
		"pi-grove: an unexpected error ended pi-grove search: Error: broken on purpose. This is a bug: please ";
	expect(err).toBe(`${message}run it again with PI_GROVE_LOG set, and send what it prints\n`);
	const logged = runAlone(sandbox, ["search", "retry"], { ...env, PI_GROVE_LOG: "log" });
	expect(logged.err).toContain(`${message}report it, with these lines:\nError: broken on purpose\n    at `);
});

// Only there a regular file exists that nobody can read, not even the superuser.
test.runIf(process.platform === "linux")("what was found nowhere may stand in what was not searched", () => {
	const { retry } = threeSessions(sandbox);
	const broken = join(dirname(retry), "broken.jsonl");
	symlinkSync("/proc/self/mem", broken);
	expect(run(sandbox, ["search", "retry"])).toMatchObject({ code: 0, err: expect.stringContaining(broken) });
	const nothing = { code: 2, err: expect.stringContaining(`check the disk (EIO). Path: ${broken}`) };
	expect(run(sandbox, ["search", "zebra"])).toMatchObject({ ...nothing, out: "" });
	expect(run(sandbox, ["search", "--json", "zebra"])).toMatchObject({ ...nothing, out: "[]\n" });
	for (const args of [["prompts", "zebra"], ["commands"], ["files"]])
		expect(run(sandbox, args), args.join(" ")).toMatchObject({ ...nothing, out: "" });
	rmSync(broken);
	expect(run(sandbox, ["search", "zebra"])).toEqual({ code: 1, out: "", err: "" });
});
