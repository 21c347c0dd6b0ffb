import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRipgrep } from "../src/catalog/search/find-ripgrep.ts";
import { makeCorpus } from "./corpus.ts";
import { median, ms, row } from "./key-medians.ts";
import { isSearched, ScreenTerminal, titleOf } from "./screen-terminal.ts";

/**
 * Measures how long the built browser searches for a word in a pseudo-terminal: from the write of the word until all sessions are
 * known, and their number is in the title, against ripgrep counting the same lines in the same run. The first word starts the
 * thread that searches. Run with `npm run bench -- search`.
 */
const home = join(tmpdir(), "pi-grove-bench-search");
const agentDir = join(home, ".pi", "agent");
const WORDS = ["retry", "branch", "session", "zebra"];
const RUNS = 5;
const program = join(import.meta.dirname, "..", "dist", "cli.js");
const { command } = await findRipgrep();
const env = { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color", PI_GROVE_RG: command };

/** The times of the words, in ms, and the peak memory in MB. */
async function browse(): Promise<{ readonly times: readonly number[]; readonly peakMb: number }> {
	const terminal = new ScreenTerminal([program], { cols: 160, rows: 45 }, env);
	await terminal.waitFor((screen) => screen.includes("3,000 sessions") && screen.includes("ctrl+k commands"));
	await terminal.idle();
	const times: number[] = [];
	for (const word of WORDS) {
		const began = performance.now();
		terminal.write(word);
		times.push((await terminal.waitFor((screen) => isSearched(screen, word))) - began);
		await terminal.idle();
		terminal.write("\x1b");
		await terminal.waitFor((screen) => titleOf(screen).includes("type to search"));
		await terminal.idle();
	}
	const { peakMb } = terminal;
	await terminal.end();
	return { times, peakMb };
}

/** How long ripgrep counts, in ms. */
function count(word: string): number {
	const began = performance.now();
	spawnSync(command, ["-ic", "--no-ignore", "--hidden", word, join(agentDir, "sessions")], { stdio: "ignore" });
	return performance.now() - began;
}

rmSync(home, { recursive: true, force: true });
makeCorpus({ agentDir, sessions: 3000, bytes: 1.3e9 });
// Sessions are counted in the background; this measures a catalog that is idle.
spawnSync(process.execPath, [program, "stats"], { env, stdio: "ignore" });
const runs: Awaited<ReturnType<typeof browse>>[] = [];
const counted: number[][] = [];
for (let run = 0; run < RUNS; run++) {
	counted.push(WORDS.map(count));
	runs.push(await browse());
}
for (const [index, word] of WORDS.entries()) {
	const ours = median(runs.map(({ times }) => times[index] ?? 0));
	const theirs = median(counted.map((times) => times[index] ?? 0));
	const first = index === 0 ? ", the first search" : "";
	const measure = `\`${word}\`${first}, all sessions known, ripgrep ${ms(theirs)}`;
	row(measure, ms(3 * theirs + 500), `${ms(ours)}, ${(ours / theirs).toFixed(1)} ×`);
}
row("peak memory", "at most 250 MB", `${median(runs.map(({ peakMb }) => peakMb))} MB`);
rmSync(home, { recursive: true, force: true });
