import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "./temp-dir.ts";

/** Writes a session of one long branch; returns its path and the id of the last entry. Removed after the test. */
export function largeSession(entries: number): { readonly path: string; readonly last: string } {
	const header = { type: "session", version: 3, id: "large", timestamp: "2026-01-05T09:00:00.000Z", cwd: "/home/ada" };
	const lines = [JSON.stringify(header)];
	let parentId: string | null = null;
	for (let index = 0; index < entries; index += 1) {
		const id: string = index.toString(16).padStart(8, "0");
		const message = { role: "user", content: "x".repeat(200), timestamp: index };
		lines.push(JSON.stringify({ type: "message", id, parentId, timestamp: header.timestamp, message }));
		parentId = id;
	}
	const path = join(tempDir(), "large.jsonl");
	writeFileSync(path, `${lines.join("\n")}\n`);
	return { path, last: parentId ?? "" };
}
