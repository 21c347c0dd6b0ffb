/** Ends a frame, wraps lines, ends bracketed paste and reports of the mouse, shows the cursor; harmless where that is so. */
const ORDINARY_MODES = "\x1b[?2026l\x1b[?7h\x1b[?2004l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?25h";

/** Back to the screen before, and its cursor. */
const LEAVE_FULL_SCREEN = "\x1b[?1049l";

/**
 * Restores the terminal again, in case Ink failed halfway, and stops reading: what is typed from now on is for the next
 * program in this terminal. Ink only removes its listeners, while Node goes on reading.
 * `isFullScreen`: Ink has not left the alternate screen.
 */
export async function restoreTerminal(isFullScreen: boolean): Promise<void> {
	if (process.stdin.isRaw) process.stdin.setRawMode(false);
	process.stdout.write(isFullScreen ? ORDINARY_MODES + LEAVE_FULL_SCREEN : ORDINARY_MODES);
	// Node notices one turn later that the listeners are gone, and stops reading one turn after `pause`.
	await nextTurn();
	process.stdin.pause();
	await nextTurn();
}

function nextTurn(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
