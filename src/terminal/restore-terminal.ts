/** Ends a frame, shows the cursor, ends bracketed paste, wraps lines: harmless where it is so already. */
const ordinaryModes = "\x1b[?2026l\x1b[?7h\x1b[?2004l\x1b[?25h";

/** Makes sure of the modes that Ink restores when nothing goes wrong, in case that it failed halfway. */
export function restoreTerminal(): void {
	if (process.stdin.isRaw) process.stdin.setRawMode(false);
	process.stdout.write(ordinaryModes);
}
