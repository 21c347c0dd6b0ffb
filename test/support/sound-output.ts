import { expect } from "vitest";
import { type RunResult, run } from "./run.ts";
import type { Sandbox } from "./sandbox.ts";

/** What a terminal obeys; lines end in "\n", columns are parted by tabs. */
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** A frame of a stack trace. */
const TRACE = /^ +at .+:\d+:\d+\)?$/m;

/**
 * Runs the program without a terminal, and expects of it what holds for every command on any input: it ends by itself, with
 * one of its exit codes, without a stack trace, and prints nothing that a terminal would obey.
 */
export function runSoundly(sandbox: Sandbox, args: readonly string[]): RunResult {
	const result = run(sandbox, args);
	const what = args.join(" ");
	expect([0, 1, 2], `${what}: ${result.err}`).toContain(result.code);
	for (const text of [result.out, result.err]) {
		expect(text, what).not.toMatch(TRACE);
		const at = OBEYED.exec(text)?.index;
		expect(at === undefined ? "" : text.slice(Math.max(0, at - 60), at + 60), `${what}: it prints controls`).toBe("");
	}
	return result;
}
