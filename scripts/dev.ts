/**
 * Rebuilds and restarts the browser when a source changes, until it is quit. Arguments are passed on:
 *
 *   npm run dev -- --demo
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";

const SOURCES = ["src", "components", "hooks", "demo", "scripts", "package.json", "esbuild.config.mjs"];
/** An editor writes several files, and each more than once. */
const SETTLE_MS = 100;

let browser: ChildProcess | undefined;
let restarting = Promise.resolve();
let timer: NodeJS.Timeout | undefined;

for (const path of SOURCES) {
	watch(path, { recursive: true }, () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			restarting = restarting.then(restart);
		}, SETTLE_MS);
	});
}
start();

async function restart(): Promise<void> {
	const old = browser;
	browser = undefined;
	if (old) {
		const ended = once(old, "exit");
		old.kill();
		await ended;
	}
	start();
}

/** Builds as for users, and opens the browser. When the build fails, it says why, and the next change tries again. */
function start(): void {
	if (spawnSync(process.execPath, ["esbuild.config.mjs"], { stdio: "inherit" }).status !== 0) return;
	const child = spawn(process.execPath, ["dist/cli.js", ...process.argv.slice(2)], { stdio: "inherit" });
	child.once("exit", (code) => {
		// Ended by the person, not by a change.
		if (child === browser) process.exit(code ?? 1);
	});
	browser = child;
}
