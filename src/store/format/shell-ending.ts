/** The tools whose calls are commands of a shell. */
export const SHELLS: ReadonlySet<string> = new Set(["bash", "powershell"]);

/** How a command ended that did not end by itself and well. */
export type ShellEnding =
	| { readonly kind: "exit"; readonly code: number }
	| { readonly kind: "timed out"; readonly seconds: number }
	| { readonly kind: "aborted" | "killed" };

/** What pi writes below the output of a command that did not end well (pi 1.5.2, core/tools/bash.js). */
const STATUS =
	/(?:^|\n)Command (?:exited with code (-?\d+)|(aborted)|(timed out) after (\d+) seconds|(terminated) without an exit code)[^\n]*\s*$/;
/** It stands within so many characters of the end. */
const STATUS_CHARS = 500;

/** What the output of a failed call of a shell, or its end, says of how the command ended; undefined where it says nothing. */
export function shellEnding(output: string): ShellEnding | undefined {
	const [, code, aborted, timedOut, seconds, terminated] = STATUS.exec(output.slice(-STATUS_CHARS)) ?? [];
	if (code !== undefined) return { kind: "exit", code: Number(code) };
	if (timedOut !== undefined) return { kind: "timed out", seconds: Number(seconds) };
	if (aborted !== undefined) return { kind: "aborted" };
	return terminated === undefined ? undefined : { kind: "killed" };
}
