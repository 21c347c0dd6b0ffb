import { spawn } from "node:child_process";
import type { ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import type { TUI } from "@earendil-works/pi-tui";

/** Another screen, empty: what the terminal echoes until the browser reads the keys is not on pi's, and is never seen again. */
const ENTER = "\x1b[?1049h\x1b[2J\x1b[H";

/**
 * Ends what a browser that was killed may have left on: a frame, reports of the mouse, pasting in brackets, colors, keys of
 * xterm's and kitty's protocols; then pi's screen, with its cursor where it was. Harmless where all that is so.
 */
const LEAVE = "\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[>4;0m\x1b[<u\x1b[?7h\x1b[?1049l";

/** Ctrl+C and ctrl+\ reach all programs of the terminal until one of them reads the keys itself; they must not end pi. */
const FROM_KEYS = ["SIGINT", "SIGQUIT"] as const;

/**
 * Gives pi's terminal to `work`, and takes it back when that is done, whatever has become of it: the screen, what can be
 * scrolled back to and the text in the editor are what they were. pi goes on working meanwhile, without drawing.
 */
export async function withTerminal<End extends { readonly problem?: string }>(
	ui: ExtensionUIContext,
	work: () => Promise<End>,
): Promise<End> {
	const tui = tuiOf(ui);
	const ignore = (): void => undefined;
	for (const signal of FROM_KEYS) process.on(signal, ignore);
	// Without `preserveScreen` pi's full screen prints the whole conversation below what was in the terminal before it.
	tui.stop({ preserveScreen: true });
	process.stdout.write(ENTER);
	const modes = await stty("-g");
	let isInOrder = false;
	try {
		const end = await work();
		isInOrder = end.problem === undefined;
		return end;
	} finally {
		// Only then: until pi reads the keys again, enter would be a line feed to it.
		if (!isInOrder && modes !== undefined) await stty(modes.trim());
		process.stdout.write(LEAVE);
		tui.start();
		// Not before pi reads the keys: what is pressed while it takes the terminal back is a signal, too.
		for (const signal of FROM_KEYS) process.off(signal, ignore);
		// Drawing all anew would empty what can be scrolled back to where pi draws below the shell's output; and a request for
		// drawing that was made while it was stopped keeps later ones from being heard (pi 1.5.2, pi-tui's TuiBase).
		if (tui.mode === "fullscreen") tui.requestRender(true);
		else tui.renderNow();
	}
}

/**
 * pi's screen. A widget's maker is handed it, and nothing else of pi changes: `ctx.ui.custom` would set the editor's text
 * again, and in pi before 1.4 take away a question that some tool asks meanwhile.
 */
function tuiOf(ui: ExtensionUIContext): TUI {
	let found: TUI | undefined;
	ui.setWidget("pi-grove", (tui) => {
		found = tui;
		return { render: () => [], invalidate: () => undefined };
	});
	ui.setWidget("pi-grove", undefined);
	if (found === undefined) throw new Error("this pi has no screen to lend.");
	return found;
}

/** What `stty` says of our terminal; undefined where there is none. A browser that was killed leaves the keys unread. */
function stty(argument: string): Promise<string | undefined> {
	if (process.platform === "win32") return Promise.resolve(undefined);
	return new Promise((resolve) => {
		const child = spawn("stty", [argument], { stdio: ["inherit", "pipe", "ignore"] });
		let said = "";
		child.stdout.setEncoding("utf8").on("data", (more: string) => {
			said += more;
		});
		child.once("error", () => resolve(undefined));
		child.once("close", (code) => resolve(code === 0 ? said : undefined));
	});
}
