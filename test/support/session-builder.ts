import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSession, type Session } from "../../src/store/read/read-session.ts";
import { tempDir } from "./temp-dir.ts";

/**
 * Lines of session files, in pi's own key order and without `\n`. Every line is given its id, its parent and its second
 * after the first of January 2026; `conversation` counts them.
 */

const START = Date.UTC(2026, 0, 1);

const timeOf = (second: number) => new Date(START + Math.round(second * 1000));

/** The first line of a session. */
export function header(fields: object = {}): string {
	const timestamp = timeOf(0).toISOString();
	return JSON.stringify({ type: "session", version: 3, id: "0198-aa", timestamp, cwd: "/work/api", ...fields });
}

/** An entry of any type. */
export function entry(type: string, id: string, parentId: string | null, second: number, fields: object = {}): string {
	return JSON.stringify({ type, id, parentId, timestamp: timeOf(second).toISOString(), ...fields });
}

/** A message of any role. */
export function message(id: string, parentId: string | null, second: number, fields: object): string {
	return entry("message", id, parentId, second, { message: { ...fields, timestamp: timeOf(second).getTime() } });
}

/** A message of the user. */
export function user(id: string, parentId: string | null, second: number, text: string): string {
	return message(id, parentId, second, { role: "user", content: [{ type: "text", text }] });
}

/** An answer of the model; `blocks` follow its text. */
export function assistant(
	id: string,
	parentId: string | null,
	second: number,
	text: string,
	blocks: readonly object[] = [],
): string {
	const cost = { input: 0.01, output: 0.02, cacheRead: 0, cacheWrite: 0, total: 0.03 };
	return message(id, parentId, second, {
		role: "assistant",
		content: [{ type: "text", text }, ...blocks],
		api: "anthropic-messages",
		provider: "anthropic",
		model: "claude-sonnet-4-5",
		usage: { input: 10, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: 30, cost },
		stopReason: "stop",
	});
}

/** The output of a tool. */
export function toolResult(
	id: string,
	parentId: string | null,
	second: number,
	text: string,
	toolName = "bash",
): string {
	const content = [{ type: "text", text }];
	return message(id, parentId, second, { role: "toolResult", toolCallId: "c1", toolName, content, isError: false });
}

/** A label on an entry; no text removes it. */
export function label(
	id: string,
	parentId: string | null,
	second: number,
	targetId: string,
	text: string | undefined,
): string {
	return entry("label", id, parentId, second, { targetId, label: text });
}

/** A name for the session. */
export function name(id: string, parentId: string | null, second: number, text: string): string {
	return entry("session_info", id, parentId, second, { name: text });
}

/** One message of a conversation. */
export interface PlannedMessage {
	readonly role: "user" | "assistant";
	readonly text: string;
	/** Index of the message that this one answers; default: the one before. */
	readonly after?: number;
}

/** A whole session whose ids, parents and times are counted: the id of message 3 of session "0001" is "00010003". */
export function conversation(plan: {
	/** Four characters; the ids of the entries begin with it. */
	readonly number: string;
	readonly cwd: string;
	/** When the last message was written. */
	readonly endMs: number;
	readonly messages: readonly PlannedMessage[];
	readonly name?: string;
	readonly parentSession?: string;
}): { readonly id: string; readonly began: string; readonly lines: readonly string[] } {
	const { number, cwd, endMs, messages, parentSession } = plan;
	const second = (index: number): number => (endMs - START) / 1000 - (messages.length - index);
	const entryId = (index: number): string | null => (index < 0 ? null : `${number}${String(index).padStart(4, "0")}`);
	const id = `session-${number}`;
	const began = timeOf(second(0)).toISOString();
	const all = [header({ id, timestamp: began, cwd, parentSession })];
	for (const [index, { role, text, after = index - 1 }] of messages.entries()) {
		const content = [{ type: "text", text }];
		all.push(message(`${entryId(index)}`, entryId(after), second(index), { role, content }));
	}
	const last = messages.length - 1;
	if (plan.name !== undefined) all.push(name(`${entryId(9000)}`, entryId(last), second(last), plan.name));
	return { id, began, lines: all };
}

/** A file's text: each line ended. */
export function lines(...all: readonly string[]): string {
	return all.map((line) => `${line}\n`).join("");
}

/** Writes the entries to a file, with a header before them, and reads it as the tree pane does. */
export function sessionOf(...entries: readonly string[]): Promise<Session> {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, lines(header({ cwd: "/home/me/project" }), ...entries));
	return readSession(path);
}

/** The text of an array in an array in an array …: as deep as `JSON.parse` reads, where `JSON.stringify` throws. */
export function deepJson(levels: number): string {
	return `${"[".repeat(levels)}${"]".repeat(levels)}`;
}

/** The line with `json` in place of the string "DEEP". */
export function withJson(line: string, json: string): string {
	return line.replace('"DEEP"', () => json);
}
