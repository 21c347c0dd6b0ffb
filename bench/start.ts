import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCorpus } from "./corpus.ts";

/**
 * What a start costs, each as a whole process against another one of the same run, in turn: `npm run bench -- start`. pi's own list is
 * measured if `npm run test:compat` has unpacked pi.
 */
const folder = join(tmpdir(), "pi-grove-bench-start");
const RUNS = 15;
const root = join(import.meta.dirname, "..");
const cli = join(root, "dist", "cli.js");
const pi = join(root, "test/compat/pi-1.5.2/node_modules/@earendil-works/pi-coding-agent/dist/bundle/index.js");

const home = join(folder, "home");
const agentDir = join(home, ".pi", "agent");
const cacheDir = join(home, ".cache", "pi-grove");
const env = { PATH: process.env.PATH, HOME: home, PI_OFFLINE: "1" };

/** Milliseconds from the start of a process to its end. */
function timeOf(args: readonly string[]): number {
	const began = performance.now();
	const { status, stderr } = spawnSync(process.execPath, [...args], { env, encoding: "utf8", maxBuffer: 1e8 });
	if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
	return performance.now() - began;
}

/** The medians of programs that run in turn, so that what else the machine does is shared. `prepare` is called before each. */
function medians(programs: readonly (readonly string[])[], runs = RUNS, prepare = () => {}): number[] {
	const times = programs.map((): number[] => []);
	for (let run = 0; run <= runs; run++) {
		for (const [index, args] of programs.entries()) {
			prepare();
			const ms = timeOf(args);
			// The first run of each fills the system's cache.
			if (run > 0) times[index]?.push(ms);
		}
	}
	return times.map((all) => all.sort((one, other) => one - other)[all.length >> 1] ?? Number.NaN);
}

const ms = (value: number) => `${value.toFixed(0)} ms`;
const report = (...cells: string[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
try {
	const empty = join(folder, "empty.mjs");
	writeFileSync(empty, "");
	makeCorpus({ agentDir, sessions: 3000, bytes: 1.3e9 });
	report("measure", "goal", "result");
	report("---", "---", "---");

	const list = [cli, "list", "--limit", "1"];
	// Twice: Node keeps compiled code from the second start on.
	timeOf(list);
	timeOf(list);
	const [node = Number.NaN, version = 0, help = 0, completion = 0, known = 0] = medians([
		[empty],
		[cli, "--version"],
		[cli, "--help"],
		[cli, "__complete", "--", "li"],
		list,
	]);
	report("Node with an empty file", "", ms(node));
	for (const [name, time] of [
		["--version", version],
		["--help", help],
		["a completion", completion],
	] as const)
		report(`${name}, more than that`, "≤ 15 ms", ms(time - node));
	report(
		"list --limit 1 of 3,000 known sessions, against it",
		"within 4 ×",
		`${ms(known)}, ${(known / node).toFixed(1)} ×`,
	);

	const forget = () => rmSync(cacheDir, { recursive: true, force: true });
	const [first = Number.NaN] = medians([list], 5, forget);
	if (existsSync(pi)) {
		const all = join(folder, "pi.mjs");
		const script = `const { SessionManager } = await import(${JSON.stringify(pi)});
			if ((await SessionManager.listAll()).length !== 3000) process.exitCode = 1; else process.exit(0);`;
		writeFileSync(all, script);
		const [theirs = Number.NaN] = medians([[all]], 3);
		report(
			"the first list ever, 1.3 GB, against pi's own",
			"8 × as fast",
			`${ms(first)}, ${(theirs / first).toFixed(1)} ×`,
		);
	} else report("the first list ever, 1.3 GB", "", `${ms(first)} (npm run test:compat unpacks pi to compare with)`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
