import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { build, type Plugin } from "esbuild";
import { makeCorpus } from "./corpus.ts";
import { isSearched, titleOf } from "./screen-terminal.ts";

/**
 * Measures the time from the start of the process to the first complete screen in a pseudo-terminal, warm, against an
 * empty Ink program in the same terminal, and the peak memory of the whole program, cold and warm. Run with
 * `npm run bench -- screen`.
 */
const folder = join(tmpdir(), "pi-grove-bench-screen");
const size = { cols: 160, rows: 45 };
const RUNS = 9;
const sessions = 10_000;

interface Run {
	readonly ms: number;
	/** Of the whole process, all threads; 0 where the system does not report it. */
	readonly peakMb: number;
}

/** Starts a program, waits until its screen is complete and then `stay` milliseconds longer, and ends it. */
function show(
	args: readonly string[],
	env: NodeJS.ProcessEnv,
	complete: (screen: string) => boolean,
	stay = 0,
): Promise<Run> {
	const terminal = new xterm.Terminal({ ...size, allowProposedApi: true });
	const began = performance.now();
	const child = spawn(process.execPath, [...args], { ...size, name: "xterm-256color", env: { ...env, CI: undefined } });
	return new Promise((resolve, reject) => {
		let done = false;
		child.onExit(({ exitCode }) => {
			if (!done)
				reject(new Error(`${args[0]} ended with ${exitCode} before its screen was complete:\n${textOf(terminal)}`));
		});
		child.onData((data) =>
			terminal.write(data, () => {
				if (done || !complete(textOf(terminal))) return;
				done = true;
				const ms = performance.now() - began;
				setTimeout(() => {
					const peakMb = peakOf(child.pid);
					child.onExit(() => resolve({ ms, peakMb }));
					child.kill("SIGTERM");
				}, stay);
			}),
		);
	});
}

function textOf(terminal: InstanceType<typeof xterm.Terminal>): string {
	const buffer = terminal.buffer.active;
	return Array.from(
		{ length: size.rows },
		(_, row) => buffer.getLine(buffer.baseY + row)?.translateToString() ?? "",
	).join("\n");
}

function statusOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/status`, "utf8");
	} catch {
		// It has just ended.
		return "";
	}
}

function peakOf(pid: number): number {
	if (process.platform !== "linux") return 0;
	const [, kilobytes = "0"] = /VmHWM:\s+(\d+) kB/.exec(statusOf(pid)) ?? [];
	return Math.round(Number(kilobytes) / 1024);
}

/** Ink loads React's developer tools from here, which are not installed. */
const withoutDevtools: Plugin = {
	name: "without-devtools",
	setup(bundler) {
		bundler.onLoad({ filter: /ink[\\/]build[\\/]devtools\.js$/ }, () => ({ contents: "export {};" }));
	},
};

/** Whether everything is there: the count of all sessions, a full list, the first session's tree, the keys. */
function isComplete(screen: string): boolean {
	const count = `${sessions.toLocaleString("en-US")} sessions`;
	return screen.includes(count) && /◂ (?:end|pi continues here)/.test(screen) && screen.includes("ctrl+k commands");
}

/** What a user may do in the first seconds: search while the first listing and the counting are running. */
async function searchWhileListing(program: readonly string[]): Promise<void> {
	const home = join(folder, "large-home");
	makeCorpus({ agentDir: join(home, ".pi", "agent"), sessions: 3000, bytes: 1.3e9 });
	const env = { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color" };
	const terminal = new xterm.Terminal({ ...size, allowProposedApi: true });
	const child = spawn(process.execPath, [...program], { ...size, name: "xterm-256color", env });
	let ripgrepMb = 0;
	const sampling = setInterval(() => {
		ripgrepMb = Math.max(ripgrepMb, ...childrenOf(child.pid).filter(isRipgrep).map(peakOf));
	}, 5);
	const until = (holds: (screen: string) => boolean): Promise<void> =>
		new Promise((resolve) => {
			const listening = child.onData((data) =>
				terminal.write(data, () => {
					if (!holds(textOf(terminal))) return;
					listening.dispose();
					resolve();
				}),
			);
		});
	await until((screen) => screen.includes("reading"));
	for (const query of ["retry loop", "session", "branch tree"]) {
		child.write(query);
		await until((screen) => isSearched(screen, query));
		child.write("\x1b");
		await until((screen) => titleOf(screen).includes("type to search"));
	}
	const searched = peakOf(child.pid);
	await until((screen) => screen.includes("3,000 sessions") && !/reading|counting/.test(screen));
	const peakMb = peakOf(child.pid);
	clearInterval(sampling);
	child.kill("SIGTERM");
	const row = [
		"pi-grove, listing 1.3 GB cold, searching, counting, peak memory",
		"at most 300 MB, 250 after the searches, ripgrep 30",
		`${peakMb} MB (${searched} MB after the searches), ripgrep ${ripgrepMb} MB`,
	];
	process.stdout.write(`| ${row.join(" | ")} |\n`);
}

/** Until a new process runs its own program, it is a copy of the one that started it. */
function isRipgrep(pid: number): boolean {
	return statusOf(pid).startsWith("Name:\trg\n");
}

/** Processes that a program has started and that are still running. */
function childrenOf(pid: number): number[] {
	try {
		return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
			readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
		);
	} catch {
		// No /proc on this system, or it has just ended.
		return [];
	}
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function measure(): Promise<void> {
	const home = join(folder, "home");
	rmSync(folder, { recursive: true, force: true });
	makeCorpus({ agentDir: join(home, ".pi", "agent"), sessions, bytes: 4e8 });
	const empty = join(folder, "empty.js");
	await build({
		entryPoints: [join(import.meta.dirname, "empty-ink.tsx")],
		outfile: empty,
		bundle: true,
		format: "esm",
		platform: "node",
		minify: true,
		jsx: "automatic",
		define: { "process.env.NODE_ENV": '"production"' },
		banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
		plugins: [withoutDevtools],
	});
	const program = [join(import.meta.dirname, "..", "dist", "cli.js")];
	const env = { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color" };
	const cold = await show(program, env, isComplete, 1000);
	// Sessions are counted in the background; this measures a catalog that is idle.
	spawnSync(process.execPath, [...program, "stats"], { env });
	const warm: Run[] = [];
	const least: Run[] = [];
	for (let run = 0; run < RUNS; run++) {
		least.push(await show([empty], env, (screen) => screen.includes("ready")));
		warm.push(await show(program, env, isComplete));
	}
	const ours = median(warm.map(({ ms }) => ms));
	const theirs = median(least.map(({ ms }) => ms));
	const rows = [
		[
			"an empty Ink program, first screen",
			"",
			`${theirs.toFixed(0)} ms, ${median(least.map(({ peakMb }) => peakMb))} MB`,
		],
		[
			"pi-grove, warm, first complete screen at 10,000 sessions, against it",
			"within 1.5 ×",
			`${ours.toFixed(0)} ms, ${(ours / theirs).toFixed(2)} ×`,
		],
		["the same, peak memory", "under 200 MB", `${median(warm.map(({ peakMb }) => peakMb))} MB`],
		["pi-grove, cold, complete screen", "", `${cold.ms.toFixed(0)} ms, ${cold.peakMb} MB`],
	];
	for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`);
	await searchWhileListing(program);
	rmSync(folder, { recursive: true, force: true });
}

await measure();
