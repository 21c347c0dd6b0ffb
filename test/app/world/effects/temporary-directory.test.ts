import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { expect, test, vi } from "vitest";
import {
	makeTemporaryDirectory,
	sweepTemporaryDirectories,
} from "../../../../src/app/world/effects/temporary-directory.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const NOTE = ".pi-grove-process";

/** The pid of a process that has ended. */
async function endedPid(): Promise<number> {
	const child = spawn(process.execPath, ["-e", ""]);
	await once(child, "exit");
	return child.pid ?? 0;
}

test("a directory is private, and stays as long as its process", async () => {
	const base = tempDir();
	vi.stubEnv("TMPDIR", base);
	const made = await makeTemporaryDirectory("demo");
	vi.unstubAllEnvs();
	expect(statSync(made).mode & 0o777).toBe(0o700);
	await sweepTemporaryDirectories(base);
	expect(existsSync(made)).toBe(true);
});

test("only what a killed run has left behind is removed", async () => {
	const base = tempDir();
	vi.stubEnv("TMPDIR", base);
	const own = basename(await makeTemporaryDirectory());
	vi.unstubAllEnvs();
	const note = readFileSync(join(base, own, NOTE), "utf8");
	const ended = note.replace(/^\d+/, String(await endedPid()));
	const made = (name: string, text?: string): string => {
		mkdirSync(join(base, name));
		if (text !== undefined) writeFileSync(join(base, name, NOTE), text);
		return name;
	};
	made("pi-grove-demo-Left01", ended);
	mkdirSync(join(base, "pi-grove-demo-Left01", "work"));
	// The pid of this process, with a different start time.
	if (process.platform === "linux") made("pi-grove-Left02", note.replace(/\n.+/, "\nearlier:1"));
	const kept = [
		made("pi-grove-Kept01"),
		made("pi-grove-Kept02", "no note"),
		made("pi-grove-Kept03", ended.replace(hostname(), "elsewhere")),
		made("pi-grove-test-Kept04", ended),
		made("Kept05", ended),
	];
	symlinkSync(join(base, "Kept05"), join(base, "pi-grove-Kept06"));
	await sweepTemporaryDirectories(base);
	expect(readdirSync(base).toSorted()).toEqual([own, "pi-grove-Kept06", ...kept].toSorted());
});

test("a pipe in place of a note blocks nothing, and its directory stays", async () => {
	const base = tempDir();
	mkdirSync(join(base, "pi-grove-abcdef"));
	spawnSync("mkfifo", [join(base, "pi-grove-abcdef", NOTE)]);
	await sweepTemporaryDirectories(base);
	expect(readdirSync(base)).toEqual(["pi-grove-abcdef"]);
});
