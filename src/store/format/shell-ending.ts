/** The tools that run shell commands. */
export const SHELLS: ReadonlySet<string> = new Set(["bash", "powershell"]);

/** How a command ended that failed or was ended. */
type ShellEnding =
	| { readonly kind: "exit"; readonly code: number }
	| { readonly kind: "timed out"; readonly seconds: number }
	| { readonly kind: "aborted" | "killed" };

/** What pi appends to the output of such a command (pi 1.5.2, core/tools/bash.js). */
const STATUS =
	/(?:^|\n)Command (?:exited with code (-?\d+)|(aborted)|(timed out) after (\d+) seconds|(terminated) without an exit code)[^\n]*\s*$/;
/** The status stands within this many characters of the end. */
const STATUS_CHARS = 500;

/** How a failed shell call ended, by its output or the end of it; undefined if the output does not say. */
export function shellEnding(output: string): ShellEnding | undefined {
	const [, code, aborted, timedOut, seconds, terminated] = STATUS.exec(output.slice(-STATUS_CHARS)) ?? [];
	if (code !== undefined) return { kind: "exit", code: Number(code) };
	if (timedOut !== undefined) return { kind: "timed out", seconds: Number(seconds) };
	if (aborted !== undefined) return { kind: "aborted" };
	return terminated === undefined ? undefined : { kind: "killed" };
}
