import { spawn } from "node:child_process";
import { fdOf, type Terminal } from "./terminal.ts";

/** Ends a frame, wraps lines, ends bracketed paste and reports of mouse and focus, shows the cursor; harmless if that is so already. */
const ORDINARY_MODES = "\x1b[?2026l\x1b[?7h\x1b[?2004l\x1b[?1004l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?25h";

/** Leaves the alternate screen without moving the cursor; ends colors and the key protocols of xterm and kitty. */
const LEFT_BEHIND = "\x1b[?1047l\x1b[0m\x1b[>4;0m\x1b[<u";

/** Leaves the alternate screen and restores the cursor. */
const LEAVE_FULL_SCREEN = "\x1b[?1049l";

/**
 * Restores the terminal again, in case Ink failed halfway, and stops reading: what is typed from now on is for the next
 * program in this terminal. Ink only removes its listeners, but Node would continue reading. `isFullScreen`: Ink has not left
 * the alternate screen.
 */
export async function restoreTerminal({ input, output }: Terminal, isFullScreen: boolean): Promise<void> {
	if (input.isRaw) input.setRawMode(false);
	output.write(isFullScreen ? ORDINARY_MODES + LEAVE_FULL_SCREEN : ORDINARY_MODES);
	// Node notices one turn later that the listeners are gone, and stops reading one turn after `pause`.
	await nextTurn();
	input.pause();
	await nextTurn();
}

/** The settings of the terminal, for `repairTerminal`; undefined if they cannot be read. */
export async function saveTerminal(terminal: Terminal): Promise<string | undefined> {
	return (await stty(terminal, "-g"))?.trim();
}

/** Makes the terminal usable again after a program that may have ended before it could do so itself. */
export async function repairTerminal(terminal: Terminal, saved: string | undefined): Promise<void> {
	terminal.output.write(ORDINARY_MODES + LEFT_BEHIND);
	if (saved !== undefined) await stty(terminal, saved);
}

/** Runs `stty` on the terminal and returns its output; undefined if it cannot be run or fails. */
function stty({ input }: Terminal, argument: string): Promise<string | undefined> {
	return new Promise((resolve) => {
		const child = spawn("stty", [argument], { stdio: [fdOf(input), "pipe", "ignore"] });
		let printed = "";
		child.stdout?.setEncoding("utf8").on("data", (more: string) => {
			printed += more;
		});
		child.once("error", () => resolve(undefined));
		child.once("close", (code) => resolve(code === 0 ? printed : undefined));
	});
}

export function nextTurn(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
