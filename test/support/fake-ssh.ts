import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { type ConnectionOptions, PlaceConnection } from "../../src/catalog/places/connection.ts";
import type { HostPlace } from "../../src/catalog/places/place.ts";
import { isRunning } from "../../src/shared/system.ts";
import { tempDir } from "./temp-dir.ts";

const HELLO = JSON.stringify({
	type: "hello",
	protocol: 1,
	oldest: 1,
	version: "9.9.9",
	home: "/home/bo",
	sessions: "/home/bo/s",
	now: 1,
});

/** A row as a server sends it. */
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
	writeFileSync(join(dir, "hello"), `${HELLO}\n`);
	const write = (text: string): void => {
		const noted = `echo $$ > pid\necho $$ >> pids\nprintf '%s\\n' "$@" > arguments`;
		writeFileSync(join(bin, "ssh"), `#!/bin/sh\ncd ${dir}\n${noted}\n${text}\n`);
	};
	write(script);
	chmodSync(join(bin, "ssh"), 0o755);
	const options: ConnectionOptions = {
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
		open: (place: Partial<HostPlace> = {}, more: Partial<ConnectionOptions> = {}) =>
			PlaceConnection.open({ kind: "ssh", name: "mini", host: "mini.local", ...place }, { ...options, ...more }),
		arguments: () => linesOf("arguments"),
		pid: () => Number(linesOf("pid")[0]),
		/** The processes that were started. */
		pids: () => linesOf("pids").map(Number),
	};
}

/** Answers the first request with these lines, and then waits. */
export const answering = (...answers: readonly object[]): string =>
	`cat hello; read request; cat <<'END'\n${answers.map((one) => JSON.stringify(one)).join("\n")}\nEND\ncat > rest`;

/** A server in JavaScript: `source` sets `on.TYPE = (request) => …` for the requests that it answers, by `send(answer)`. */
export function answeringBy(source: string): string {
	const program = `
		const on = {};
		const write = (text) => process.stdout.write(text);
		const send = (...answers) => write(answers.map((one) => JSON.stringify(one) + "\\n").join(""));
		const row = (fields) => ({ ...${JSON.stringify(ROW)}, ...fields });
		${source}
		write(require("node:fs").readFileSync("hello"));
		require("node:readline").createInterface({ input: process.stdin })
			.on("line", (line) => { const request = JSON.parse(line); on[request.type]?.(request); })
			.on("close", () => process.exit());`;
	return `cat > host.cjs <<'END'\n${program}\nEND\nexec ${process.execPath} host.cjs`;
}

/** Resolves when a process has ended. */
export const ended = (pid: number): Promise<void> =>
	vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 60_000 });
