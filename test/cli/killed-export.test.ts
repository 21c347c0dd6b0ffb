import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inLong, inShort } from "../support/cases.ts";
import { programPath, Sandbox, threeSessions } from "../support/sandbox.ts";

const sandbox = new Sandbox();
const { parser } = threeSessions(sandbox);
afterAll(() => sandbox.remove());
const preload = join(import.meta.dirname, "..", "support", "kill-at-call.mjs");

/** Exports into a directory; killed before a call of its writing, unless that is 0. */
function exportInto(directory: string, format: readonly string[], killAtCall: number) {
	const env = { ...process.env, ...sandbox.env, KILL_AT_CALL: String(killAtCall), KILL_IN: `${directory}/` };
	const args = ["--import", preload, programPath, "export", parser, ...format, "--out", `${directory}/`];
	return spawnSync(process.execPath, args, { encoding: "utf8", env, cwd: sandbox.home });
}

/** The test command kills it before every third call. */
const STEP = inLong(1, 3);

// Both are written in the same way; a page takes longer to make.
const FORMATS: readonly (readonly [ending: string, format: readonly string[]])[] = [
	["md", []],
	["html", ["--html"]],
];

// The kill is SIGKILL, which Windows has not.
test.each(inShort(FORMATS, ([ending]) => ending === "md"))(
	"an export as %s that is killed at any call leaves a whole file, or none under its name",
	(ending, format) => {
		const into = (call: number): string => {
			const directory = join(sandbox.home, `${ending}-${call}`);
			mkdirSync(directory);
			return directory;
		};
		const unbroken = into(0);
		expect(exportInto(unbroken, format, 0).status).toBe(0);
		const [name = ""] = readdirSync(unbroken);
		const wanted = readFileSync(join(unbroken, name), "utf8").length;

		const left: string[] = [];
		let kills = 0;
		for (let call = 1; ; call += STEP) {
			const directory = into(call);
			const { signal, status } = exportInto(directory, format, call);
			for (const file of readdirSync(directory)) {
				if (file.endsWith(".tmp")) left.push(join(directory, file));
				else {
					expect(file).toBe(name);
					expect(readFileSync(join(directory, file), "utf8")).toHaveLength(wanted);
				}
			}
			if (signal === null) {
				expect(status).toBe(0);
				break;
			}
			expect(signal).toBe("SIGKILL");
			kills++;
		}
		// Opened, written, synced, closed, linked, its other name removed.
		expect(kills).toBeGreaterThanOrEqual(6 / STEP);

		const [old = ""] = left;
		utimesSync(old, 0, 0);
		expect(exportInto(dirname(old), format, 0).status).toBe(0);
		expect(readdirSync(dirname(old))).toEqual([name]);
	},
);
