import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { build } from "esbuild";
import { workerEntryPoints } from "../src/shared/worker-url.ts";
import { type Corpus, makeCorpus } from "./corpus.ts";

/** All measurements of the catalog in one run on one machine: `npm run bench -- catalog`. See bench/README.md. */

const folder = join(tmpdir(), "pi-grove-bench");
const sizes = { sessions: 3000, bytes: 1.3e9 };
/** Typed key by key: words of the corpus, and words that are in no session. */
const typed = ["budget", "retry loop", "session", "zebra", "zzq"];
/** Words of the syntax, short and numeric ones, each entered whole. */
const syntax = ["user", "type", "toolcallid", "assistant", "e", "us", "8472", "2026", "a1b2"];
/** Searched for from the shell, 20 of each. */
const shell = [
	{ word: "zebra", what: "an absent word" },
	{ word: "kubernetes", what: "an absent word with other forms" },
	{ word: "retry", what: "a common word" },
	{ word: "session", what: "a word of the syntax" },
];
/** In ms more than ripgrep, with an index and without. */
const SHELL_GOAL = 600;
const SHELL_ROUNDS = 5;

interface Outcome {
	readonly ms: number;
	readonly peakMb: number;
	readonly [more: string]: unknown;
}

/** The tasks are measured as the program is shipped: bundled, without the compiler at run time. */
const program = join(folder, "program");
rmSync(program, { recursive: true, force: true });
await build({
	entryPoints: {
		task: join(import.meta.dirname, "task.ts"),
		...workerEntryPoints(join(import.meta.dirname, "..")),
	},
	outdir: program,
	bundle: true,
	splitting: true,
	minify: true,
	format: "esm",
	platform: "node",
	target: "node22",
	chunkNames: "[name]-[hash]",
	define: { "process.env.NODE_ENV": '"production"' },
	external: ["trash", "@vscode/ripgrep", "re2js", "react-devtools-core"],
	banner: {
		js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
	},
});

// As in the package that is shipped: otherwise Node looks into each file to find out what kind of module it is.
writeFileSync(join(program, "package.json"), '{"type":"module"}');
// Packages that are not bundled are resolved from there.
symlinkSync(join(import.meta.dirname, "..", "node_modules"), join(program, "node_modules"));

function run(task: string, corpus: { agentDir: string }, cache: string, ...rest: string[]): Outcome {
	const args = [join(program, "task.js"), task, corpus.agentDir, cache, ...rest];
	const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1e8 });
	if (status !== 0) throw new Error(`bench task ${task} failed: ${stderr}`);
	// Printed by bench/task.ts.
	return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Outcome;
}

/** The best of some runs: other work of the machine only makes them slower. */
function best(times: number, measure: () => Outcome): Outcome {
	const all = Array.from({ length: times }, measure);
	return all.reduce((a, b) => (Number(b.complete ?? b.ms) < Number(a.complete ?? a.ms) ? b : a));
}

function corpus(name: string, sessions: number, bytes: number, vocabulary?: number): Corpus {
	const agentDir = join(folder, name);
	rmSync(agentDir, { recursive: true, force: true });
	return makeCorpus({ agentDir, sessions, bytes, vocabulary });
}

function fresh(name: string): string {
	const cache = join(folder, `cache-${name}`);
	rmSync(cache, { recursive: true, force: true });
	return cache;
}

/** As in bench/task.ts. */
const SCREENFUL = 30;

interface Key {
	readonly query: string;
	/** In ms. */
	readonly first: number;
	readonly all: number;
	readonly rg: number;
	readonly found: number;
}

