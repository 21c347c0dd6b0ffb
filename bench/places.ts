import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SILENT_HOST, writeDelayedSsh } from "./delayed-ssh.ts";
import { median, ms, row } from "./key-medians.ts";
import { measureBrowser } from "./places-browser.ts";
import type { ClientRun, HostTimes } from "./places-client.ts";
import { runShell } from "./shell-run.ts";
import { makeHome } from "./small-sessions.ts";

/**
 * Ten machines with 3,000 sessions each, which are ten homes on this one behind an `ssh` that adds 50 ms in each direction: their rows,
 * a word found on all of them, the memory of the client, and what a machine costs that never answers. All of them work on the cores of
 * this machine, so each is also measured alone. Run with `npm run bench -- places`; with `--keep`, the homes stay for another run.
 */
const HOSTS = 10;
const SESSIONS = 3000;
const DELAY_MS = 50;
/** Every so many sessions have the rare word. */
const RARE_EVERY = 150;
const WORDS = ["zebra", "retry"];
const ROUNDS = 3;

const folder = join(tmpdir(), "pi-grove-bench-places");
const homes = join(folder, "homes");
const program = join(import.meta.dirname, "..", "dist", "cli.js");
const names = Array.from({ length: HOSTS }, (_, index) => `host${index}`);

const isKept = process.argv.includes("--keep");
if (!isKept) rmSync(folder, { recursive: true, force: true });
if (!existsSync(homes))
	for (const [index, name] of names.entries()) {
		const env = makeHome(join(homes, name), SESSIONS, false, index + 1);
		plant(join(homes, name));
		// Known and counted, as on a machine that somebody works on.
		execFileSync(process.execPath, [program, "list", "--json"], { env, maxBuffer: 1 << 30 });
	}
const bin = writeDelayedSsh(folder, homes, program, DELAY_MS);
const own = join(folder, "own");
mkdirSync(join(own, ".pi", "agent", "sessions"), { recursive: true });
const env = { HOME: own, PATH: `${bin}:${process.env.PATH}`, TERM: "dumb" };

/** Adds an entry with the rare word to some sessions of a home. */
function plant(home: string): void {
	const paths = execFileSync("find", [home, "-name", "*.jsonl"], { encoding: "utf8", maxBuffer: 1 << 30 }).trim();
	for (const [index, path] of paths.split("\n").sort().entries()) {
		if (index % RARE_EVERY !== 0) continue;
		const message = { role: "user", content: [{ type: "text", text: "Where is the zebra?" }], timestamp: 0 };
		const line = {
			type: "message",
			id: "00000003",
			parentId: "00000002",
			timestamp: "2026-11-20T00:00:00.000Z",
			message,
		};
		appendFileSync(path, `${JSON.stringify(line)}\n`);
	}
}

/** Asks hosts at once, in a process of its own. */
async function ask(hosts: readonly string[]): Promise<ClientRun & { readonly hostWork: number }> {
	for (const name of hosts) rmSync(join(homes, `${name}.work`), { force: true });
	const client = join(import.meta.dirname, "places-client.ts");
	const out = execFileSync(process.execPath, [client, hosts.join(","), ...WORDS], { env, encoding: "utf8" });
	const works: number[] = [];
	for (const name of hosts) if (name !== SILENT_HOST) works.push(await workOf(name));
	return { ...(JSON.parse(out) as ClientRun), hostWork: works.reduce((sum, one) => sum + one, 0) };
}

/** What the server of a host has worked, in ms, once it has ended. */
async function workOf(name: string): Promise<number> {
	const file = join(homes, `${name}.work`);
	while (!existsSync(file)) await delay(10);
	// The second line has the times of what the shell has run: "0m1.230000s 0m0.120000s".
	const times =
		readFileSync(file, "utf8")
			.split("\n")[1]
			?.matchAll(/(\d+)m([\d.]+)s/g) ?? [];
	return [...times].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0);
}

const slowest = ({ hosts }: ClientRun, of: (one: ClientRun["hosts"][number]) => number): number =>
	Math.max(...hosts.map(of));
