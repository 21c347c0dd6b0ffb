import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type KeyMedians, median, mediansOf, ms, ratioRow, row } from "./key-medians.ts";
import { LAST_WORDS, NEWEST, writeEntries, writeMarkdown } from "./reading-session.ts";
import { type KeyTimes, ScreenTerminal } from "./screen-terminal.ts";

/**
 * The whole built program in a pseudo-terminal of 200×60: what a key costs in the tree and in the reader, with 100 and with
 * 100,000 entries, and what it costs to open them. Run with `npm run bench -- reading`.
 */
const folder = join(tmpdir(), "pi-grove-bench-reading");
const size = { cols: 200, rows: 60 };
const program = join(import.meta.dirname, "..", "dist", "cli.js");

const UP = "\x1b[A";
const DOWN = "\x1b[B";
const RIGHT = "\x1b[C";
const PAGE_UP = "\x1b[5~";
const PAGE_DOWN = "\x1b[6~";
const END = "\x1b[F";
const FULL_PAGE = "\x1b[C";
const ESCAPE = "\x1b";

/** A filter of a large session is answered in several frames: first for what is near the cursor. */
const FILTER_QUIET_MS = 800;

/** A home directory whose newest session is small, and whose second one is written by `write`. */
function makeHome(name: string, write: (path: string) => void): NodeJS.ProcessEnv {
	const home = join(folder, name);
	const sessions = join(home, ".pi", "agent", "sessions", "--home-dev-work-project-0--");
	mkdirSync(sessions, { recursive: true });
	const [small, large] = [
		join(sessions, "2026-01-06T08-00-00-000Z_b.jsonl"),
		join(sessions, "2026-01-05T08-00-00-000Z_a.jsonl"),
	];
	writeEntries(small, 8, NEWEST);
	write(large);
	return { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color", COLORTERM: "truecolor" };
}

/** Starts the program and waits for its first full screen; then for the index, so that nothing else is done later. */
async function start(env: NodeJS.ProcessEnv): Promise<{ terminal: ScreenTerminal; firstMs: number }> {
	const terminal = new ScreenTerminal([program], size, env);
	const at = await terminal.waitFor((screen) => screen.includes("2 sessions") && screen.includes(LAST_WORDS));
	await terminal.quiet(1500);
	return { terminal, firstMs: at - terminal.began };
}

const MOVES = {
	"a row up and down in the tree": [UP, DOWN],
	"a page up and down in the tree": [PAGE_UP, PAGE_DOWN],
	"a row in the conversation": [DOWN, UP],
	"a page in the conversation": [PAGE_DOWN, PAGE_UP],
	"a row in the reader": [DOWN, UP],
	"a page in the reader": [PAGE_DOWN, PAGE_UP],
} as const;

/** What is done in a session of so many entries. */
async function readEntries(entries: number): Promise<Map<string, KeyMedians>> {
	const env = makeHome(String(entries), (path) => writeEntries(path, entries));
	const cold = await start(env);
	await cold.terminal.end();
	const { terminal, firstMs } = await start(env);
	const firstMb = terminal.peakMb;
	const began = performance.now();
	const workedBefore = terminal.workedMs;
	terminal.write(DOWN);
	// The id of its last entry stands above its text.
	const last = entries.toString(16).padStart(8, "0");
	const openedAt = await terminal.waitFor((screen) => screen.includes(last) && isOpen(screen));
	const work = terminal.workedMs - workedBefore;
	await terminal.quiet(1500);
	const name = `${entries.toLocaleString("en-US")} entries`;
	if (entries === 100) row("first full screen of the program", "", `${ms(firstMs)}, ${firstMb} MB`);
	row(`${name}: opened to a full screen`, "≤ 700 ms", `${ms(openedAt - began)} (work ${ms(work)})`);
	row(`${name}: peak memory, opened and checked`, "≤ 250 MB", `${terminal.peakMb} MB`);
	await terminal.send(RIGHT);
	const medians = new Map<string, KeyMedians>();
	const measure = async (move: keyof typeof MOVES): Promise<void> => {
		medians.set(move, await mediansOf(terminal, MOVES[move]));
	};
	await measure("a row up and down in the tree");
	await measure("a page up and down in the tree");
	if (entries > 100) await filter(terminal, name);
	for (let page = 0; page < 3; page++) await terminal.send(PAGE_UP);
	await terminal.send(RIGHT);
	await measure("a row in the conversation");
	await measure("a page in the conversation");
	await terminal.send(FULL_PAGE);
	await measure("a row in the reader");
	await measure("a page in the reader");
	row(`${name}: peak memory after all of it`, "", `${terminal.peakMb} MB`);
	await terminal.end();
	return medians;
}

/** Whether the tree of the second session is on the screen, with its last entry. */
function isOpen(screen: string): boolean {
	return screen.includes(LAST_WORDS) && screen.includes("2/2");
}

async function filter(terminal: ScreenTerminal, name: string): Promise<void> {
	const times: KeyTimes[] = [];
	for (const word of ["tree", "npm", "src"]) {
		for (const letter of word) times.push(await terminal.press(letter, FILTER_QUIET_MS));
		await terminal.send(ESCAPE);
		await terminal.send(END);
	}
	const [first, last] = [median(times.map(({ frame }) => frame)), median(times.map(({ settled }) => settled))];
	const work = median(times.map((time) => time.work));
	row(
		`${name}: a letter of the tree's filter`,
		"≤ 30 ms",
		`${ms(first)} to the first frame, ${ms(last)} until all is compared (work ${ms(work)})`,
	);
}

/** A very long Markdown answer in the reader. */
async function readMarkdown(bytes: number): Promise<void> {
	const env = makeHome("markdown", (path) => writeMarkdown(path, bytes));
	const cold = await start(env);
	await cold.terminal.end();
	const { terminal } = await start(env);
	await terminal.press(DOWN);
	await terminal.waitFor(isOpen);
	await terminal.quiet(1500);
	await terminal.send(RIGHT);
	const opened = await terminal.press(FULL_PAGE, 1500);
	const pages = await mediansOf(terminal, [PAGE_DOWN]);
	row(
		"a Markdown answer of 10 MB: first screen in the reader",
		"≤ 50 ms",
		`${ms(opened.frame)}, settled ${ms(opened.settled)} (work ${ms(opened.work)})`,
	);
	row("the same, a page further", "≤ 16 ms", `${ms(pages.frame)} (work ${ms(pages.work)})`);
	row("the same, peak memory", "", `${terminal.peakMb} MB`);
	await terminal.end();
}

async function measure(): Promise<void> {
	rmSync(folder, { recursive: true, force: true });
	const few = await readEntries(100);
	const many = await readEntries(100_000);
	for (const [move, medians] of many) {
		const before = few.get(move) ?? { frame: 0, work: 0 };
		ratioRow(`${move}, 100 and 100,000 entries`, "≤ 16 ms, within 1.5 ×", before, medians);
	}
	await readMarkdown(10_000_000);
	rmSync(folder, { recursive: true, force: true });
}

await measure();