/** Searches as typed; reports how long it took to fill a screen, and to know all sessions. */
function searching(
	of: string,
	among: Corpus,
	cache: string,
	words: readonly string[],
	syntactic: readonly string[],
): void {
	// What bench/task.ts prints for the task "search".
	const keys = run("search", among, cache, ...words).keys as Key[];
	const special = syntactic.map((word) => {
		const all = run("search", among, cache, word).keys as Key[];
		return all.at(-1) ?? { query: word, first: 0, all: 0, rg: 1, found: 0 };
	});
	// The first key of each process starts the thread.
	const [, ...later] = keys;
	// With less than a screenful, the screen is complete with the last session, which is the next measure.
	const screens = later.filter(({ found }) => found >= SCREENFUL).map((key) => key.first);
	report(
		`search, first screen, per key${of}`,
		"median 100 ms",
		`median ${ms(median(screens))}, worst ${ms(Math.max(...screens))}, the first key ${ms(keys[0]?.first)}`,
	);
	const isWord = ({ query }: Key) => query.length > 3 && ![...syntax, "session"].some((word) => word.includes(query));
	const more = (some: readonly Key[]) => some.map((key) => key.all - 3 * key.rg);
	const ratios = (some: readonly Key[]) => some.map((key) => key.all / key.rg);
	const text = (some: readonly Key[]) =>
		`median ${ms(median(more(some)))}, worst ${ms(Math.max(...more(some)))} (median ${ratio(median(ratios(some)))})`;
	const goal = "500 ms more than 3 ×";
	report(`search, all sessions known, against ripgrep counting${of}`, goal, text(keys.filter(isWord)));
	const short = [...special, ...keys.filter((key) => !isWord(key))];
	report(`the same for words of the syntax, short and numeric ones${of}`, goal, text(short));
	for (const { query, first, all, rg, found } of [...keys, ...special])
		process.stdout.write(
			`  ${query.padEnd(14)} ${ms(first).padStart(9)} ${ms(all).padStart(9)} rg ${ms(rg).padStart(7)} ${found}\n`,
		);
}

/** The built program, as it is shipped. */
const cli = join(import.meta.dirname, "..", "dist", "cli.js");

/**
 * `pi-grove search WORD` as a whole process, in turn with `rg -il WORD` over the same files; goals in ms more than that. With an
 * index, its code is compiled, as after any first run; without one, each run is the first.
 */
function fromShell(state: string, among: Corpus, cacheDir: string): void {
	const env = { ...process.env, PI_CODING_AGENT_DIR: among.agentDir, XDG_CACHE_HOME: `${cacheDir}-home` };
	const isKnown = existsSync(cacheDir);
	const startAnew = (): void => rmSync(env.XDG_CACHE_HOME, { recursive: true, force: true });
	const time = (command: string, args: readonly string[]): number => {
		if (!isKnown) startAnew();
		const start = performance.now();
		spawnSync(command, args, { env, stdio: "ignore" });
		return performance.now() - start;
	};
	startAnew();
	if (isKnown) {
		cpSync(cacheDir, join(env.XDG_CACHE_HOME, "pi-grove"), { recursive: true });
		time(process.execPath, [cli, "search", "retry"]);
	}
	for (const { word, what } of shell) {
		const [ours, theirs]: [number[], number[]] = [[], []];
		for (let round = 0; round < SHELL_ROUNDS; round++) {
			ours.push(time(process.execPath, [cli, "search", word, "--limit", "20"]));
			theirs.push(time(rgPath, ["-il", word, among.root]));
		}
		const [own, rg] = [median(ours), median(theirs)];
		report(
			`pi-grove search, ${what}, ${state}, whole process, against ripgrep`,
			`${SHELL_GOAL} ms more`,
			`${word} ${ms(own)}, ripgrep ${ms(rg)}, ${ms(own - rg)} more`,
		);
	}
}

/** The rarest of some words of the last session. */
function rareWordsOf({ files, root }: Corpus): string[] {
	const { stdout } = spawnSync(rgPath, ["-I", "-o", "\\b[g-z][a-z]{6,11}\\b", files.at(-1) ?? ""], {
		encoding: "utf8",
	});
	const words = [...new Set(stdout.split("\n"))].filter((word) => word !== "").slice(-25);
	const counted = words.map((word) => {
		const { stdout: paths } = spawnSync(rgPath, ["-l", "-F", word, root], { encoding: "utf8", maxBuffer: 1e8 });
		return { word, count: paths.split("\n").length };
	});
	return counted
		.sort((a, b) => a.count - b.count)
		.slice(0, 3)
		.map(({ word }) => word);
}

