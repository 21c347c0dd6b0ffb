import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { inShort } from "../support/cases.ts";
import { copyOfFixture } from "../support/fixture.ts";
import { run, runAlone } from "../support/run.ts";
import { programPath, sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

test("list into a pipe prints one line of six fields a session, newest first, and counts them on stderr", () => {
	const { parser, retry, site } = threeSessions(sandbox);
	const { code, out, err } = run(sandbox, ["list"]);
	expect(code).toBe(0);
	const lines = out.trimEnd().split("\n");
	const work = join(sandbox.home, "work");
	expect(lines.map((line) => line.replace(/\t\d{4}-\d\d-\d\d \d\d:\d\d\t/, "\tTIME\t").split("\t"))).toEqual([
		["session-0002", retry, "TIME", "2", join(work, "api"), "Find the retry loop"],
		["session-0001", parser, "TIME", "6", join(work, "api"), "Refactor the parser"],
		["session-0003", site, "TIME", "2", join(work, "site"), "検索を日本語に対応させて"],
	]);
	expect(err).toBe("");
});

test("list on a terminal prints one aligned line a session below a heading, with cost where there is room, cut to its width", async () => {
	threeSessions(sandbox);
	const linesAt = async (columns: number): Promise<string[]> => {
		const terminal = sandbox.start(["list"], { columns, env: { NO_COLOR: "1" } });
		expect((await terminal.exit()).code).toBe(0);
		const lines = terminal.written.trimEnd().split("\r\n");
		return lines.map((line) => line.replace(/^(session-\d+ +|019e6d42 +)\S.{10}/, "$1TIME"));
	};
	expect(await linesAt(48)).toEqual([
		"id            last active  title",
		"session-0002  TIME  Find the retry loop",
		"session-0001  TIME  Refactor the parser",
		"session-0003  TIME  検索を日本語に対応さ…",
		"3 sessions",
	]);
	copyOfFixture("conversation", sandbox.directory(".pi/agent/sessions/--work-api--"));
	const lines = await linesAt(120);
	expect(lines[0]).toBe("id            last active  messages   cost  ✗  project             title");
	expect(lines).toContain("019e6d42      TIME        37  $0.06  3  /home/ada/work/api  ! Refactor the import parser");
	expect(lines).toContain("session-0002  TIME         2            ~/work/api          Find the retry loop");
});

test("list --limit says how many there are; --archived lists what is in the archive", () => {
	const { parser, retry } = threeSessions(sandbox);
	expect(run(sandbox, ["list", "--limit", "1"]).err).toBe("3 sessions, 1 shown\n");
	const { out, err } = run(sandbox, ["list", "--limit", "2", "--json"]);
	expect({ paths: JSON.parse(out).map(({ path }: { path: string }) => path), err }).toEqual({
		paths: [retry, parser],
		err: "3 sessions, 2 shown\n",
	});
	const archive = dirname(parser).replace("/sessions/", "/session-archive/");
	mkdirSync(archive, { recursive: true });
	renameSync(parser, join(archive, basename(parser)));
	expect(run(sandbox, ["list"]).err).toBe("");
	const archived = run(sandbox, ["list", "--archived"]);
	expect(archived.out.split("\t")).toEqual(expect.arrayContaining(["session-0001", join(archive, basename(parser))]));
	expect(archived.err).toBe("");
});

test("no title and no directory adds a field or a line", () => {
	const path = sandbox.session({
		project: "work/a\tb",
		age: 1,
		name: "one\ttwo\nthree",
		messages: [{ role: "user", text: "x" }],
	});
	const { out } = run(sandbox, ["list"]);
	const [id, file, , count, project, title, ...more] = out.trimEnd().split("\t");
	expect({ id, file, count, project, title, more }).toEqual({
		id: "session-0001",
		file: path.replaceAll("\t", " "),
		count: "1",
		project: join(sandbox.home, "work", "a b"),
		title: "one two three",
		more: [],
	});
});

test("list --json prints one array with ISO dates and diagnostics, and nothing else", () => {
	const { parser } = threeSessions(sandbox);
	writeFileSync(parser, '{"type":"mess', { flag: "a" });
	const { code, out, err } = run(sandbox, ["list", "--json"]);
	expect({ code, err }).toEqual({ code: 0, err: "" });
	const rows: unknown = JSON.parse(out);
	expect(rows).toHaveLength(3);
	expect(rows).toContainEqual(
		expect.objectContaining({
			path: parser,
			name: "Refactor the parser",
			cwd: join(sandbox.home, "work", "api"),
			title: "Refactor the parser",
			messages: 6,
			modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
			created: expect.stringMatching(/^\d{4}-/),
			diagnostics: [expect.objectContaining({ code: "torn-tail", line: 9 })],
		}),
	);
});

test("list --cwd prints the sessions of one project", () => {
	threeSessions(sandbox);
	const { out, err } = run(sandbox, ["list", "--cwd", "work/site"]);
	expect(out).toContain("検索を日本語に対応させて");
	expect(err).toBe("");
});

test("list marks damaged sessions, counts them, and lets no escape sequence out", () => {
	const path = sandbox.session({
		project: "work/api",
		age: 1,
		messages: [{ role: "user", text: "\x1b]0;gotcha\x07\x1b[31mred\x1b[0m and \u202eback" }],
	});
	writeFileSync(path, "{ broken\n", { flag: "a" });
	const { out, err } = run(sandbox, ["list"]);
	expect(out).toContain("! red and back\n");
	expect(out).not.toMatch(/[\x1b\x07\u202e]/);
	expect(err).toBe("");
});

test("list without sessions is empty, not the demo", () => {
	expect(run(sandbox, ["list"])).toEqual({ code: 0, out: "", err: "" });
	expect(run(sandbox, ["list", "--json"])).toEqual({ code: 0, out: "[]\n", err: "" });
});

test("the browser without a terminal says so and names list", () => {
	threeSessions(sandbox);
	const { code, out, err } = runAlone(sandbox, []);
	expect({ code, out }).toEqual({ code: 2, out: "" });
	expect(err).toMatch(/^pi-grove: the browser needs a terminal.*pi-grove list\n$/);
});

test.each([[[]], [["pick"]]])("%j on a dumb terminal prints its rows, and writes no escape sequence", async (args) => {
	threeSessions(sandbox);
	const terminal = sandbox.start(args, { within: ["env", "TERM=dumb"], columns: 100 });
	await terminal.waitFor("Refactor the parser");
	terminal.press("ctrl+q");
	expect((await terminal.exit()).code).toBe(args.length === 0 ? 0 : 130);
	expect(terminal.written).toMatch(/\r\nRefactor the parser, /);
	expect(terminal.written).not.toContain("\x1b");
});

const TERMINALS = [["-u", "TERM"], ["TERM=no-such-terminal"]];

test.each(inShort(TERMINALS, ([unset]) => unset === "-u"))(
	"with env %s %s the browser is drawn",
	async (...changed) => {
		threeSessions(sandbox);
		const terminal = sandbox.start([], { within: ["env", ...changed.filter((one) => one !== undefined)] });
		await terminal.waitFor("1/3");
		terminal.press("ctrl+c");
		expect((await terminal.exit()).code).toBe(0);
	},
);

test("--version, --help and mistakes", () => {
	expect(runAlone(sandbox, ["--version"])).toEqual({ code: 0, out: `pi-grove ${packageFile.version}\n`, err: "" });
	const help = run(sandbox, ["--help"]);
	expect(help.code).toBe(0);
	expect(help.out).toMatch(/^Usage\n {2}pi-grove/m);
	expect(help.out.split("\n").filter((line) => line.length > 120)).toEqual([]);
	expect(run(sandbox, ["--jsn"])).toEqual({
		code: 2,
		out: "",
		err: "pi-grove: unknown option --jsn; did you mean --json? (see pi-grove --help)\n",
	});
	expect(run(sandbox, ["show", "--foo"]).err).toBe("pi-grove: unknown option --foo (see pi-grove show --help)\n");
	for (const args of [
		["nonsense", "--help"],
		["help", "nonsense"],
	])
		expect(run(sandbox, args)).toEqual({
			code: 2,
			out: "",
			err: "pi-grove: there is no command or topic nonsense; pi-grove help --all lists them\n",
		});
	expect(run(sandbox, ["lst", "--help"]).err).toBe("pi-grove: there is no command or topic lst; did you mean list?\n");
	expect(run(sandbox, ["help", "--all"]).out).toBe(run(sandbox, ["--help", "--all"]).out);
	expect(run(sandbox, ["help", "--all"]).out).toMatch(/^ {2}standup +Summarize/m);
});

test("words that would be a query for the browser are no command without a terminal", () => {
	const { retry } = threeSessions(sandbox);
	const failed = (...args: string[]) => {
		const { code, out, err } = run(sandbox, args);
		expect({ code, out }).toEqual({ code: 2, out: "" });
		return err;
	};
	const mistakes = [
		[["serch", "retry"], /^pi-grove: there is no command serch; did you mean search\?\n$/],
		[
			["stripe", "webhook"],
			/^pi-grove: there is no command stripe, and the browser needs a terminal.*pi-grove search stripe webhook\n$/,
		],
		[["./gone.jsonl"], /^pi-grove: cannot open .*gone\.jsonl: it does not exist/],
	] as const;
	for (const [words, mistake] of mistakes) expect(failed(...words)).toMatch(mistake);
	for (const word of [retry, "session-0002"]) expect(failed(word)).toContain(`pi-grove show ${word}\n`);
	expect(run(sandbox, [""])).toMatchObject({ code: 2, err: expect.stringMatching(/pi-grove list\n$/) });
});

test("arguments and errors are printed without what a terminal would obey", () => {
	const bad = "\u001b]0;owned\u0007x\u009b31m\u202ey\n";
	const all = [
		["tidy", bad],
		[`--${bad}`],
		["search", "--limit", bad, "x"],
		["search", `re:(${bad}`],
		[bad],
		[`/${bad}`],
	];
	for (const args of all) {
		const { code, out, err } = run(sandbox, args);
		expect({ code, out }).toEqual({ code: 2, out: "" });
		expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
		expect(err.trimEnd().split("\n")).toHaveLength(1);
	}
});

test("list loads neither React nor the browser", () => {
	const loaded = join(sandbox.home, "loaded.txt");
	const hook = join(sandbox.home, "hook.mjs");
	writeFileSync(
		hook,
		`import { appendFileSync } from "node:fs";
		import { registerHooks } from "node:module";
		registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(loaded)}, url + "\\n"), next(url, context)) });`,
	);
	runAlone(sandbox, ["list"], { NODE_OPTIONS: `--import ${hook}` });
	const files = readFileSync(loaded, "utf8")
		.split("\n")
		.filter((url) => url.startsWith("file:") && !url.endsWith("hook.mjs"));
	expect(files.length).toBeGreaterThan(1);
	for (const file of files) expect(readFileSync(new URL(file), "utf8")).not.toContain("react.transitional.element");
});

test("the program checks for the same version of Node as the package demands", () => {
	expect(packageFile.engines.node).toBe(">=22.19.0");
	// The check must be readable for any Node, so it imports nothing, and asks for no module.
	const source = readFileSync(programPath, "utf8");
	expect(source).not.toMatch(/\bimport\b[^(]*?from\s*["'][^"']+["']/);
	expect(source).toContain("needs Node");
	expect(source).not.toContain("getBuiltinModule");
});

const olderNode = ["/usr/bin/node", "/usr/local/bin/node"].find((path) => {
	if (!existsSync(path)) return false;
	const version = spawnSync(path, ["--version"], { encoding: "utf8" }).stdout;
	const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
	return major < 22 || (major === 22 && minor < 19);
});

test.skipIf(olderNode === undefined)("an older Node prints which version is needed", () => {
	const { status, stderr, stdout } = spawnSync(olderNode ?? "", [programPath, "list"], { encoding: "utf8" });
	expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
	expect(stderr).toMatch(/^pi-grove needs Node 22\.19 or newer, and this is Node \d+\.\d+\.\d+\./);
	expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("nothing is left in the temporary directory", () => {
	threeSessions(sandbox);
	run(sandbox, ["list"]);
	expect(readdirSync(join(sandbox.home, "tmp"))).toEqual([]);
});
