import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { isRunning } from "../../src/shared/system.ts";
import { inLong, inShort } from "../support/cases.ts";
import { ripgrepOnFailingDisk } from "../support/failing-disk.ts";
import { type RunResult, run, runAlone } from "../support/run.ts";
import { programPath, Sandbox, threeSessions } from "../support/sandbox.ts";
import { assistant, header, lines, user } from "../support/session-builder.ts";
import { commandOn, SshServer, sshd } from "../support/ssh-server.ts";
import { createTempDir } from "../support/temp-dir.ts";
import type { TestTerminal } from "../support/terminal.ts";

let here: Sandbox;
beforeEach(() => {
	here = new Sandbox();
});
afterEach(() => here.remove());

/** Two homes with three and with two sessions; the second one is a directory here. */
function withOldDirectory(): { readonly old: Sandbox; readonly parser: string } {
	const old = new Sandbox();
	const { parser } = threeSessions(old);
	// The ids of both count from one, and a session with the same id is the same session.
	for (const path of Object.values(threeSessions(here))) rmSync(path);
	const messages = [
		{ role: "user", text: "Only here: a zebra" },
		{ role: "assistant", text: "Yes." },
	] as const;
	here.session({ project: "work/web", age: 1, messages });
	expect(run(here, ["places", "add", "old", "--dir", old.agentDir]).code).toBe(0);
	return { old, parser };
}

const rowsOf = ({ out }: RunResult): (Record<string, unknown> & { path: string; place: string | null })[] =>
	JSON.parse(out);

test("serve ends when nobody reads what it says, though its input stays open and nothing is asked", async () => {
	const served = spawn(process.execPath, [programPath, "serve", "--stdio"], { env: here.env, cwd: here.home });
	onTestFinished(() => {
		served.kill();
	});
	const ended = once(served, "exit");
	await once(served.stdout, "data");
	served.stdout.destroy();
	expect(await ended).toEqual([0, null]);
});

test("serve prints the bytes of what is listed, and of nothing else, wherever it is", async () => {
	const { parser } = threeSessions(here);
	const secret = join(here.home, "secret.jsonl");
	writeFileSync(secret, readFileSync(parser));
	const served = spawn(process.execPath, [programPath, "serve", "--stdio"], { env: here.env, cwd: here.home });
	onTestFinished(() => {
		served.kill();
	});
	let said = "";
	served.stdout.on("data", (chunk: Buffer) => {
		said += chunk.toString("utf8");
	});
	for (const [id, path] of [parser, secret].entries())
		served.stdin.write(`${JSON.stringify({ id, run: ["show", "--raw", "--offset", "10", "--", path] })}\n`);
	const answers = (): Record<string, unknown>[] =>
		said
			.trimEnd()
			.split("\n")
			.slice(1)
			.map((line) => JSON.parse(line));
	const of = (id: number, field: string) =>
		answers().flatMap((one) => (one.id === id && field in one ? [one[field]] : []));
	await expect.poll(() => [...of(0, "code"), ...of(1, "code")]).toEqual([0, 2]);
	expect(Buffer.from(of(0, "out").join(""), "latin1")).toEqual(readFileSync(parser).subarray(10));
	expect(of(1, "out")).toEqual([]);
	expect(of(1, "err").join("")).toContain("is not a session that is listed here");
});