function sizeOf(directory: string): number {
	return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

const ms = (value: unknown) => `${Number(value).toFixed(Number(value) < 20 ? 1 : 0)} ms`;
const ratio = (value: number) => `${value.toFixed(value < 20 ? 1 : 0)} ×`;
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const rows: string[][] = [];
const report = (measure: string, goal: string, result: string) => {
	rows.push([measure, goal, result]);
	process.stdout.write(`| ${measure} | ${goal} | ${result} |\n`);
};

mkdirSync(folder, { recursive: true });
const large = corpus("large", sizes.sessions, sizes.bytes);
const small = corpus("small", sizes.sessions / 10, sizes.bytes / 10);
process.stdout.write(
	`${sizes.sessions} sessions, ${(large.bytes / 1e9).toFixed(2)} GB\n| measure | goal | result |\n|---|---|---|\n`,
);

// Once before, so that everything is in the system's cache for all tasks.
run("newlines", large, "");
const newlines = best(3, () => run("newlines", large, ""));
const plain = best(2, () => run("plain", large, ""));
const cold = best(3, () => run("list", large, fresh("cold")));
const warm = best(3, () => run("list", large, join(folder, "cache-cold")));
if (plain.messages !== cold.messages || plain.messages !== warm.messages) throw new Error("the lists differ");
const [complete, first, warmed] = [Number(cold.complete), Number(cold.first), Number(warm.complete)];
report("parse every line (pi's way)", "", ms(plain.ms));
report("read the bytes and find the newlines", "", ms(newlines.ms));
report("cold list against parsing every line", "10 ×", `${ms(complete)}, ${ratio(plain.ms / complete)}`);
report("cold list against reading", "within 2.5 ×", ratio(complete / newlines.ms));
report(
	"cold, first screen of newest rows",
	"under 1/50 of the parse",
	`${ms(first)}, 1/${(plain.ms / first).toFixed(0)}`,
);
report(
	"warm list, all rows emitted, against the parse",
	"200 ×",
	`${ms(warm.emitted)}, ${ratio(plain.ms / Number(warm.emitted))}; the first ${ms(warm.first)}`,
);
report("warm list, compared with the disk", "", `${ms(warmed)}, ${ratio(plain.ms / warmed)}`);
report("cold list, peak memory of the process", "under 200 MB", `${cold.peakMb.toFixed(0)} MB`);

const smallCold = best(3, () => run("list", small, fresh("small")));
const smallWarm = best(3, () => run("list", small, join(folder, "cache-small")));
report("ten times the sessions, cold", "under 11 ×", ratio(complete / Number(smallCold.complete)));
report("ten times the sessions, warm, first rows", "under 2 ×", ratio(Number(warm.first) / Number(smallWarm.first)));

const cache = fresh("numbers");
const counted = best(2, () => run("numbers", large, fresh("numbers")));
report(
	"the numbers of all sessions, against parsing every line",
	"within 1.3 ×",
	`${ms(counted.counting)}, ${ratio(Number(counted.counting) / plain.ms)}, peak ${counted.peakMb.toFixed(0)} MB`,
);
const indexed = sizeOf(cache);
report(
	"index on disk, against the sessions",
	"1 %",
	`${(indexed / 1e6).toFixed(1)} MB, ${((100 * indexed) / large.bytes).toFixed(2)} %`,
);
searching("", large, cache, typed, syntax);
const rare = corpus("rare", sizes.sessions, sizes.bytes, 50_000);
run("newlines", rare, "");
run("numbers", rare, fresh("rare"));
const rareWords = rareWordsOf(rare);
searching(", 50,000 words", rare, join(folder, "cache-rare"), ["retry", ...rareWords], []);
fromShell("index present", large, cache);
fromShell("nothing present", large, join(folder, "cache-none"));

const huge = corpus("huge", 1, 1e9);
const appended = run("append", huge, fresh("huge"), huge.files[0] ?? "");
// What bench/task.ts prints for the task "append".
const { work, delays } = appended as unknown as { work: number[]; delays: number[] };
report("a line appended to a 1 GB session, work", "under 5 ms", ms(median(work)));
report("the same, from write to row", "under 200 ms", ms(median(delays)));
const grown = best(3, () => run("grow", small, fresh("grow")));
report(
	"a line appended to the open session, its tree drawn: 100,000 entries against 100",
	"within 2 ×",
	`${ms(grown.large)} against ${ms(grown.small)}, ${ratio(Number(grown.large) / Number(grown.small))}`,
);
rmSync(huge.agentDir, { recursive: true });
const enormous = corpus("enormous", 1, 2e9);
const megabytes = ({ peakMb, ms: time }: Outcome) => `${peakMb.toFixed(0)} MB, ${(time / 1000).toFixed(1)} s`;
const listed = run("list", enormous, fresh("enormous"));
report("one 2 GB session, list, peak memory", "under 200 MB", megabytes(listed));
const numbered = run("numbers", enormous, join(folder, "cache-enormous"));
report("the same, its numbers, peak memory", "under 200 MB", megabytes(numbered));
rmSync(folder, { recursive: true });
