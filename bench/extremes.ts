import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EXTREMES, type Extreme } from "./extreme-homes.ts";
import {
	KEYS_IN_ALL,
	KEYS_IN_LISTS,
	KEYS_IN_ONE,
	KEYS_OF_PROBLEMS,
	type KeyRow,
	SHELL_COMMANDS,
} from "./extreme-keys.ts";
import { median, ms, row } from "./key-medians.ts";
import { type KeyTimes, ScreenTerminal } from "./screen-terminal.ts";
import { runShell } from "./shell-run.ts";

/**
 * The whole built program at eight extremes: what each key costs in the browser (160×45), what each command costs in the
 * shell, and their memory. `npm run bench -- extremes`, with the names of some of them, and `--scale 0.1` for a tenth of their
 * sizes; `--keys` or `--shell` for only one half, `--all` for every key instead of those that miss the goal.
 */
const program = join(import.meta.dirname, "..", "dist", "cli.js");
const GOAL_MS = 100;
const GOAL_MB = 600;
const GOAL_RATIO = 10;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		scale: { type: "string", default: "1" },
		keys: { type: "boolean", default: false },
		shell: { type: "boolean", default: false },
		all: { type: "boolean", default: false },
	},
});

/** A key that was pressed, with what it took. */
interface Pressed {
	readonly name: string;
	readonly times: KeyTimes;
}

async function measureKeys(env: NodeJS.ProcessEnv, { title, rows, isDamaged }: Extreme, size: number): Promise<void> {
	for (const state of ["cold", "warm"]) {
		const terminal = new ScreenTerminal([program], { cols: 160, rows: 45 }, env);
		const count = `${rows(size).toLocaleString("en-US")} session`;
		const at = await terminal.waitFor((screen) => screen.includes(count));
		await terminal.idle();
		row(`${title(size)}: listed, ${state}; peak memory`, "", `${ms(at - terminal.began)}; ${terminal.peakMb} MB`);
		if (state === "warm") {
			const pressed: Pressed[] = [];
			const keyRows = [
				...(rows(size) > 1 ? KEYS_IN_LISTS : KEYS_IN_ONE),
				...(isDamaged ? KEYS_OF_PROBLEMS : []),
				...KEYS_IN_ALL,
			];
			for (const keys of keyRows) pressed.push(...(await pressAll(terminal, keys)));
			report(pressed);
			const goal = size > 1e6 ? `${GOAL_MB} MB` : "";
			row("peak memory after all of it", goal, `${terminal.peakMb} MB`);
		}
		await terminal.end();
	}
}

async function pressAll(terminal: ScreenTerminal, [name, keys, how]: KeyRow): Promise<readonly Pressed[]> {
	const pressed: Pressed[] = [];
	for (const [index, key] of keys.entries()) {
		const times = await terminal.press(key, undefined, true);
		pressed.push({ name: keys.length === 1 ? name : `${name} (${index + 1} of ${keys.length})`, times });
		if (how === "let it end") await terminal.idle();
	}
	return pressed;
}

function report(pressed: readonly Pressed[]): void {
	const frames = pressed.map(({ times: { frame } }) => frame);
	// On a busy machine a frame is late without any work for it.
	const slow = pressed.filter(({ times: { frame, work } }) => values.all || Math.min(frame, work || frame) > GOAL_MS);
	row(`${pressed.length} keys`, `≤ ${GOAL_MS} ms`, `median ${ms(median(frames))}, longest ${ms(Math.max(...frames))}`);
	for (const { name, times } of slow)
		row(`– ${name}`, `≤ ${GOAL_MS} ms`, `${ms(times.frame)}, settled ${ms(times.settled)} (work ${ms(times.work)})`);
}

async function measureShell(env: NodeJS.ProcessEnv, extreme: Extreme, size: number, readMs: number): Promise<void> {
	const file = extreme.rows(size) === 1 ? sessionFiles(env.HOME ?? "")[0] : undefined;
	for (const { args, inOne } of SHELL_COMMANDS) {
		if (inOne && file === undefined) continue;
		const { worked, took, peakMb } = await runShell(program, env, args(file ?? ""));
		const ratio = `${(worked / readMs).toFixed(1)} ×`;
		const told = `${ms(worked)} on a processor, ${ratio}, ${ms(took)} by the clock; ${peakMb} MB`;
		row(`pi-grove ${args("FILE").join(" ")}`, `${GOAL_RATIO} ×, ${GOAL_MB} MB`, told);
	}
}

function sessionFiles(home: string): readonly string[] {
	const root = join(home, ".pi", "agent", "sessions");
	const entries = readdirSync(root, { recursive: true, withFileTypes: true });
	return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
}

/** What reading all bytes of the sessions takes on a processor, in ms; the second time, when the system has them. */
async function readAll(home: string): Promise<number> {
	const buffer = Buffer.alloc(1 << 20);
	let worked = 0;
	for (let round = 0; round < 2; round++) {
		const began = process.cpuUsage();
		for (const path of sessionFiles(home)) {
			const file = await open(path);
			while ((await file.read(buffer, 0, buffer.length)).bytesRead > 0);
			await file.close();
		}
		const { user, system } = process.cpuUsage(began);
		worked = (user + system) / 1000;
	}
	return worked;
}

const names = positionals.length > 0 ? positionals : Object.keys(EXTREMES);
for (const name of names) {
	const extreme = EXTREMES[name];
	if (extreme === undefined) throw new Error(`${name} is not one of ${Object.keys(EXTREMES).join(", ")}`);
	const size = Math.round(extreme.size * Number(values.scale));
	const folder = mkdtempSync(join(tmpdir(), `pi-grove-bench-${name}-`));
	const remove = (): void => rmSync(folder, { recursive: true, force: true });
	process.once("exit", remove);
	const env = extreme.make(folder, size);
	const readMs = await readAll(folder);
	row(`${extreme.title(size)}: read all bytes`, "", ms(readMs));
	if (!values.shell) await measureKeys(env, extreme, size);
	if (!values.keys) await measureShell(env, extreme, size, readMs);
	remove();
	process.off("exit", remove);
}
