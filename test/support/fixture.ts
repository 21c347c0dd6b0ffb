import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The folder of the repository's session files. */
export const fixtureDir = join(import.meta.dirname, "../../fixtures");

/** What must not change when a file is only looked at. */
export interface Facts {
	readonly hash: string;
	readonly mtime: bigint;
}

/** Content and modification time of a file. */
export function factsOf(path: string): Facts {
	const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
	return { hash, mtime: statSync(path, { bigint: true }).mtimeNs };
}

/** A fixture in its place; compare `facts()` with `before` to see that it was not touched. */
export function fixture(name: string): { path: string; before: Facts; facts: () => Facts } {
	const path = join(fixtureDir, `${name}.jsonl`);
	return { path, before: factsOf(path), facts: () => factsOf(path) };
}

/** A temporary folder that goes when the test ends. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "pi-grove-store-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** A copy of a fixture that may be written to. */
export function copyOfFixture(name: string, folder = temporaryFolder()): string {
	const path = join(folder, `${name}.jsonl`);
	copyFileSync(join(fixtureDir, `${name}.jsonl`), path);
	return path;
}
