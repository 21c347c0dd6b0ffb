import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SORTS } from "../src/app/world/state/list-columns.ts";
import { makeFamilies } from "./family-sessions.ts";
import { type KeyMedians, mediansOf, ms, ratioRow, row } from "./key-medians.ts";
import { command, ScreenTerminal } from "./screen-terminal.ts";

/**
 * What runs of subagents cost the whole built program, in a pseudo-terminal of 160×45: the list of 3,000 sessions with 2,000 runs
 * against that of 5,000 sessions without, and of 30,000 with 2,000 against 32,000: as many files. `npm run bench:families`.
 */
const folder = join(tmpdir(), "pi-grove-bench-families");
const size = { cols: 160, rows: 45 };
const program = join(import.meta.dirname, "..", "dist", "cli.js");

/** The menu of orders, and one in it; the cursor starts at the order in use. */
const BY_COST = `\x13${"\x1b[B".repeat(SORTS.indexOf("cost") - 1)}\r`;
const BY_AGE = "\x13\x1b[H\r";

const KEYS = {
	"a row down and up": ["\x1b[B", "\x1b[A"],
	"a page down and up": ["\x1b[6~", "\x1b[5~"],
	"to the end and back": ["\x1b[F", "\x1b[H"],
	"by cost, and by age": [BY_COST, BY_AGE],
	"only those with a name, and all": [command("Only with a name"), command("Only with a name")],
} as const;
const RUN_KEYS = {
	"all runs shown, and hidden": [command("Runs of subagents"), command("Runs of subagents")],
} as const;

interface Measured {
	readonly env: NodeJS.ProcessEnv;
	readonly firstMs: number;
	readonly countedMs: number;
	readonly warmMs: number;
	readonly peakMb: number;
	readonly keys: ReadonlyMap<string, KeyMedians>;
}

async function measure(sessions: number, runs: number): Promise<Measured> {
	const env = makeFamilies(join(folder, `${sessions}-${runs}`), sessions, runs);
	const start = async (): Promise<{ terminal: ScreenTerminal; atMs: number }> => {
		const terminal = new ScreenTerminal([program], size, env);
		const count = `${sessions.toLocaleString("en-US")} sessions`;
		const at = await terminal.waitFor((screen) => screen.includes(count) && !screen.includes("reading"));
		return { terminal, atMs: at - terminal.began };
	};
	const cold = await start();
	await cold.terminal.quiet(1000);
	const counted = await cold.terminal.waitFor((screen) => !screen.includes("counting"));
	const countedMs = counted - cold.terminal.began;
	await cold.terminal.end();
	const { terminal, atMs } = await start();
	await terminal.idle();
	const keys = new Map<string, KeyMedians>();
	// Nothing of that order is known yet.
	const sorted = await terminal.press(BY_COST);
	keys.set("by cost, the first time", { frame: sorted.frame, work: sorted.work });
	if (!(await terminal.screen()).includes(" cost ")) throw new Error("The list is not in the order of cost.");
	await terminal.press(BY_AGE);
	const all = Object.entries<readonly string[]>(runs === 0 ? KEYS : { ...KEYS, ...RUN_KEYS });
	for (const [name, some] of all) keys.set(name, await mediansOf(terminal, some));
	const { peakMb } = terminal;
	await terminal.end();
	return { env, firstMs: cold.atMs, countedMs, warmMs: atMs, peakMb, keys };
}

/** Milliseconds of a command as a whole process in several homes in turn, the best of five in each. */
function timesOf(args: readonly string[], homes: readonly Measured[]): readonly number[] {
	const best = homes.map(() => Number.POSITIVE_INFINITY);
	for (let round = 0; round < 5; round++)
		for (const [index, { env }] of homes.entries()) {
			const began = performance.now();
			const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
				env,
				encoding: "utf8",
				maxBuffer: 1e9,
			});
			if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
			best[index] = Math.min(best[index] ?? 0, performance.now() - began);
		}
	return best;
}

rmSync(folder, { recursive: true, force: true });
row("measure", "goal", "result");
row("---", "---", "---");
for (const [sessions, runs] of [
	[3000, 2000],
	[30_000, 2000],
] as const) {
	const plain = await measure(sessions + runs, 0);
	const family = await measure(sessions, runs);
	const homes = [plain, family];
	const name = `${(sessions + runs).toLocaleString("en-US")} sessions, and ${sessions.toLocaleString("en-US")} with ${runs.toLocaleString("en-US")} runs`;
	const compare = (measure: string, [one = 0, other = 0]: readonly number[]): void => {
		row(`${measure}, ${name}`, "within 1.3 ×", `${ms(one)} and ${ms(other)}, ${(other / one).toFixed(2)} ×`);
	};
	compare(
		"all listed, cold",
		homes.map(({ firstMs }) => firstMs),
	);
	compare(
		"all counted, cold",
		homes.map(({ countedMs }) => countedMs),
	);
	compare(
		"all listed, warm",
		homes.map(({ warmMs }) => warmMs),
	);
	compare("list --json", timesOf(["list", "--json"], homes));
	compare("stats", timesOf(["stats"], homes));
	row(`peak memory, warm, ${name}`, "", `${plain.peakMb} MB and ${family.peakMb} MB`);
	for (const [key, many] of family.keys) {
		const few = plain.keys.get(key);
		if (few === undefined)
			row(`${key}, ${name}`, "a frame (16 ms) of work", `${ms(many.frame)} (work ${ms(many.work)})`);
		else ratioRow(`${key}, ${name}`, "a frame more (16 ms)", few, many);
	}
}
rmSync(folder, { recursive: true, force: true });
