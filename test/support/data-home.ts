import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, inject, vi } from "vitest";

/**
 * The user's data directory, and so the trash, of the process that runs the tests: the trash package reads once where it
 * is. As a setup file this runs for each test file, which begins with an empty directory.
 */
export const DATA_HOME: string = join(inject("dataHomes"), String(process.pid));

process.env.XDG_DATA_HOME = DATA_HOME;
rmSync(DATA_HOME, { recursive: true, force: true });
mkdirSync(DATA_HOME, { recursive: true });

// The next file in the process starts with the clock, the environment and the functions that this one started with.
afterAll(() => {
	vi.restoreAllMocks();
	vi.useRealTimers();
	vi.unstubAllEnvs();
});