/** The median of a value over some runs. */
const typical = <Run>(runs: readonly Run[], of: (run: Run) => number): number => median(runs.map(of));
const alone: ClientRun[] = [];
const rounds: { readonly together: Awaited<ReturnType<typeof ask>>; readonly withSilent: ClientRun }[] = [];
for (let round = 0; round < ROUNDS; round++) {
	// In turn, because the machine may have other work.
	for (const [index, name] of names.entries()) if (index % ROUNDS === round) alone.push(await ask([name]));
	rounds.push({ together: await ask(names), withSilent: await ask([...names, SILENT_HOST]) });
}
for (const { rows } of rounds.flatMap(({ together }) => together.hosts))
	if (rows !== SESSIONS) throw new Error(`a host has listed ${rows} sessions, not ${SESSIONS}`);

/** Part of a host's times, and what the client works for that part of all hosts. */
interface Part {
	readonly name: string;
	readonly goal?: string;
	readonly of: (host: HostTimes) => number;
	readonly work?: (client: ClientRun["worked"]) => number;
}

const parts: readonly Part[] = [
	{ name: "connected", of: (host) => host.hello },
	{
		name: "first rows of all, connecting included",
		goal: "1000 ms",
		of: (host) => host.first,
		work: (client) => client.first,
	},
	{ name: "all rows of all", of: (host) => host.listed, work: (client) => client.listed },
	...WORDS.map((word, index) => ({
		name: `\`${word}\` found on all`,
		goal: "1.5 × the slowest alone",
		of: (host: HostTimes) => host.searches[index]?.ms ?? 0,
		work: (client: ClientRun["worked"]) => client.searches[index] ?? 0,
	})),
];
for (const { name, goal = "", of, work } of parts) {
	// All are alike, so the slowest one is only the one that was disturbed most.
	const one = typical(alone, (run) => slowest(run, of));
	const all = typical(rounds, ({ together }) => slowest(together, of));
	const withSilent = typical(rounds, (round) => slowest(round.withSilent, of));
	const here = `${HOSTS} on ${cpus().length} cores ${ms(all)} (${(all / one).toFixed(1)} ×), with one more that never answers ${ms(withSilent)}`;
	if (work === undefined) {
		row(name, goal, `one alone ${ms(one)}; ${here}`);
		continue;
	}
	// Machines of their own do not wait for each other, and the client works for all of them at worst behind the last answer.
	const own = typical(rounds, ({ together }) => work(together.worked));
	const most = `${HOSTS} machines at most ${ms(one + own)} (${((one + own) / one).toFixed(1)} ×), of which the client works ${ms(own)}`;
	row(name, goal, `one alone ${ms(one)}; ${most}; ${here}`);
}
row(
	"peak memory of the client with the rows of one host",
	"",
	`${typical(alone, ({ peakMb }) => peakMb).toFixed(0)} MB`,
);
const together = rounds.map((round) => round.together);
row("what all hosts work for that together", "", ms(typical(together, ({ hostWork }) => hostWork)));
row(`the same with those of ${HOSTS}`, "300 MB", `${typical(together, ({ peakMb }) => peakMb).toFixed(0)} MB`);

const file = join(own, ".config", "pi-grove", "places.json");
mkdirSync(join(file, ".."), { recursive: true });
writeFileSync(file, JSON.stringify(names.map((name) => ({ name, ssh: name }))));
for (const args of [["list"], ["search", "zebra"], ["search", "--limit", "20", "retry"], ["stats"]]) {
	const runs = [];
	for (let round = 0; round < ROUNDS; round++) runs.push(await runShell(program, env, [...args, "--place", "all"]));
	const failed = runs.find(({ code }) => code !== 0);
	if (failed !== undefined) throw new Error(`${args.join(" ")} ended with ${failed.code}`);
	const peak = Math.max(...runs.map(({ peakMb }) => peakMb));
	const [took, worked] = [typical(runs, (run) => run.took), typical(runs, (run) => run.worked)];
	const result = `${ms(took)} by the clock, ${ms(worked)} on a processor; ${peak} MB`;
	row(`\`pi-grove ${args.join(" ")} --place all\``, "300 MB", result);
}
await measureBrowser(program, { ...env, TERM: "xterm-256color" }, names, HOSTS * SESSIONS);
if (!isKept) rmSync(folder, { recursive: true, force: true });
