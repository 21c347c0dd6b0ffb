import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeCorpus } from "./corpus.ts";
import { environmentIn, makeHome } from "./small-sessions.ts";

/** A home directory at the edge of what anyone may have. */
export interface Extreme {
	/** What it is, for a size. */
	readonly title: (size: number) => string;
	/** Its size when none is asked for; in bytes where `title` says so. */
	readonly size: number;
	/** Rows of the list. */
	readonly rows: (size: number) => number;
	/** Whether something in it is damaged. */
	readonly isDamaged?: true;
	/** Writes its files, the same ones for the same size; returns the environment of a program in it. */
	readonly make: (home: string, size: number) => NodeJS.ProcessEnv;
}

const PROJECT = "--home-dev-work-project-0--";
const HEADER = {
	...{ type: "session", version: 3, id: "0a1b2c3d-0000-7000-8000-000000000000" },
	...{ timestamp: "2026-01-05T08:00:00.000Z", cwd: "/home/dev/work/project-0" },
};

/** By what they are called on the command line. */
export const EXTREMES: Readonly<Record<string, Extreme>> = {
	chain: {
		title: (size) => `${many(size)} sessions, each a fork of the one before`,
		size: 20_000,
		rows: (size) => size,
		make: (home, size) => makeHome(home, size, true),
	},
	damaged: {
		title: (size) => `${many(size)} sessions with damaged lines`,
		size: 50_000,
		rows: (size) => size,
		isDamaged: true,
		make: (home, size) => writeFiles(home, size, (index) => [header(index), '{"type":"message","id":"0000', said(1)]),
	},
	others: {
		title: (size) => `${many(size)} files that are not sessions`,
		size: 50_000,
		rows: (size) => size,
		isDamaged: true,
		make: (home, size) => writeFiles(home, size, (index) => [JSON.stringify({ event: "start", index }), "not JSON"]),
	},
	many: {
		title: (size) => `${many(size)} sessions`,
		size: 100_000,
		rows: (size) => size,
		make: (home, size) => makeHome(home, size),
	},
	large: {
		title: (size) => `a session of ${megabytes(size)}`,
		size: 2e9,
		rows: () => 1,
		make: makeLarge,
	},
	labels: {
		title: (size) => `a session with ${many(size)} labels`,
		size: 1_000_000,
		rows: () => 1,
		make: (home, size) => writeLines(home, labeled(size)),
	},
	text: {
		title: (size) => `a session of ${megabytes(size)}, longer than a string may be`,
		size: 540e6,
		rows: () => 1,
		make: makeLarge,
	},
	line: {
		title: (size) => `a session with a line of ${megabytes(size)} among 100,000 entries in one chain`,
		size: 300e6,
		rows: () => 1,
		isDamaged: true,
		make: (home, size) => writeLines(home, withLongLine(size)),
	},
};

function makeLarge(home: string, size: number): NodeJS.ProcessEnv {
	makeCorpus({ agentDir: join(home, ".pi", "agent"), sessions: 1, bytes: size });
	return environmentIn(home);
}

/** Labels, one after the other, for each of 1,000 messages. */
function* labeled(labels: number): Generator<string> {
	const MESSAGES = 1000;
	for (let at = 1; at <= MESSAGES; at++) yield said(at);
	for (let at = 1; at <= labels; at++) {
		const place = MESSAGES + at;
		const targetId = idOf((at % MESSAGES) + 1);
		const label = `mark ${at}`;
		yield JSON.stringify({ type: "label", ...envelope(place), targetId, label });
	}
}

function* withLongLine(bytes: number): Generator<string> {
	const ENTRIES = 100_000;
	for (let at = 1; at <= ENTRIES; at++) yield said(at, at === ENTRIES / 2 ? "long ".repeat(bytes / 5) : undefined);
}

function envelope(at: number): object {
	const timestamp = new Date(Date.UTC(2026, 0, 5, 8) + at * 1000).toISOString();
	return { id: idOf(at), parentId: at === 1 ? null : idOf(at - 1), timestamp };
}

function idOf(at: number): string {
	return at.toString(16).padStart(8, "0");
}

/** A message, the child of the one before. */
function said(at: number, text = `What was said at ${at}.`): string {
	const role = at % 2 === 1 ? "user" : "assistant";
	const timestamp = Date.UTC(2026, 0, 5, 8) + at * 1000;
	const message = { role, content: [{ type: "text", text }], timestamp };
	return JSON.stringify({ type: "message", ...envelope(at), message });
}

function header(index: number): string {
	return JSON.stringify({ ...HEADER, id: `0a1b2c3d-0000-7000-8000-${idOf(index).padStart(12, "0")}` });
}

/** One session of these lines. */
function writeLines(home: string, lines: Iterable<string>): NodeJS.ProcessEnv {
	const fd = openSync(join(projectIn(home), "2026-01-05T08-00-00-000Z_0a1b2c3d.jsonl"), "w");
	let batch = `${header(0)}\n`;
	for (const line of lines) {
		batch += `${line}\n`;
		if (batch.length < 1_000_000) continue;
		writeSync(fd, batch);
		batch = "";
	}
	writeSync(fd, batch);
	closeSync(fd);
	return environmentIn(home);
}

/** So many files of a few lines each. */
function writeFiles(home: string, files: number, linesOf: (index: number) => readonly string[]): NodeJS.ProcessEnv {
	const directory = projectIn(home);
	for (let index = 0; index < files; index++) {
		const name = `2026-01-05T08-00-00-000Z_${idOf(index)}.jsonl`;
		writeFileSync(join(directory, name), `${linesOf(index).join("\n")}\n`);
	}
	return environmentIn(home);
}

function projectIn(home: string): string {
	const directory = join(home, ".pi", "agent", "sessions", PROJECT);
	mkdirSync(directory, { recursive: true });
	return directory;
}

function many(count: number): string {
	return count.toLocaleString("en-US");
}

function megabytes(bytes: number): string {
	return `${many(Math.round(bytes / 1e6))} MB`;
}
