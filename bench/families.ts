import { globSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SORTS } from "../src/app/world/state/list-columns.ts";
import { makeFamilies } from "./family-sessions.ts";
import { type KeyMedians, mediansOf, ms, ratioRow, row } from "./key-medians.ts";
import { command, ScreenTerminal } from "./screen-terminal.ts";
import { leastInTurn, workOf } from "./work-of.ts";

/**
 * What runs of subagents cost the whole built program, in the shell and in a pseudo-terminal of 160×45: 3,000 sessions with 2,000
 * runs against the same 5,000 sessions without families, and 30,000 with 2,000 against 32,000. `npm run bench -- families`, or with
 * the numbers of sessions and runs of one comparison behind `--`. On Linux, with bash.
 */
const folder = join(tmpdir(), "pi-grove-bench-families");
const size = { cols: 160, rows: 45 };
const program = join(import.meta.dirname, "..", "dist", "cli.js");

/** The menu of orders, and one in it; the cursor starts at the order in use. */
// The order by place is only offered where there are places.
const BY_COST = `\x13${"\x1b[B".repeat(SORTS.filter((sort) => sort !== "place").indexOf("cost") - 1)}\r`;
const BY_AGE = "\x13\x1b[H\r";

const KEYS = {
	"a row down and up": ["\x1b[B", "\x1b[A"],
	"a page down and up": ["\x1b[6~", "\x1b[5~"],
	"to the end and back": ["\x1b[F", "\x1b[H"],
	"by cost, and by age": [BY_COST, BY_AGE],
	"only those with a name, and all": [command("Named only"), command("Named only")],
} as const;
const RUN_KEYS = {
	"all runs shown, and hidden": [command("Runs of subagents"), command("Runs of subagents")],
} as const;

/** How often whole processes are measured. */
const ROUNDS = 15;
/** Longer than the time within which the directory of a run counts as changed just now, in ms. */
const SETTLED_MS = 11_000;

/** A home directory with sessions. */
interface Home {
	readonly env: NodeJS.ProcessEnv;
	/** Sessions that are no runs. */
	readonly sessions: number;
	readonly runs: number;
	readonly bytes: number;
}

function makeHomeOf(kind: "families" | "plain", sessions: number, runs: number): Home {
	const home = join(folder, `${sessions}-${runs}-${kind}`);
	const env = makeFamilies(home, sessions, runs, kind);
	const files = globSync(join(home, ".pi/agent/sessions/**/*.jsonl"));
	const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
	return { env, ...(kind === "families" ? { sessions, runs } : { sessions: sessions + runs, runs: 0 }), bytes };
}

/** Has the next start know nothing; the compiled code is kept. */
function forget({ env }: Home): void {
	for (const file of globSync(join(env.HOME ?? "", ".cache/pi-grove/catalog-*"))) rmSync(file);
}

/** Starts the browser and waits for its complete list. */
async function browse({ env, sessions }: Home): Promise<ScreenTerminal> {
	const terminal = new ScreenTerminal([program], size, env);
	const count = `${sessions.toLocaleString("en-US")} sessions`;
	await terminal.waitFor((screen) => screen.includes(count) && !screen.includes("reading"));
	return terminal;
}

/** What all threads of the browser have worked when its list is complete. */
async function workOfStart(home: Home): Promise<number> {
	const terminal = await browse(home);
	const worked = terminal.allWorkedMs;
	await terminal.end();
	return worked;
}

async function measureKeys(home: Home): Promise<{ readonly peakMb: number; readonly keys: Map<string, KeyMedians> }> {
	const terminal = await browse(home);
	await terminal.idle();
	const keys = new Map<string, KeyMedians>();
	// Nothing of that order is known yet.
	const sorted = await terminal.press(BY_COST);
	keys.set("by cost, the first time", { frame: sorted.frame, work: sorted.work });
	if (!(await terminal.screen()).includes(" cost ")) throw new Error("The list is not in the order of cost.");
	await terminal.press(BY_AGE);
	const all = Object.entries<readonly string[]>(home.runs === 0 ? KEYS : { ...KEYS, ...RUN_KEYS });
	for (const [name, some] of all) keys.set(name, await mediansOf(terminal, some));
	const { peakMb } = terminal;
	await terminal.end();
	return { peakMb, keys };
}

const [sessionsAsked, runsAsked] = process.argv.slice(2).map(Number);
const sizes: readonly (readonly [sessions: number, runs: number])[] =
	sessionsAsked === undefined || runsAsked === undefined
		? [
				[3000, 2000],
				[30_000, 2000],
			]
		: [[sessionsAsked, runsAsked]];

rmSync(folder, { recursive: true, force: true });
row("measure", "goal", "result");
row("---", "---", "---");
for (const [sessions, runs] of sizes) {
	const homes = [makeHomeOf("plain", sessions, runs), makeHomeOf("families", sessions, runs)] as const;
	const [plain, family] = homes;
	const name = `${plain.sessions.toLocaleString("en-US")} sessions, and ${sessions.toLocaleString("en-US")} with ${runs.toLocaleString("en-US")} runs`;
	row(`bytes, ${name}`, "the same", `${plain.bytes} and ${family.bytes}`);
	const compare = async (measure: string, workIn: (home: Home) => number | Promise<number>, rounds = ROUNDS) => {
		const works = homes.map((home) => () => workIn(home));
		const [one = Number.NaN, other = Number.NaN] = await leastInTurn(rounds, works);
		row(`${measure}, work, ${name}`, "1.05 ×", `${ms(one)} and ${ms(other)}, ${(other / one).toFixed(2)} ×`);
	};
	const run = (home: Home, ...args: readonly string[]): number => workOf([program, ...args], home.env);
	await compare("list, cold", (home) => {
		forget(home);
		return run(home, "list");
	});
	await compare("the browser's list, cold", (home) => {
		forget(home);
		return workOfStart(home);
	});
	await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
	// Counts what is not, and knows the directories.
	for (const home of homes) for (let again = 0; again < 2; again++) run(home, "stats");
	await compare("list", (home) => run(home, "list"));
	await compare("list --json", (home) => run(home, "list", "--json"));
	await compare("list --json --runs", (home) => run(home, "list", "--json", "--runs"));
	await compare("stats", (home) => run(home, "stats"));
	await compare("the browser's list", workOfStart);
	const few = await measureKeys(plain);
	const many = await measureKeys(family);
	row(`peak memory, warm, ${name}`, "", `${few.peakMb} MB and ${many.peakMb} MB`);
	for (const [key, times] of many.keys) {
		const without = few.keys.get(key);
		if (without === undefined)
			row(`${key}, ${name}`, "a frame (16 ms) of work", `${ms(times.frame)} (work ${ms(times.work)})`);
		else ratioRow(`${key}, ${name}`, "a frame more (16 ms)", without, times);
	}
}
rmSync(folder, { recursive: true, force: true });
