import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { explain } from "../../store/files/store-error.ts";
import type { Env } from "../../store/read/session-dir.ts";
import type { SessionRoots } from "../model/session-roots.ts";
import type { DirectoryPlace, HostPlace } from "./place.ts";
import { serve } from "./serve.ts";

/** A way to a server: lines of JSON in both directions. */
export interface Transport {
	/** What is asked. */
	readonly input: Writable;
	/** What is answered. */
	readonly output: Readable;
	/** Resolves to the reason when it has ended, as a part of a sentence. */
	readonly ended: Promise<string>;
	/** Ends it; called more than once it does nothing. */
	end(): void;
}

/** Characters of what ssh printed, the last ones, that are in the reason. */
const MAX_SAID = 2000;
/** Milliseconds between asking ssh to end and killing it. */
const KILL_MS = 1000;

/** Starts `pi-grove serve --stdio` on another machine by ssh, which never asks for a password here. */
export function overSsh(place: HostPlace, env: Env = process.env): Transport {
	const child = spawn("ssh", sshArguments(place), { env, stdio: ["pipe", "pipe", "pipe"] });
	const ended = Promise.withResolvers<string>();
	let said = "";
	child.stderr.on("data", (chunk: Buffer) => {
		said = (said + chunk.toString("utf8")).slice(-MAX_SAID);
	});
	child.on("error", (error) => ended.resolve(`ssh cannot be started: ${error.message}`));
	child.on("close", (code) => ended.resolve(reasonOf(place, code, said.trim())));
	// Writing to a process that has ended; `close` says why.
	child.stdin.on("error", () => undefined);
	const end = (): void => {
		// What it still says is not read: a process behind it, such as a ProxyCommand, might go on for ever.
		child.stdout.destroy();
		child.stderr.destroy();
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.stdin.end();
		child.kill("SIGTERM");
		setTimeout(() => child.kill("SIGKILL"), KILL_MS).unref();
	};
	return { input: child.stdin, output: child.stdout, ended: ended.promise, end };
}

/** Gives up on a machine that cannot be reached, or is gone. */
function sshArguments({ host, command = "pi-grove" }: HostPlace): string[] {
	const options = ["BatchMode=yes", "ConnectTimeout=5", "ServerAliveInterval=5", "ServerAliveCountMax=3"];
	return ["-T", "-C", ...options.flatMap((option) => ["-o", option]), "--", host, `${command} serve --stdio`];
}

/** The exit code of a shell that did not find a command. */
const NOT_FOUND = 127;

/** Why ssh has ended, in its own words if it said something. */
function reasonOf({ host, command = "pi-grove" }: HostPlace, code: number | null, said: string): string {
	const why = said === "" ? `ssh ended with ${code ?? "a signal"}` : said.replace(/\s*\n\s*/g, "; ");
	if (code !== NOT_FOUND) return why;
	const install = `\`ssh ${host} npm install --global pi-grove\` installs it`;
	return `${command} was not found there (${why}); ${install}, or give the place the command that starts it`;
}

export interface DirectoryOptions {
	readonly home: string;
	readonly cacheDir: string;
	readonly stateDir: string;
}

/** Serves a directory of this machine in this process. */
export function inProcess({ path }: DirectoryPlace, { home, cacheDir, stateDir }: DirectoryOptions): Transport {
	const [input, output] = [new PassThrough(), new PassThrough()];
	const ended = directoryRoots(path)
		.then((sessionRoots) => serve(input, output, { sessionRoots, home, cacheDir, stateDir }))
		.then(
			() => "it was closed",
			(error: unknown) => `${path} cannot be read: ${explain(error)}`,
		);
	return { input, output, ended, end: () => input.end() };
}

/** Where the sessions of a directory are: in an agent directory, in directories of projects, or directly in it. Rejects without it. */
async function directoryRoots(path: string): Promise<SessionRoots> {
	const found = await readdir(path, { withFileTypes: true });
	const shared = { agentDir: path, problems: [] };
	if (found.some((one) => one.name === "sessions" && !one.isFile()))
		return { kind: "default", root: join(path, "sessions"), ...shared };
	const isFlat = found.some((one) => !one.isDirectory() && one.name.endsWith(".jsonl"));
	return isFlat ? { kind: "custom", dir: path, ...shared } : { kind: "default", root: path, ...shared };
}
