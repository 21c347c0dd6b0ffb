/**
 * The pi that a run compares with: the one that `vitest.config.ts` names. pi 0.87.1 by the file of its session manager,
 * which has more than the package exports; later ones by their bundles.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type * as Pi from "./node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js";

export type { SessionEntry } from "./node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js";
export type SessionManager = Pi.SessionManager;

/** The version of pi, as "1.6.0". */
export const PI_VERSION = process.env.PI_VERSION ?? "";

const FILES: Readonly<Record<string, string>> = {
	"0.87.1": "./node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js",
	"1.5.2": "./pi-1.5.2/node_modules/@earendil-works/pi-coding-agent/dist/bundle/index.js",
	"1.6.0": "./pi-1.6.0/node_modules/@earendil-works/pi-coding-agent/dist/bundle/index.js",
};

// Read when the module is loaded: pi must neither see the sessions of this machine nor ask for a newer version.
// Not made here: in a file whose tests are all skipped no `afterAll` is called, and it would stay.
const agentDir = join(tmpdir(), `pi-grove-test-${randomUUID()}`);
afterAll(() => rmSync(agentDir, { recursive: true, force: true }));
process.env.PI_CODING_AGENT_DIR = agentDir;
process.env.PI_OFFLINE = "1";

const file = FILES[PI_VERSION];
if (file === undefined)
	throw new Error(`PI_VERSION is ${PI_VERSION}; it must be one of ${Object.keys(FILES).join(", ")}`);
// The bundle's types are those of the file; `types.ts` compares both with ours.
const pi = (await import(new URL(file, import.meta.url).href)) as typeof Pi;

export const { SessionManager, buildSessionContext, migrateSessionEntries, parseSessionEntries } = pi;
/** Not exported by the bundle. */
export const loadEntriesFromFile: typeof Pi.loadEntriesFromFile | undefined = pi.loadEntriesFromFile;
