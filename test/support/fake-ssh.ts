import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { HostConnection, type HostLimits } from "../../src/catalog/places/host-connection.ts";
import type { HostPlace } from "../../src/catalog/places/place.ts";
import { isRunning } from "../../src/shared/system.ts";
import { tempDir } from "./temp-dir.ts";

/** The first line of a server. */
export const HELLO = {
	hello: 2,
	oldest: 2,
	version: "9.9.9",
	home: "/home/bo",
	sessions: "/home/bo/s",
	now: 1,
};

/** A session as `list --json --raw` prints it. */
export const ROW = {
	path: "/s/one.jsonl",
	id: "aa",
	cwd: "/w",
	firstMessage: "hi",
	created: 1,
	modified: 2,
	messageCount: 1,
	size: 10,
	diagnostics: [],
};

/**
 * A program called ssh, which does what a server must not be trusted with, in a directory with its first line in the file "hello"; its
 * arguments and its process id are noted, and each start.
 */
export function fakeSsh(script: string) {
	const dir = tempDir();
	const bin = join(dir, "bin");
	mkdirSync(bin);
	writeFileSync(join(dir, "hello"), `${JSON.stringify(HELLO)}\n`);
	const write = (text: string): void => {
		// Whoever sees the file "pid" finds its number in it, and the other notes beside it.
		const noted = `echo $$ >> pids\nprintf '%s\\n' "$@" > arguments\necho $$ > pid.$$\nmv pid.$$ pid`;
		writeFileSync(join(bin, "ssh"), `#!/bin/sh\ncd ${dir}\n${noted}\n${text}\n`);
	};
	write(script);
	chmodSync(join(bin, "ssh"), 0o755);
	const options = {
		env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
		home: dir,
		cacheDir: join(dir, "cache"),
		stateDir: join(dir, "state"),
	};
	const linesOf = (name: string): string[] => readFileSync(join(dir, name), "utf8").trimEnd().split("\n");
	return {
		dir,
		bin,
		options,
		/** What it does from the next start on. */
		write,
		open: (place: Partial<HostPlace> = {}, limits: HostLimits = {}) =>
			new HostConnection({ kind: "ssh", name: "mini", host: "mini.local", ...place }, { ...options, ...limits }),
		arguments: () => linesOf("arguments"),
		pid: () => Number(linesOf("pid")[0]),
		/** The processes that were started. */
		pids: () => linesOf("pids").map(Number),
	};
}

/**
 * A server in JavaScript: `source` sets `on.COMMAND = (id, args) => …` for the commands that it runs, which print by `out(id, text)` and
 * end by `end(id, code)`, or print a whole list by `list(id, …items)`.
 */
export function answeringBy(source: string): string {
	const program = `
		const on = {};
		const write = (text) => process.stdout.write(text);
		const send = (...answers) => write(answers.map((one) => JSON.stringify(one) + "\\n").join(""));
		const out = (id, text) => send({ id, out: Buffer.from(text).toString("latin1") });
		const end = (id, code = 0) => send({ id, code });
		const list = (id, ...items) => {
			out(id, items.length === 0 ? "[]\\n" : "[\\n" + items.map((item) => JSON.stringify(item)).join(",\\n") + "\\n]\\n");
			end(id);
		};
		const row = (fields) => ({ ...${JSON.stringify(ROW)}, ...fields });
		const best = (text = "zebra") => ({ line: 1, entryId: "a", kind: "user", active: true, snippet: { text, ranges: [] } });
		const result = (path, text) => ({ path, rank: 1, modified: 1, count: 1, more: false, best: best(text) });
		${source}
		write(require("node:fs").readFileSync("hello"));
		require("node:readline").createInterface({ input: process.stdin })
			.on("line", (line) => { const { id, run: [command, ...args] = [] } = JSON.parse(line); on[command]?.(id, args); })
			.on("close", () => process.exit());`;
	return `cat > host.cjs <<'END'\n${program}\nEND\nexec ${process.execPath} host.cjs`;
}

/** Resolves when a process has ended. */
export const ended = (pid: number): Promise<void> =>
	vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 60_000 });
