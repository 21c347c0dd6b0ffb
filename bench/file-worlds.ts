import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/*
 * Repositories, the sessions that worked in them, and a `git` that counts how often it is started.
 */

export interface World {
	readonly cwd: string;
	/** The session's file. */
	readonly session: string;
	/** The file that is asked about. */
	readonly file: string;
}

interface Step {
	readonly name: "read" | "write" | "edit";
	readonly args: object;
	readonly text: string;
	readonly details?: object;
}

const HOUR_MS = 3_600_000;

/** Writes a session whose steps came one a second, with a prompt before every tenth; returns its path. */
function writeSession(home: string, cwd: string, name: string, steps: Iterable<Step>): string {
	const lines: object[] = [];
	let timeMs = Date.now() - 2 * HOUR_MS;
	const add = (message: object): void => {
		timeMs += 500;
		const [id, parentId] = [lines.length, lines.length - 1].map((one) => one.toString(16).padStart(8, "0"));
		const timestamp = new Date(timeMs).toISOString();
		lines.push({ type: "message", id, parentId: lines.length === 1 ? null : parentId, timestamp, message });
	};
	lines.push({ type: "session", version: 3, id: name, timestamp: new Date(timeMs).toISOString(), cwd });
	for (const [at, { name: toolName, args, text, details }] of [...steps].entries()) {
		if (at % 10 === 0) add({ role: "user", content: [{ type: "text", text: `Go on with part ${at}` }] });
		const call = { type: "toolCall", id: `toolu_${at}`, name: toolName, arguments: args };
		add({ role: "assistant", content: [call], stopReason: "toolUse" });
		const content = [{ type: "text", text }];
		add({ role: "toolResult", toolCallId: call.id, toolName, content, ...(details && { details }), isError: false });
	}
	const path = join(home, ".pi", "agent", "sessions", `--bench-${name}--`, `2026-01-01T00-00-00-000Z_${name}.jsonl`);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
	return path;
}

function git(cwd: string, ...args: readonly string[]): void {
	const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"];
	execFileSync("git", [...who, "-C", cwd, ...args], { stdio: "ignore" });
}

function put(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

function lineOf(at: number, value: number): string {
	return `export const value${at} = compute(${at}, ${value}); // of the part that is number ${at}`;
}

function textOf(count: number, value = 0): string {
	return `${Array.from({ length: count }, (_, at) => lineOf(at, value)).join("\n")}\n`;
}

/** A session that writes so many files in a repository whose first commit, of all of them, came later. */
export function scaffolded(home: string, count: number): World {
	const cwd = join(home, "scaffolded");
	const files = Array.from(
		{ length: count },
		(_, at) => [`src/part-${at % 50}/file-${at}.ts`, textOf(60, at)] as const,
	);
	for (const [name, text] of files) put(join(cwd, name), text);
	const session = writeSession(
		home,
		cwd,
		"scaffolded",
		files.map(([path, content]) => ({ name: "write", args: { path, content }, text: `Successfully wrote to ${path}` })),
	);
	git(cwd, "init");
	git(cwd, "add", "-A");
	git(cwd, "commit", "-m", "Begin");
	return { cwd, session, file: join(cwd, files[0]?.[0] ?? "") };
}

/** A file of so many commits that no session names, beside one that a session wrote. */
export function byHand(home: string, commits: number): World {
	const cwd = join(home, "by-hand");
	const file = join(cwd, "src", "by-hand.ts");
	const lines = textOf(2000).split("\n");
	mkdirSync(cwd, { recursive: true });
	git(cwd, "init");
	for (let commit = 0; commit < commits; commit++) {
		for (let at = commit; at < lines.length - 1; at += commits) lines[at] = lineOf(at, commit);
		put(file, lines.join("\n"));
		git(cwd, "add", "-A");
		git(cwd, "commit", "-m", `Compute ${commit}`);
	}
	const args = { path: "src/other.ts", content: textOf(20, 7) };
	const session = writeSession(home, cwd, "by-hand", [{ name: "write", args, text: "Successfully wrote" }]);
	return { cwd, session, file };
}

/** A file that a session wrote and then edited so often. */
export function edited(home: string, count: number): World {
	const cwd = join(home, "edited");
	const path = "src/edited.ts";
	const lines = textOf(800).split("\n");
	const steps: Step[] = [{ name: "write", args: { path, content: lines.join("\n") }, text: "Successfully wrote" }];
	for (let edit = 0; edit < count; edit++) {
		const at = (edit * 37) % (lines.length - 1);
		const [oldText = "", newText] = [lines[at], lineOf(at, edit + 1)];
		lines[at] = newText;
		const details = { diff: `-${at + 1} ${oldText}\n+${at + 1} ${newText}`, firstChangedLine: at + 1 };
		steps.push({ name: "edit", args: { path, edits: [{ oldText, newText }] }, text: "Successfully replaced", details });
	}
	put(join(cwd, path), lines.join("\n"));
	const session = writeSession(home, cwd, "edited", steps);
	git(cwd, "init");
	git(cwd, "add", "-A");
	git(cwd, "commit", "-m", "Begin");
	return { cwd, session, file: join(cwd, path) };
}

/** A `git` to be found before the system's; returns how often it was started since it was last asked. */
export function countingGit(directory: string): { readonly path: string; readonly count: () => number } {
	const log = join(directory, "started");
	const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
	put(join(directory, "git"), `#!/bin/sh\necho "$@" >>'${log}'\nexec '${real}' "$@"\n`);
	chmodSync(join(directory, "git"), 0o755);
	writeFileSync(log, "");
	return {
		path: `${directory}:${process.env.PATH}`,
		count: () => {
			const started = readFileSync(log, "utf8").split("\n").length - 1;
			writeFileSync(log, "");
			return started;
		},
	};
}