test("a directory is added, checked, listed, searched and read; nothing in it is changed", () => {
	const { old, parser } = withOldDirectory();
	try {
		const before = old.fingerprints();
		expect(run(here, ["places"])).toMatchObject({ code: 0, out: `old\t${old.agentDir}\n` });
		expect(run(here, ["places", "check"])).toMatchObject({
			code: 0,
			out: expect.stringMatching(/^old\tpi-grove \S+, 3 sessions in /),
		});
		const all = run(here, ["list", "--place", "all", "--json"]);
		expect(rowsOf(all).map(({ path, place }) => [path.split(":")[0], place])).toEqual([
			[expect.stringMatching(/^\//), null],
			["old", "old"],
			["old", "old"],
			["old", "old"],
		]);
		expect(rowsOf(run(here, ["list", "--place", "old", "--json", "--counted", "--named"]))).toMatchObject([
			{ path: `old:${parser}`, title: "Refactor the parser", turns: 2, cost: expect.any(Number) },
		]);
		const found = run(here, ["search", "--place", "all", "regular expression"]);
		expect(found).toMatchObject({ code: 0, out: expect.stringMatching(/^[^\n]+\n$/) });
		const [id = "", path] = found.out.split("\t");
		expect(path).toBe(`old:${parser}`);
		expect(run(here, ["search", "--place", "old", "zebra"])).toMatchObject({ code: 1, out: "" });
		const shown = runAlone(here, ["show", `old:${id}`]);
		expect(shown).toMatchObject({ code: 0, out: expect.stringContaining("All tests pass now.") });
		expect(JSON.parse(runAlone(here, ["show", `old:${parser}`, "--json"]).out)).toMatchObject({
			path: `old:${parser}`,
			place: "old",
			id,
		});
		expect(run(here, ["show", "old:nothing"])).toMatchObject({
			code: 2,
			err: expect.stringContaining("no session of old has an id"),
		});
		expect(old.fingerprints()).toEqual(before);
		// The copy that was read is gone.
		expect(readdirSync(join(here.home, "tmp"))).toEqual([]);
		expect(run(here, ["resume", `old:${id}`])).toMatchObject({
			code: 2,
			err: expect.stringContaining("are read-only"),
		});
		const changing = [
			["label", `old:${id}#a1b2c3d4`, "x"],
			["delete", `old:${parser}`, "--yes"],
			["doctor", `old:${id}`, "--repair"],
			["doctor", `old:${id}`, "--repair-to", "repaired"],
		];
		for (const args of inShort(changing, ([command, , option]) => command === "delete" || option === "--repair"))
			expect(run(here, args)).toMatchObject({ code: 2, err: expect.stringContaining("which is read-only") });
		expect(old.fingerprints()).toEqual(before);
		expect(run(here, ["places", "remove", "old"]).code).toBe(0);
		expect(run(here, ["list", "--place", "old"])).toMatchObject({
			code: 2,
			err: expect.stringContaining("there is no place old"),
		});
	} finally {
		old.remove();
	}
});

/** A page without the minute in which it was made: two that are made one after the other may differ by it. */
const undated = (page: string): string =>
	page.replace(/(Made by [^ ]+ [^ ]+) on \d+ \w+ \d{4} \d+:\d+ of session/, "$1 of session");

test("a session of a place is exported, examined and named like one of this machine", () => {
	const old = new Sandbox();
	try {
		writeAnswers(old, "aa11", 2, "The key is sk-ant-api03-Zk3vQ9xY7rT2wP5nL8mB4cD6fG1hJ0kS-aQwErTyUiOpAsDfGhJk");
		writeAnswers(old, "bb22", 1);
		const path = join(old.agentDir, "sessions", "--work--", "aa11.jsonl");
		run(here, ["places", "add", "old", "--dir", old.agentDir]);
		const before = old.fingerprints();
		const local = run(old, ["export", path, "--html", "--json"]);
		const there = runAlone(here, ["export", "old:aa1", "--html", "--json"]);
		// The copy that was read is gone.
		expect(readdirSync(join(here.home, "tmp"))).toEqual([]);
		expect(there).toMatchObject({ code: 0, err: local.err });
		expect(there.err).toContain("1 key, masked");
		const [[one], [other]] = [local, there].map(({ out }) => JSON.parse(out));
		expect(other).toEqual({ ...one, session: `old:${path}`, path: join(here.home, basename(one.path)) });
		expect(undated(readFileSync(other.path, "utf8"))).toBe(undated(readFileSync(one.path, "utf8")));
		const both = run(here, ["export", "old:aa11", "old:bb22", "--out", "notes/"]);
		expect(
			both.out
				.trimEnd()
				.split("\n")
				.map((saved) => basename(saved)),
		).toEqual(["the-key-is-key-1.md", "session-bb22.md"]);
		expect(run(here, ["export", "old:nothing", "old:aa11"])).toMatchObject({ code: 2, out: "" });
		expect(run(here, ["path", "old:aa11"])).toMatchObject({ code: 0, out: `${path}\n` });
		expect(JSON.parse(run(here, ["path", "old:aa11", "--json"]).out)).toMatchObject({
			path: `old:${path}`,
			place: "old",
		});
		expect(run(here, ["path", "old:aa11#a1"])).toMatchObject({ code: 2, err: expect.stringContaining("is an entry") });
		expect(run(here, ["files", "old:aa11"])).toMatchObject({ code: 1, out: "" });
		expect(run(here, ["doctor", "old:aa11"])).toMatchObject({ code: 0, out: "" });
		expect(run(here, ["show", "old:aa11", "--runs"])).toMatchObject({
			code: 2,
			err: expect.stringContaining("pi-grove list --place old --runs"),
		});
		expect(old.fingerprints()).toEqual(before);
		appendFileSync(path, '{"broken');
		const damaged = run(here, ["doctor", "old:aa11", "--json"]);
		expect(damaged.code).toBe(1);
		expect(rowsOf(damaged)).toMatchObject([{ path: `old:${path}`, place: "old", findings: [{}] }]);
		expect(run(here, ["doctor", "old:aa11"]).out).toContain(`old:${path}`);
	} finally {
		old.remove();
	}
});

/** A session of so many answers, each of $0.03 and 30 tokens. */
function writeAnswers({ agentDir }: Sandbox, id: string, answers: number, prompt = `Session ${id}`): void {
	const directory = join(agentDir, "sessions", "--work--");
	mkdirSync(directory, { recursive: true });
	const content = Array.from({ length: answers }, (_, index) => assistant(`${id}${index}`, "u1", index, "Done."));
	writeFileSync(join(directory, `${id}.jsonl`), lines(header({ id }), user("u1", null, 0, prompt), ...content));
}

test("each place sums up its own sessions, and one in two places counts once, where the list shows it", async () => {
	const [old, mirror] = [new Sandbox(), new Sandbox()];
	try {
		writeAnswers(here, "both", 1);
		writeAnswers(here, "mine", 1);
		// It went on there, but the list shows the session of this machine.
		writeAnswers(old, "both", 2);
		writeAnswers(old, "long", 3);
		writeAnswers(mirror, "long", 4);
		for (const [name, { agentDir }] of Object.entries({ old, mirror }))
			run(here, ["places", "add", name, "--dir", agentDir]);
		const sum = (...options: readonly string[]) => JSON.parse(run(here, ["stats", "--json", ...options]).out);
		expect(sum()).not.toHaveProperty("places");
		expect(sum("--place", "old")).toMatchObject({
			...{ sessions: 2, cost: 0.15, tokens: 150, places: [{ name: "old", sessions: 2, cost: 0.15 }] },
		});
		const all = sum("--place", "all");
		expect(all).toMatchObject({
			...{ sessions: 3, counted: 3, cost: 0.18, tokens: 180 },
			places: [
				{ name: "here", sessions: 2, cost: 0.06 },
				{ name: "old", sessions: 0, cost: 0 },
				{ name: "mirror", sessions: 1, cost: 0.12 },
			],
			projects: [{ key: "/work/api", sessions: 3, cost: 0.18 }],
		});
		expect(sum("--place", "all", "--named")).toMatchObject({ sessions: 0, cost: 0 });
		run(here, ["places", "add", "gone", "--dir", "gone"]);
		expect(run(here, ["stats", "--place", "gone"])).toMatchObject({
			...{ code: 2, out: "" },
			err: expect.stringContaining("gone cannot be read: it does not exist"),
		});
		const terminal = here.start(["stats", "--place", "all"], { columns: 120 });
		expect(await terminal.exit()).toMatchObject({ code: 0 });
		const text = (await terminal.history()).join("\n");
		expect(text).toMatch(
			/3 sessions, .*\$0\.18\n.*\n *\nBy place .*\n {2}mirror .*\n {2}here .*\n {2}old .*\n *\nBy project/,
		);
		expect(text).toMatch(/^pi-grove: gone: /m);
	} finally {
		old.remove();
		mirror.remove();
	}
});

test("the same session in two places is one row, and says so", () => {
	const { parser } = threeSessions(here);
	expect(run(here, ["places", "add", "mirror", "--dir", here.agentDir]).code).toBe(0);
	const rows = rowsOf(run(here, ["list", "--place", "all", "--json"]));
	expect(rows).toHaveLength(3);
	expect(rows).toContainEqual(expect.objectContaining({ path: parser, place: null, alsoIn: ["mirror"] }));
	const found = run(here, ["search", "--place", "all", "regular expression", "--json"]);
	expect(rowsOf(found)).toMatchObject([{ path: parser, place: null, alsoIn: ["mirror"] }]);
	// Left out here, it is left out wherever it is.
	for (const place of inShort(["all", "mirror"], (one) => one === "mirror")) {
		const except = ["search", "--place", place, "--except", parser, "regular expression"];
		expect(run(here, except)).toMatchObject({ code: 1, out: "" });
	}
});

test("with --limit a session in two places is counted once, too", () => {
	for (const id of ["a1", "b1", "c1", "d1", "e1"]) writeAnswers(here, id, 1, "The migration");
	const mirror = new Sandbox();
	try {
		for (const id of ["a1", "b1", "c1", "d1", "e1", "f1"]) writeAnswers(mirror, id, 1, "The migration");
		run(here, ["places", "add", "mirror", "--dir", mirror.agentDir]);
		const counted = [
			["Done", "found in 6 of 6 sessions in 2 places, 2 shown"],
			["migrating", "found in 0 of 6 sessions in 2 places, in other forms in 6 more, 2 shown"],
		] as const;
		// The other forms are counted on top of the words themselves.
		for (const [query, counts] of inShort(counted, ([one]) => one === "migrating"))
			expect(run(here, ["search", "--place", "all", "--limit", "2", query])).toMatchObject({
				code: 0,
				err: `${counts}\n`,
			});
	} finally {
		mirror.remove();
	}
});

test("in a terminal such a row says so, and the count says in how many places was searched", async () => {
	threeSessions(here);
	expect(run(here, ["places", "add", "mirror", "--dir", here.agentDir]).code).toBe(0);
	const linesOf = async (...args: readonly string[]): Promise<readonly string[]> => {
		const terminal = here.start([...args, "--place", "all"], { columns: 160 });
		expect(await terminal.exit()).toMatchObject({ code: 0 });
		return (await terminal.history()).map((line) => line.trimEnd()).filter((line) => line !== "");
	};
	expect((await linesOf("list")).filter((line) => !/^id |not counted/.test(line))).toEqual([
		...Array.from({ length: 3 }, () => expect.stringContaining("  (also in mirror) ")),
		"3 sessions",
	]);
	expect(await linesOf("search", "regular expression")).toEqual([
		expect.stringMatching(/^Refactor the parser {2}\S+ {2}\(also in mirror\) /),
		expect.stringContaining("regular expression"),
		"found in 1 of 3 sessions in 2 places",
	]);
});

test("in a terminal it says for which places it waits", async () => {
	threeSessions(here);
	const bin = join(here.home, "bin");
	mkdirSync(bin);
	writeFileSync(join(bin, "ssh"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
	run(here, ["places", "add", "silent", "--ssh", "silent"]);
	const terminal = here.start(["list", "--place", "all"], { env: { PATH: `${bin}:${here.env.PATH}` } });
	await terminal.waitFor("Waiting for silent …");
	terminal.press("\x03");
	await terminal.exit();
});

test("a search of a directory names the file that could not be read", async () => {
	const { old, parser } = withOldDirectory();
	try {
		const env = { PI_GROVE_RG: await ripgrepOnFailingDisk(here.home, parser) };
		expect(run(here, ["search", "--place", "old", "the"], env)).toMatchObject({
			code: 0,
			err: expect.stringMatching(new RegExp(`^pi-grove: not searched: .*a part of it cannot be read.* old:${parser}`)),
		});
	} finally {
		old.remove();
	}
});

test("a person whose sessions are all in other places gets no demo: one key leads to them", async () => {
	const old = new Sandbox();
	try {
		threeSessions(old);
		const before = old.fingerprints();
		expect(run(here, ["places", "add", "old", "--dir", old.agentDir]).code).toBe(0);
		const terminal = here.start([], { columns: 160 });
		await terminal.waitFor("No sessions in ~/.pi/agent/sessions: tab switches to the other place");
		expect(await terminal.screen()).not.toContainEqual(expect.stringContaining("demo"));
		terminal.press("tab");
		await terminal.waitFor(/\[everywhere ×\].* {2}3 sessions/);
		await terminal.waitFor("Refactor the parser @old");
		terminal.press("ctrl+c");
		expect((await terminal.exit()).code).toBe(0);
		expect(old.fingerprints()).toEqual(before);
	} finally {
		old.remove();
	}
});

test("what is wrong is said: words, names, a damaged file, a place that is gone", () => {
	const cases: readonly (readonly [args: readonly string[], said: string])[] = [
		[["places", "add", "mini"], "a place needs a name and either a directory or a host"],
		[["places", "add", "x", "--ssh", "mini"], "a name has 2 to 40 letters"],
		[["places", "add", "here", "--ssh", "mini"], "the name here is taken"],
		[["places", "add", "mini", "--ssh=-oProxyCommand=x"], "is not a host for ssh"],
		[["places", "add", "mini", "--dir", ".", "--command", "x"], "--command belongs to --ssh"],
		[["places", "remove", "mini"], "there is no place mini in"],
		[["places", "look"], "places takes list, add, remove and check, not look"],
		[["list", "--place", "mini"], "there is no place mini; none is known"],
		[["serve"], "pi-grove serve --stdio"],
	];
	for (const [args, said] of cases)
		expect(run(here, args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(said) });
	threeSessions(here);
	run(here, ["places", "add", "gone", "--dir", "gone"]);
	expect(run(here, ["places", "check"])).toMatchObject({
		code: 1,
		out: expect.stringContaining("gone cannot be read: it does not exist"),
	});
	expect(run(here, ["list", "--place", "gone"])).toMatchObject({
		code: 2,
		out: "",
		err: expect.stringContaining("gone cannot be read"),
	});
	const all = run(here, ["list", "--place", "all"]);
	expect(all.out.trimEnd().split("\n")).toHaveLength(3);
	expect(all).toMatchObject({ code: 0, err: expect.stringContaining("gone cannot be read") });
});

/** An `ssh` that runs the command in a shell of this machine, whose last words it is, as sshd does. */
function shellAsSsh(): Pick<SshServer, "bin" | "close"> {
	const { path, remove } = createTempDir();
	const dead = 'case "$*" in *dead.invalid*) echo "ssh: Could not resolve hostname dead.invalid" >&2; exit 255;; esac';
	writeFileSync(join(path, "ssh"), `#!/bin/sh\n${dead}\nfor last; do :; done\ncd / && exec sh -c "$last"\n`, {
		mode: 0o755,
	});
	return { bin: path, close: remove };
}

/** In the test command a shell stands for another machine; the long run asks a real sshd for all, and `test:package` for one. */
const ways = inLong(sshd === undefined ? [] : [["over ssh", () => SshServer.start(sshd ?? "")] as const], [
	["by a shell", async () => shellAsSsh()] as const,
]);

describe.each<readonly [string, () => Promise<Pick<SshServer, "bin" | "close">>]>(ways)("%s", (_, start) => {
	let server: Pick<SshServer, "bin" | "close">;
	let mini: Sandbox;
	beforeAll(async () => {
		server = await start();
		mini = new Sandbox();
	});
	afterAll(() => {
		server?.close();
		mini?.remove();
	});

	/** The program here, with the ssh that knows the machine. */
	const runHere = (...args: readonly string[]): RunResult =>
		run(here, args, { PATH: `${server.bin}:${here.env.PATH}` });

	const thereCommand = (): string => commandOn(mini);

	test("a machine without pi-grove says how to install it; with it, its sessions are searched and read", () => {
		const { parser } = threeSessions(mini);
		const before = mini.fingerprints();
		expect(runHere("places", "add", "mini", "--ssh", "mini").code).toBe(0);
		expect(runHere("places", "check", "mini")).toMatchObject({
			code: 1,
			out: expect.stringContaining("`ssh mini npm install --global pi-grove` installs it"),
		});
		expect(runHere("places", "add", "mini", "--ssh", "mini", "--command", thereCommand()).code).toBe(0);
		const found = runHere("search", "--place", "all", "regular expression");
		const [id = "", path] = found.out.split("\t");
		expect(path).toBe(`mini:${parser}`);
		const shown = runHere("show", `mini:${id}`, "--markdown");
		expect(shown).toMatchObject({ code: 0, out: expect.stringContaining("All tests pass now.") });
		const exported = runHere("export", `mini:${id}`, "--out", "-");
		expect(exported).toMatchObject({
			code: 0,
			out: expect.stringContaining("All tests pass now."),
			err: expect.stringContaining("The .env files of its directory are on mini"),
		});
		expect(exported.out).not.toContain(mini.home);
		expect(runHere("path", `mini:${id}`)).toMatchObject({ code: 0, out: `mini:${parser}\n` });
		expect(mini.fingerprints()).toEqual(before);
		expect(readFileSync(parser, "utf8")).toContain("All tests pass now.");
	});

	test("a session there is resumed there, in its directory, in this terminal; the exit code is that of pi", async () => {
		const { retry } = threeSessions(mini);
		mini.installPi(`printf 'pi runs in %s with %s\\n' "$PWD" "$*"; read answer; echo "it got $answer"; exit 7`);
		const env = { PATH: `${server.bin}:${here.env.PATH}` };
		run(here, ["places", "add", "mini", "--ssh", "mini", "--command", thereCommand()]);
		const terminal = here.start(["resume", `mini:${retry}`], { env, columns: 250 });
		await terminal.waitFor(`pi runs in ${join(mini.home, "work/api")} with --session ${retry}`);
		terminal.press("hello\r");
		await terminal.waitFor("it got hello");
		expect(await terminal.exit()).toMatchObject({ code: 7 });
		expect(runHere("resume", "mini:nothing")).toMatchObject({
			code: 2,
			err: expect.stringContaining("no session of mini has an id"),
		});
	});

	test("a session there is brought here, into the directory that stands for its own; undo takes it back", () => {
		const { parser } = threeSessions(mini);
		expect(runHere("places", "add", "mini", "--ssh", "mini", "--command", thereCommand()).code).toBe(0);
		const cwd = here.directory("work/api");
		const before = mini.fingerprints();
		const brought = runHere("bring", `mini:${parser}`, "--yes");
		expect(brought).toMatchObject({ code: 0, err: "Brought “Refactor the parser” here from mini\n" });
		const path = brought.out.trimEnd();
		const [header = "", ...entries] = readFileSync(path, "utf8").split("\n");
		expect(JSON.parse(header)).toMatchObject({ cwd, broughtFrom: { from: `mini:${parser}` } });
		expect(entries).toEqual(readFileSync(parser, "utf8").split("\n").slice(1));
		expect(runHere("undo", "--yes").code).toBe(0);
		expect(existsSync(path)).toBe(false);
		expect(mini.fingerprints()).toEqual(before);
	});

	/** An ssh that notes its process ids, and the browser with it. */
	const browse = (): { readonly terminal: TestTerminal; readonly pids: () => number[] } => {
		const noted = join(here.home, "pids");
		writeFileSync(
			join(here.directory("bin"), "ssh"),
			`#!/bin/sh\necho $$ >> ${noted}\nexec ${join(server.bin, "ssh")} "$@"\n`,
			{ mode: 0o755 },
		);
		const terminal = here.start([], { columns: 160, rows: 40 });
		return { terminal, pids: () => readFileSync(noted, "utf8").trimEnd().split("\n").map(Number) };
	};

	/** Goes outward until all places are listed. */
	const toEverywhere = async (terminal: TestTerminal): Promise<void> => {
		const scopeIn = (screen: string): string => /▾ {2}(\w+) ▾/.exec(screen)?.[1] ?? "";
		let scope = scopeIn(await terminal.waitFor((screen) => scopeIn(screen) !== ""));
		for (let turns = 0; scope !== "everywhere"; turns++) {
			if (turns > 5) throw new Error("everywhere is not reached");
			const before = scope;
			terminal.press("tab");
			scope = scopeIn(await terminal.waitFor((screen) => !["", before].includes(scopeIn(screen))));
		}
	};

	const noneIsLeft = (pids: readonly number[]): Promise<void> =>
		vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 20_000 });

	test("in the browser a session there is listed, found, read and resumed; the terminal comes back, and no ssh is left", async () => {
		const { site } = threeSessions(here);
		rmSync(site);
		threeSessions(mini);
		const far = mini.session({
			project: "work/far",
			age: 2,
			messages: [
				{ role: "user", text: "A quagga far away" },
				{ role: "assistant", text: "Nobody noticed." },
			],
		});
		const before = mini.fingerprints();
		mini.installPi(`printf 'pi runs in %s with %s\\n' "$PWD" "$*"; read answer; echo "it got $answer"; exit 7`);
		expect(run(here, ["places", "add", "mini", "--ssh", "mini", "--command", thereCommand()]).code).toBe(0);
		const { terminal, pids } = browse();
		await toEverywhere(terminal);
		await terminal.waitFor(/A quagga far away @mini /);
		terminal.type("nobody noticed");
		// The best hit is in the tree and in the reader, which have the whole session.
		await terminal.waitFor((screen) => /1 of \d+/.test(screen) && screen.split("Nobody noticed.").length > 2);
		terminal.press("enter");
		const there = await terminal.waitFor((screen) => screen.replaceAll("\n", "").includes(`--session ${far}`));
		expect(there.replaceAll("\n", "")).toContain(`pi runs in ${join(mini.home, "work/far")} with`);
		terminal.type("hello\r");
		await terminal.waitFor(/ssh ended with exit code 7/);
		expect(await terminal.isFullScreen()).toBe(true);
		// Where one was, with the same connection.
		await terminal.waitFor((screen) => screen.includes("nobody noticed") && screen.includes("A quagga far away"));
		expect(pids()).toHaveLength(2);
		terminal.press("ctrl+q");
		expect(await terminal.exit()).toMatchObject({ code: 0 });
		await noneIsLeft(pids());
		expect(readdirSync(join(here.home, "tmp"))).toEqual([]);
		expect(mini.fingerprints()).toEqual(before);
	});

	const signals = inShort(["SIGTERM", "SIGHUP", "SIGKILL"] as const, (signal) => signal === "SIGHUP");
	test.each(signals)("a browser that gets %s leaves no ssh", async (signal) => {
		threeSessions(here);
		threeSessions(mini);
		expect(run(here, ["places", "add", "mini", "--ssh", "mini", "--command", thereCommand()]).code).toBe(0);
		const { terminal, pids } = browse();
		await toEverywhere(terminal);
		await vi.waitFor(() => expect(pids().filter(isRunning)).toHaveLength(1), { timeout: 20_000 });
		terminal.signal(signal);
		await terminal.exit();
		await noneIsLeft(pids());
	});

	test("a machine that cannot be reached costs the others nothing", () => {
		threeSessions(here);
		expect(runHere("places", "add", "dead", "--ssh", "dead.invalid").code).toBe(0);
		const all = runHere("list", "--place", "all");
		expect(all.out.trimEnd().split("\n")).toHaveLength(3);
		expect(all).toMatchObject({
			code: 0,
			err: expect.stringMatching(/dead: ssh: Could not resolve hostname dead\.invalid/),
		});
		expect(runHere("list", "--place", "dead")).toMatchObject({ code: 2, out: "" });
	});
});
