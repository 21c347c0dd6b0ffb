/** Ends a frame, wraps lines, ends bracketed paste, shows the cursor: harmless where it is so already. */
const ORDINARY_MODES = "\x1b[?2026l\x1b[?7h\x1b[?2004l\x1b[?25h";

/**
 * Makes sure of what Ink restores when nothing goes wrong, in case that it failed halfway, and stops reading: what is
 * typed from now on is for the next program in this terminal. Ink only stops listening, while Node goes on to read.
 */
export async function restoreTerminal(): Promise<void> {
	if (process.stdin.isRaw) process.stdin.setRawMode(false);
	process.stdout.write(ORDINARY_MODES);
	// Node takes note of the listeners that went one turn later, and stops reading one turn after it was told to.
	await nextTurn();
	process.stdin.pause();
	await nextTurn();
}

function nextTurn(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
