import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type KeyMedians, mediansOf, ms, ratioRow, row } from "./key-medians.ts";
import { command, ScreenTerminal } from "./screen-terminal.ts";
import { makeHome } from "./small-sessions.ts";

/**
 * The whole built program in a pseudo-terminal of 160×45: what a key costs in the list of 1,000, 30,000 and 100,000 small
 * sessions, all of them listed before. Run with `npm run bench -- list-keys`; the files take a few minutes to be made and listed.
 */
const folder = join(tmpdir(), "pi-grove-bench-list");
const size = { cols: 160, rows: 45 };
const program = join(import.meta.dirname, "..", "dist", "cli.js");

const KEYS = {
	"a row down and up": ["\x1b[B", "\x1b[A"],
	"a page down and up": ["\x1b[6~", "\x1b[5~"],
	"to the end and back": ["\x1b[F", "\x1b[H"],
	"mark all, and none": [command("Mark all listed"), command("Unmark all")],
	"only those with a name, and all": [command("Named only"), command("Named only")],
	"the next order, and back": ["\x13\x1b[B\r", "\x13\x1b[A\r"],
	"the commands, and away": ["\x0b", "\x1b"],
} as const;

async function start(env: NodeJS.ProcessEnv, sessions: number): Promise<{ terminal: ScreenTerminal; firstMs: number }> {
	const terminal = new ScreenTerminal([program], size, env);
	const count = `${sessions.toLocaleString("en-US")} sessions`;
	const at = await terminal.waitFor((screen) => screen.includes(count));
	await terminal.quiet(3000);
	return { terminal, firstMs: at - terminal.began };
}

async function measure(sessions: number): Promise<Map<string, KeyMedians>> {
	const env = makeHome(join(folder, String(sessions)), sessions);
	const cold = await start(env, sessions);
	await cold.terminal.end();
	const { terminal, firstMs } = await start(env, sessions);
	const medians = new Map<string, KeyMedians>();
	for (const [name, keys] of Object.entries(KEYS)) medians.set(name, await mediansOf(terminal, keys));
	const name = sessions.toLocaleString("en-US");
	row(
		`${name} sessions: all of them counted on the screen, warm; peak memory`,
		"",
		`${ms(firstMs)}; ${terminal.peakMb} MB`,
	);
	await terminal.end();
	return medians;
}

rmSync(folder, { recursive: true, force: true });
const few = await measure(1000);
for (const sessions of [30_000, 100_000]) {
	for (const [name, many] of await measure(sessions)) {
		const before = few.get(name) ?? { frame: 0, work: 0 };
		ratioRow(`${name}, 1,000 and ${sessions.toLocaleString("en-US")} sessions`, "a frame more (16 ms)", before, many);
	}
}
rmSync(folder, { recursive: true, force: true });
