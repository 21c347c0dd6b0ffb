import { existsSync } from "node:fs";
import { expect } from "vitest";
import { type RunResult, run } from "./run.ts";
import type { Sandbox } from "./sandbox.ts";

/** What a terminal obeys, and what is not seen on it; lines end in "\n", columns are parted by tabs. */
const OBEYED =
	/\u034f|[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ue000\u{e0000}-\u{e0fff}]/u;
/** The same for Markdown, which other programs read too: what joins letters and emoji, and what fonts show, stays in it. */
const OBEYED_IN_MARKDOWN =
	/[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;
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
	// What is printed may quote one.
	expect(result.err, what).not.toMatch(TRACE);
	// A path that is alone is for another program, which needs it as it is.
	const out = existsSync(result.out.replace(/\n$/, "")) ? "" : result.out;
	for (const text of [out, result.err]) {
		const at = (args.includes("--markdown") ? OBEYED_IN_MARKDOWN : OBEYED).exec(text)?.index;
		const found =
			at === undefined ? "" : `U+${text.codePointAt(at)?.toString(16)} in ${text.slice(Math.max(0, at - 60), at + 60)}`;
		expect(found, `${what}: it prints controls: ${JSON.stringify(found)}`).toBe("");
	}
	return result;
}
