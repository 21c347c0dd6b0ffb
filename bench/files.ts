import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listAll } from "../src/catalog/list-all.ts";
import { filesAtEntry } from "../src/edits/files-at.ts";
import { sessionChanges } from "../src/edits/session-changes.ts";
import { readChecked } from "../src/store/held/hold-session.ts";
import { writeEditSession } from "./edit-session.ts";
import { byHand, countingGit, edited, scaffolded } from "./file-worlds.ts";
import { median, ms, row } from "./key-medians.ts";
import { NEWEST, writeEntries } from "./reading-session.ts";
import { command, ScreenTerminal } from "./screen-terminal.ts";
import { runShell } from "./shell-run.ts";

/**
 * What a session of 100,000 entries changed in 500 files: the engine against parsing the same lines, `pi-grove diff` as a whole process,
 * and the built program in a pseudo-terminal of 160×45; and in repositories, how often Git is started and what blame takes. Run with `npm run bench -- files`.
 */
const folder = join(tmpdir(), "pi-grove-bench-files");
const program = join(import.meta.dirname, "..", "dist", "cli.js");
const size = { cols: 160, rows: 45 };
const DOWN = "\x1b[B";
const RIGHT = "\x1b[C";
const LEFT = "\x1b[D";
const TIMES = 3;

