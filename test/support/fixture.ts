import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprint } from "./fingerprint.ts";
import { tempDir } from "./temp-dir.ts";

/** The directory of the repository's session files. */
export const fixtureDir = join(import.meta.dirname, "../../fixtures");

/** A fixture where it is; compare `fingerprint()` with `before` to see that it was not touched. */
export function fixture(name: string): { path: string; before: string; fingerprint: () => string } {
	const path = join(fixtureDir, `${name}.jsonl`);
	return { path, before: fingerprint(path), fingerprint: () => fingerprint(path) };
}

/** A copy of a fixture that may be written to. */
export function copyOfFixture(name: string, directory = tempDir()): string {
	const path = join(directory, `${name}.jsonl`);
	copyFileSync(join(fixtureDir, `${name}.jsonl`), path);
	return path;
}
