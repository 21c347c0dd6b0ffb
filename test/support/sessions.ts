import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readSession, type Session } from "../../src/store/read/read-session.ts";

/** A line of a session file, fields as given. */
export type RawLine = Readonly<Record<string, unknown>>;

export const header: RawLine = {
	type: "session",
	version: 3,
	id: "0193a000-0000-7000-8000-000000000001",
	timestamp: "2026-11-20T10:00:00.000Z",
	cwd: "/home/me/project",
};

/** A user message. */
export function user(id: string, parentId: string | null, text: string): RawLine {
	return message(id, parentId, { role: "user", content: text });
}

/** An answer in plain text. */
export function assistant(id: string, parentId: string | null, text: string): RawLine {
	return message(id, parentId, {
		role: "assistant",
		content: [{ type: "text", text }],
		stopReason: "stop",
		model: "m",
	});
}

export function message(id: string, parentId: string | null, fields: RawLine): RawLine {
	return { type: "message", id, parentId, timestamp: stamp(id), message: fields };
}

export function entry(type: string, id: string, parentId: string | null, fields: RawLine = {}): RawLine {
	return { type, id, parentId, timestamp: stamp(id), ...fields };
}

/** A folder that goes with the test. */
export async function temporaryFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "pi-grove-test-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	return folder;
}

/** Writes the lines to a file and reads it as the tree pane does. */
export async function sessionOf(...lines: readonly RawLine[]): Promise<Session> {
	const path = join(await temporaryFolder(), "session.jsonl");
	await writeFile(path, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
	return readSession(path);
}

let clock = Date.parse("2026-11-20T10:00:00.000Z");

/** Each line one second after the one before, so that file order and time order agree. */
function stamp(_id: string): string {
	clock += 1000;
	return new Date(clock).toISOString();
}