function makeHome(): { readonly env: NodeJS.ProcessEnv; readonly large: string; readonly home: string } {
	const home = join(folder, "home");
	const sessions = join(home, ".pi", "agent", "sessions", "--home-dev-work--");
	mkdirSync(sessions, { recursive: true });
	const large = join(sessions, "2026-01-06T08-00-00-000Z_a.jsonl");
	writeEntries(join(sessions, "2026-06-05T08-00-00-000Z_b.jsonl"), 8, NEWEST);
	writeEditSession(large, 100_000, 500);
	return { home, env: { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color", COLORTERM: "truecolor" }, large };
}

/** The shortest of a few times, in ms. */
async function bestOf(run: () => unknown): Promise<number> {
	const times: number[] = [];
	for (let time = 0; time < TIMES; time++) {
		const began = performance.now();
		await run();
		times.push(performance.now() - began);
	}
	return Math.min(...times);
}

async function engine(large: string): Promise<void> {
	const parse = await bestOf(() => {
		for (const line of readFileSync(large, "utf8").split("\n")) if (line !== "") JSON.parse(line);
	});
	const session = await readChecked(large);
	const { leafId } = session.tree;
	const options = { home: "/home/dev", rows: [] };
	let [files, edits] = [0, 0];
	const took = await bestOf(async () => {
		const changes = await sessionChanges(session, { to: leafId ?? "" }, options);
		files = changes.files.length;
		edits = changes.files.reduce((sum, file) => sum + file.edits.length, 0);
	});
	row("parse every line of the session", "", ms(parse));
	row(
		`${edits.toLocaleString("en-US")} edits of ${files} files, followed`,
		"≤ 2 s",
		`${ms(took)}, ${(took / parse).toFixed(1)} × the parse`,
	);
	const preview = await bestOf(() => filesAtEntry(session, leafId ?? "", options));
	row("the files as of its end", "≤ 1.5 s", ms(preview));
}

/** The ratios that hold in any repository: processes of Git, and times against what cannot be avoided. */
async function ratios(env: NodeJS.ProcessEnv, home: string): Promise<void> {
	const git = countingGit(join(folder, "bin"));
	const counted = { ...env, PATH: git.path };
	const whole = scaffolded(home, 1000);
	const read = await bestOf(() => runShell(program, env, ["show", whole.session, "--digest"]));
	git.count();
	await runShell(program, counted, ["diff", whole.session, "--stat"]);
	const processes = git.count();
	const diff = await bestOf(() => runShell(program, env, ["diff", whole.session, "--stat"]));
	const ratio = (diff / read).toFixed(1);
	row(
		"`diff --stat` of 1,000 new files",
		"≤ 6 × git, ≤ 2 × reading",
		`${processes} × git, ${ms(diff)}, ${ratio} × reading`,
	);
	const session = await readChecked(whole.session);
	const options = { home, rows: await listAll({ env, home }) };
	const [readMs, changesMs, atMs] = [
		await bestOf(() => readChecked(whole.session)),
		await bestOf(() => sessionChanges(session, { to: session.tree.leafId ?? "" }, options)),
		await bestOf(() => filesAtEntry(session, session.tree.leafId ?? "", options)),
	];
	row(
		"the same within a process: read, changes, files at its end",
		"≤ 1.5 s",
		[readMs, changesMs, atMs].map(ms).join(", "),
	);

	const hand = byHand(home, 200);
	const blame = await bestOf(() => execFileSync("git", ["-C", hand.cwd, "blame", hand.file], { stdio: "ignore" }));
	const [start, ours] = [
		await bestOf(() => runShell(program, env, ["--version"])),
		await bestOf(() => runShell(program, env, ["blame", hand.file])),
	];
	git.count();
	await runShell(program, counted, ["blame", hand.file]);
	const goal = `≤ ${ms(1.5 * blame + 300)} (1.5 × git blame + 0.3 s)`;
	row("blame of a file that no session names", goal, `${ms(ours)}, ${git.count()} × git; a start alone ${ms(start)}`);

	const often = edited(home, 1500);
	const lines = await bestOf(() => runShell(program, env, ["blame", often.file]));
	row("blame of a file of 1,500 edits", "≤ 2 s", ms(lines));
}

async function shell(env: NodeJS.ProcessEnv, large: string): Promise<void> {
	const runs = [];
	for (let time = 0; time < TIMES; time++) runs.push(await runShell(program, env, ["diff", large, "--stat"]));
	const [took, worked, peak] = [
		median(runs.map((run) => run.took)),
		median(runs.map((run) => run.worked)),
		Math.max(...runs.map((run) => run.peakMb)),
	];
	row("`diff --stat`, the whole process", "≤ 250 MB", `${ms(took)} (work ${ms(worked)}), ${peak} MB`);
}

async function browser(env: NodeJS.ProcessEnv): Promise<void> {
	const terminal = new ScreenTerminal([program], size, env);
	await terminal.waitFor((screen) => screen.includes("2 sessions"));
	await terminal.quiet(1500);
	terminal.write(DOWN);
	await terminal.waitFor((screen) => screen.includes("2/2") && screen.includes("the tests pass"));
	await terminal.idle();
	row("the session opened: peak memory", "", `${terminal.peakMb} MB`);
	await terminal.send(RIGHT);
	const began = performance.now();
	terminal.write(command("Changes of the session"));
	const opened = await terminal.waitFor((screen) => /^› . src/m.test(screen));
	const firstMb = terminal.peakMb;
	const compared = await terminal.waitFor((screen) => /500 files .*exact/.test(screen));
	row("the page of changes: its first rows", "200 ms", `${ms(opened - began)}, ${firstMb} MB`);
	row("the page of changes: all files compared", "", `${ms(compared - began)}, ${terminal.peakMb} MB`);
	await terminal.idle();
	await terminal.send(LEFT);
	const asked = performance.now();
	terminal.write(command("Files as they were here"));
	const said = await terminal.waitFor((screen) => screen.includes("Finding out what the files were"));
	const listed = await terminal.waitFor((screen) => screen.includes("Files as they were at “"));
	row(
		"the files as of the end: a sign that they are looked for, and the preview",
		"300 ms to the sign, 1.5 s",
		`${ms(said - asked)} and ${ms(listed - asked)}, ${terminal.peakMb} MB`,
	);
	await terminal.end();
}

rmSync(folder, { recursive: true, force: true });
const { env, large, home } = makeHome();
await engine(large);
await shell(env, large);
await browser(env);
await ratios(env, home);
rmSync(folder, { recursive: true, force: true });
