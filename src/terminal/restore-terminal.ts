import { spawn } from "node:child_process";
import { fdOf, type Terminal } from "./terminal.ts";

/** Ends a frame, wraps lines, ends bracketed paste and reports of the mouse, shows the cursor; harmless where that is so. */
const ORDINARY_MODES = "\x1b[?2026l\x1b[?7h\x1b[?2004l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?25h";

/** The screen before, with the cursor where it is; no colors, no keys of xterm's and kitty's protocols. */
const LEFT_BEHIND = "\x1b[?1047l\x1b[0m\x1b[>4;0m\x1b[<u";

/** Back to the screen before, and its cursor. */
const LEAVE_FULL_SCREEN = "\x1b[?1049l";

/**
 * Restores the terminal again, in case Ink failed halfway, and stops reading: what is typed from now on is for the next
 * program in this terminal. Ink only removes its listeners, while Node goes on reading.
 * `isFullScreen`: Ink has not left the alternate screen.
 */
export async function restoreTerminal({ input, output }: Terminal, isFullScreen: boolean): Promise<void> {
	if (input.isRaw) input.setRawMode(false);
	output.write(isFullScreen ? ORDINARY_MODES + LEAVE_FULL_SCREEN : ORDINARY_MODES);
	// Node notices one turn later that the listeners are gone, and stops reading one turn after `pause`.
	await nextTurn();
	input.pause();
	await nextTurn();
}

/** Notes how the terminal is set, for `repairTerminal`; undefined where it cannot be known. */
export async function saveTerminal(terminal: Terminal): Promise<string | undefined> {
	return (await stty(terminal, "-g"))?.trim();
}

/** Makes the terminal usable again after a program that may have been ended before it could do so itself. */
export async function repairTerminal(terminal: Terminal, saved: string | undefined): Promise<void> {
	terminal.output.write(ORDINARY_MODES + LEFT_BEHIND);
	if (saved !== undefined) await stty(terminal, saved);
}

/** What `stty` says of the terminal; undefined where there is none. */
function stty({ input }: Terminal, argument: string): Promise<string | undefined> {
	return new Promise((resolve) => {
		const child = spawn("stty", [argument], { stdio: [fdOf(input), "pipe", "ignore"] });
		let said = "";
		child.stdout?.setEncoding("utf8").on("data", (more: string) => {
			said += more;
		});
		child.once("error", () => resolve(undefined));
		child.once("close", (code) => resolve(code === 0 ? said : undefined));
	});
}

export function nextTurn(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
