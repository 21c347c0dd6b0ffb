import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { type Corpus, makeCorpus } from "./corpus.ts";

/** All measurements of the catalog in one run on one machine: `npm run bench`. See bench/README.md. */

const folder = join(tmpdir(), "pi-grove-bench");
const sizes = { sessions: 3000, bytes: 1.3e9 };
const typed = ["retry loop", "session tree", "zzq"];

interface Outcome {
	readonly ms: number;
	readonly peakMb: number;
	readonly [more: string]: unknown;
}

/** The tasks are measured as they are shipped: bundled, without the compiler at run time. */
const program = join(folder, "program");
await build({
	entryPoints: {
		task: join(import.meta.dirname, "task.ts"),
		"scan-worker": join(import.meta.dirname, "../src/catalog/scan-worker.ts"),
		"scan-helper": join(import.meta.dirname, "../src/catalog/scan-helper.ts"),
		"search-worker": join(import.meta.dirname, "../src/catalog/search-worker.ts"),
	},
	outdir: program,
	bundle: true,
	splitting: true,
	minify: true,
	format: "esm",
	platform: "node",
	target: "node22",
	chunkNames: "[name]-[hash]",
	banner: {
		js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
	},
});

function run(task: string, corpus: { agentDir: string }, cache: string, ...rest: string[]): Outcome {
	const args = [join(program, "task.js"), task, corpus.agentDir, cache, ...rest];
	const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1e8 });
	if (status !== 0) throw new Error(`bench task ${task} failed: ${stderr}`);
	// Printed by bench/task.ts.
	return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Outcome;
}

/** The best of some runs: what the machine does besides only makes them slower. */
function best(times: number, measure: () => Outcome): Outcome {
	const all = Array.from({ length: times }, measure);
	return all.reduce((a, b) => (Number(b.complete ?? b.ms) < Number(a.complete ?? a.ms) ? b : a));
}

function corpus(name: string, sessions: number, bytes: number): Corpus {
	const agentDir = join(folder, name);
	rmSync(agentDir, { recursive: true, force: true });
	return makeCorpus({ agentDir, sessions, bytes });
}

function fresh(name: string): string {
	const cache = join(folder, `cache-${name}`);
	rmSync(cache, { recursive: true, force: true });
	return cache;
}

/** The file's first line, lower case. */
function readHead(file: string): string {
	const fd = openSync(file, "r");
	const buffer = Buffer.alloc(1024);
	const read = readSync(fd, buffer);
	closeSync(fd);
	return buffer.toString("utf8", 0, read).split("\n")[0]?.toLowerCase() ?? "";
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

// Once before, so that all of it is in the system's cache for everybody.
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
	"warm list, all rows told, against the parse",
	"200 ×",
	`${ms(warm.told)}, ${ratio(plain.ms / Number(warm.told))}; the first ${ms(warm.first)}`,
);
report("warm list, compared with the disk", "", `${ms(warmed)}, ${ratio(plain.ms / warmed)}`);
report("cold list, peak memory of the process", "under 200 MB", `${cold.peakMb.toFixed(0)} MB`);

const smallCold = best(3, () => run("list", small, fresh("small")));
const smallWarm = best(3, () => run("list", small, join(folder, "cache-small")));
report("ten times the sessions, cold", "under 11 ×", ratio(complete / Number(smallCold.complete)));
report("ten times the sessions, warm, first rows", "under 2 ×", ratio(Number(warm.first) / Number(smallWarm.first)));

const cache = fresh("texts");
const texts = run("texts", large, cache);
report("storing all text for the search", "", `${(texts.ms / 1000).toFixed(1)} s, peak ${texts.peakMb.toFixed(0)} MB`);
// What bench/task.ts prints for the task "search".
const searching = run("search", large, cache, ...typed);
const keys = searching.keys as { query: string; first: number; second: number; found: number }[];
report(
	"search, first tier, per key",
	"median under 50 ms",
	`median ${ms(median(keys.map((key) => key.first)))}, worst ${ms(Math.max(...keys.map((key) => key.first)))}`,
);
if (existsSync("/usr/bin/rg")) {
	const ratios = keys.map(({ query, second }) => {
		const start = performance.now();
		spawnSync("/usr/bin/rg", ["-i", "-F", "-l", "--no-ignore", query, large.root], { stdio: "ignore" });
		return (performance.now() - start) / second;
	});
	// What is in each file's first line ("session", any letter) ripgrep answers from the first bytes of each file.
	const headers = large.files.map((file) => readHead(file));
	const inText = ratios.filter((_ratio, index) => headers.some((header) => !header.includes(keys[index]?.query ?? "")));
	const slower = keys.filter((_key, index) => (ratios[index] ?? 0) < 1).map(({ query }) => JSON.stringify(query));
	report(
		"search, both tiers, against `rg -i -F -l`",
		"faster",
		`median ${ratio(median(ratios))} faster, ${ratio(median(inText))} where the query is not in every file's first line; ` +
			`slower for ${slower.join(" ") || "none"}`,
	);
}
report("search, peak memory of the process", "", `${searching.peakMb.toFixed(0)} MB`);
for (const { query, first: one, second, found } of keys)
	process.stdout.write(`  ${query.padEnd(14)} ${ms(one).padStart(9)} ${ms(second).padStart(9)} ${found}\n`);

const huge = corpus("huge", 1, 1e9);
const appended = run("append", huge, fresh("huge"), huge.files[0] ?? "");
// What bench/task.ts prints for the task "append".
const { work, delays } = appended as unknown as { work: number[]; delays: number[] };
report("a line appended to a 1 GB session, work", "under 5 ms", ms(median(work)));
report("the same, from write to row", "under 200 ms", ms(median(delays)));
rmSync(huge.agentDir, { recursive: true });
const enormous = corpus("enormous", 1, 2e9);
const megabytes = ({ peakMb, ms: time }: Outcome) => `${peakMb.toFixed(0)} MB, ${(time / 1000).toFixed(1)} s`;
const listed = run("list", enormous, fresh("enormous"));
report("one 2 GB session, list, peak memory", "under 200 MB", megabytes(listed));
const stored = run("texts", enormous, join(folder, "cache-enormous"));
report("the same, storing its text, peak memory", "under 200 MB", megabytes(stored));
rmSync(folder, { recursive: true });
