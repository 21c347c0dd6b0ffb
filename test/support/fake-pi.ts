import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** A process that hides its arguments behind the title "pi", as pi does; ended after the test. */
export interface FakePi {
	readonly pid: number;
	/** Runs a command as pi's bash tool does; resolves once it runs. */
	runCommand(session: string): Promise<void>;
	/** Opens a file for appending and keeps it open; resolves once it is open. */
	open(path: string): Promise<void>;
	/** Ends it; resolves once it has ended. */
	end(): Promise<void>;
}

/** Answers each line of its input, once it is done, with a line. */
const SCRIPT = `
	const { spawn } = require("node:child_process");
	const { openSync } = require("node:fs");
	process.title = process.env.TITLE;
	const done = () => process.stdout.write("done\\n");
	require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
		const [what, path] = JSON.parse(line);
		if (what === "open") { openSync(path, "a"); return done(); }
		const env = { ...process.env, PI_SESSION_FILE: path };
		// It ends when its input does, with this process.
		spawn("cat", { env, stdio: ["pipe", "ignore", "ignore"] }).once("spawn", done);
	}).once("close", () => process.exit());
	done();`;

/** Starts one in a directory, and waits until it has its title, which is "pi" unless the environment says otherwise. */
export async function startFakePi(
	cwd: string,
	args: readonly string[] = [],
	env: { readonly TITLE?: string; readonly PI_SESSION_FILE?: string; readonly PI_CODING_AGENT_DIR?: string } = {},
): Promise<FakePi> {
	const child = spawn(process.execPath, ["-e", SCRIPT, "--", ...args], {
		cwd,
		env: { ...process.env, TITLE: "pi", PI_SESSION_FILE: undefined, ...env },
		stdio: ["pipe", "pipe", "inherit"],
		detached: true,
	});
	onTestFinished(() => end(child));
	const ask = async (...request: readonly string[]): Promise<void> => {
		child.stdin.write(`${JSON.stringify(request)}\n`);
		await once(child.stdout, "data");
	};
	await once(child.stdout, "data");
	return {
		pid: child.pid ?? 0,
		runCommand: (session) => ask("run", session),
		open: (path) => ask("open", path),
		end: () => end(child),
	};
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, "exit");
	child.kill("SIGKILL");
	await ended;
}
