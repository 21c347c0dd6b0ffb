import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionChanges } from "../src/edits/session-changes.ts";
import { runToEnd } from "../src/shared/steps.ts";
import { readChecked } from "../src/store/held/hold-session.ts";
import { writeEditSession } from "./edit-session.ts";
import { median, ms, row } from "./key-medians.ts";
import { NEWEST, writeEntries } from "./reading-session.ts";
import { command, ScreenTerminal } from "./screen-terminal.ts";
import { runShell } from "./shell-run.ts";

/**
 * What a session of 100,000 entries changed in 500 files: the engine against parsing the same lines, `pi-grove diff` as a whole process,
 * and the built program in a pseudo-terminal of 160×45. Run with `npm run bench:files`.
 */
const folder = join(tmpdir(), "pi-grove-bench-files");
const program = join(import.meta.dirname, "..", "dist", "cli.js");
const size = { cols: 160, rows: 45 };
const DOWN = "\x1b[B";
const RIGHT = "\x1b[C";
const LEFT = "\x1b[D";
const TIMES = 3;

function makeHome(): { readonly env: NodeJS.ProcessEnv; readonly large: string } {
	const home = join(folder, "home");
	const sessions = join(home, ".pi", "agent", "sessions", "--home-dev-work--");
	mkdirSync(sessions, { recursive: true });
	const large = join(sessions, "2026-01-06T08-00-00-000Z_a.jsonl");
	writeEntries(join(sessions, "2026-06-05T08-00-00-000Z_b.jsonl"), 8, NEWEST);
	writeEditSession(large, 100_000, 500);
	return { env: { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color", COLORTERM: "truecolor" }, large };
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
	const span = { to: leafId ?? "" };
	let [files, edits] = [0, 0];
	const took = await bestOf(() => {
		const changes = runToEnd(sessionChanges(session, span, { home: "/home/dev" }));
		files = changes.files.length;
		edits = changes.files.reduce((sum, file) => sum + file.edits.length, 0);
	});
	row("parse every line of the session", "", ms(parse));
	row(
		`${edits.toLocaleString("en-US")} edits of ${files} files, followed`,
		"≤ 2 s",
		`${ms(took)}, ${(took / parse).toFixed(1)} × the parse`,
	);
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
	const compared = await terminal.waitFor((screen) => screen.includes("500 files · net"));
	row("the page of changes: its first rows", "300 ms", `${ms(opened - began)}, ${firstMb} MB`);
	row("the page of changes: all files compared", "", `${ms(compared - began)}, ${terminal.peakMb} MB`);
	await terminal.idle();
	await terminal.send(LEFT);
	const asked = performance.now();
	terminal.write(command("Files as of here"));
	const said = await terminal.waitFor((screen) => screen.includes("Finding out what the files were"));
	const listed = await terminal.waitFor((screen) => screen.includes("Files as of “"));
	row(
		"the files as of the end: a sign that they are looked for, and the preview",
		"300 ms to the sign",
		`${ms(said - asked)} and ${ms(listed - asked)}, ${terminal.peakMb} MB`,
	);
	await terminal.end();
}

rmSync(folder, { recursive: true, force: true });
const { env, large } = makeHome();
await engine(large);
await shell(env, large);
await browser(env);
rmSync(folder, { recursive: true, force: true });
