import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What must not change when a file is only looked at: a digest of its bytes, and its modification time. */
export function fingerprint(path: string): string {
	const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
	return `${digest} ${statSync(path, { bigint: true }).mtimeNs}`;
}

/** The fingerprints of all session files under a directory, by path. */
export function fingerprints(directory: string): Map<string, string> {
	const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
	return new Map(names.sort().map((name) => [join(directory, name), fingerprint(join(directory, name))]));
}
