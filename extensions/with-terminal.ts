import { spawn } from "node:child_process";
import type { ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import type { TUI } from "@earendil-works/pi-tui";

/** Switches to an empty alternate screen, so that what the terminal echoes before the browser reads the keys is not on pi's. */
const ENTER = "\x1b[?1049h\x1b[2J\x1b[H";

/**
 * Ends the modes that a killed browser may have left on (a frame, reports of mouse and focus, bracketed paste, colors, the key protocols of
 * xterm and kitty), then returns to pi's screen and cursor. Harmless if there is nothing to end.
 */
const LEAVE =
	"\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?1004l\x1b[?2004l\x1b[0m\x1b[>4;0m\x1b[<u\x1b[?7h\x1b[?1049l";

/** Until a program reads the keys itself, ctrl+c and ctrl+\ reach all programs of the terminal; they must not end pi. */
const FROM_KEYS = ["SIGINT", "SIGQUIT"] as const;

/**
 * Hands pi's terminal over to `work`, and takes it back when that has ended, however it ended: the screen, the scrollback and
 * the text in the editor are as before. pi continues to work meanwhile, without drawing.
 */
export async function withTerminal<End extends { readonly problem?: string }>(
	ui: ExtensionUIContext,
	work: () => Promise<End>,
): Promise<End> {
	const tui = tuiOf(ui);
	const ignore = (): void => undefined;
	for (const signal of FROM_KEYS) process.on(signal, ignore);
	// Without `preserveScreen` pi, in full-screen mode, prints the whole conversation below the earlier content of the terminal.
	tui.stop({ preserveScreen: true });
	process.stdout.write(ENTER);
	const modes = await stty("-g");
	let isInOrder = false;
	try {
		const end = await work();
		isInOrder = end.problem === undefined;
		return end;
	} finally {
		// Only after a failure: until pi reads the keys again, it would get a line feed for enter.
		if (!isInOrder && modes !== undefined) await stty(modes.trim());
		process.stdout.write(LEAVE);
		tui.start();
		// Not before pi reads the keys: keys pressed while it takes the terminal back are signals too.
		for (const signal of FROM_KEYS) process.off(signal, ignore);
		// If pi draws below the shell's output, a full redraw would erase the scrollback; and a render request made while pi was
		// stopped would block later ones (pi 1.5.2, pi-tui's TuiBase).
		if (tui.mode === "fullscreen") tui.requestRender(true);
		else tui.renderNow();
	}
}

/**
 * pi's screen, which is passed to the factory of a widget. Nothing else of pi changes that way: `ctx.ui.custom` would set the
 * editor's text again, and before pi 1.4 remove a question that a tool asks meanwhile.
 */
function tuiOf(ui: ExtensionUIContext): TUI {
	let screen: TUI | undefined;
	ui.setWidget("pi-grove", (tui) => {
		screen = tui;
		return { render: () => [], invalidate: () => undefined };
	});
	ui.setWidget("pi-grove", undefined);
	if (screen === undefined) throw new Error("this pi has no screen to lend.");
	return screen;
}

/** Runs `stty` on our terminal and returns its output; undefined if that fails. Needed after a browser that was killed. */
function stty(argument: string): Promise<string | undefined> {
	if (process.platform === "win32") return Promise.resolve(undefined);
	return new Promise((resolve) => {
		const child = spawn("stty", [argument], { stdio: ["inherit", "pipe", "ignore"] });
		let out = "";
		child.stdout.setEncoding("utf8").on("data", (more: string) => {
			out += more;
		});
		child.once("error", () => resolve(undefined));
		child.once("close", (code) => resolve(code === 0 ? out : undefined));
	});
}
