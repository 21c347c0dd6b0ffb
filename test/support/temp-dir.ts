import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";

/** A new temporary directory, removed after the test. */
export function tempDir(): string {
	const { path, remove } = createTempDir();
	onTestFinished(remove);
	return path;
}

/** A new temporary directory for all tests of a file, removed after the last one. Throws inside a test. */
export function tempDirOfFile(): string {
	// There, vitest takes `afterAll` without a word and never calls it.
	if (TestRunner.getCurrentTest() !== undefined) throw new Error("Inside a test, call tempDir() instead.");
	const { path, remove } = createTempDir();
	afterAll(remove);
	return path;
}

/** The directory for what golden screens show with its whole path: they were taken where temporary files are by default. */
export const GOLDEN_TEMPORARY = "/tmp";

/** A new temporary directory that the caller removes. */
export function createTempDir(temporary = tmpdir()): { readonly path: string; readonly remove: () => void } {
	const path = mkdtempSync(join(temporary, "pi-grove-test-"));
	// A program that was just killed may still be writing its last file.
	return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }) };
}

/** An agent directory with its own cache in a temporary directory, by default one that is removed after the test. */
export function tempAgentDir(base = tempDir()) {
	const agent = join(base, "agent");
	const root = join(agent, "sessions");
	mkdirSync(root, { recursive: true });
	return {
		base,
		agent,
		root,
		cache: join(base, "cache"),
		env: { PI_CODING_AGENT_DIR: agent },
		sessionRoots: { kind: "default", root, agentDir: agent, problems: [] } as const,
		/** Writes a session file given by its path under the root; returns its absolute path. */
		write(name: string, content: string | Buffer): string {
			const path = join(root, name);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, content);
			return path;
		},
	};
}
