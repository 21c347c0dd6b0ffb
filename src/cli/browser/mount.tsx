import { type Instance, render } from "ink";
import type { ReactNode } from "react";
import { App, Boundary } from "../../../components/App.tsx";
import { TerminalCursor } from "../../../components/Screen.tsx";
import type { Program } from "../../app/core/program.ts";
import type { Outcome } from "../../app/world/state/effect.ts";
import { BUG_CODE, type Exit } from "../../terminal/exit-signals.ts";
import { createFrameStream } from "../../terminal/frame-stream.ts";
import type { InputPiece } from "../../terminal/input-splitter.ts";
import { type Keyboard, saysFocus } from "../../terminal/keyboard.ts";
import { restoreTerminal } from "../../terminal/restore-terminal.ts";
import { type Terminal, terminalSize } from "../../terminal/terminal.ts";
import { decodeKeys, decodeMouse, joinTurns, type MouseEvent } from "../../ui/keys/decode-input.ts";
import type { LiveTheme } from "./live-theme.ts";

interface MountOptions {
	readonly program: Program;
	readonly terminal: Terminal;
	readonly keyboard: Keyboard;
	readonly theme: LiveTheme;
	/** Resolves when the process must end. */
	readonly ending: Promise<Exit>;
}

/** Draws the program until the person leaves or the process must end; the terminal has been restored when it resolves. */
export async function mount({ program, terminal, keyboard, theme, ending }: MountOptions): Promise<Outcome | Exit> {
	const { output } = terminal;
	const { stream, setCursor, invalidate } = createFrameStream(output, keyboard);
	const failed = Promise.withResolvers<Exit>();
	const app = (): ReactNode => (
		<Boundary onError={(error) => failed.resolve({ code: BUG_CODE, error })}>
			<TerminalCursor value={setCursor}>
				<App program={program} theme={theme.current()} />
			</TerminalCursor>
		</Boundary>
	);
	const ink = render(app(), {
		stdout: stream,
		stdin: keyboard.inkInput,
		// Debug mode: Ink writes whole frames, one per change; the frame stream diffs them.
		debug: true,
		alternateScreen: true,
		exitOnCtrlC: false,
		patchConsole: false,
		// Ink would draw only the last frame where CI is set in the environment.
		interactive: true,
	});
	theme.onChange(() => ink.rerender(app()));
	const draw = (): void => {
		program.dispatch({ type: "resize", ...terminalSize(output) });
		ink.rerender(app());
	};
	// A window that was made smaller and larger again has lost its content, although its size is the same.
	const redraw = (): void => {
		invalidate();
		draw();
	};
	process.on("SIGWINCH", redraw);
	program.onRedraw(redraw);
	keyboard.listen((pieces) => {
		// While the person was elsewhere, something else (`wall`, a job in the background) may have written on the screen.
		if (pieces.some(saysFocus)) redraw();
		dispatchInput(program, pieces);
	});
	// Before Ink's own listener, which immediately draws the old frame whatever the size.
	output.prependListener("resize", draw);
	const inkEnd = ink.waitUntilExit().then(
		(): Outcome => ({ kind: "quit" }),
		(error: unknown): Exit => ({ code: BUG_CODE, error }),
	);
	const end = await Promise.race([program.exited, ending, failed.promise, inkEnd]);
	output.off("resize", draw);
	process.off("SIGWINCH", redraw);
	theme.onChange(() => undefined);
	let isUnmounted = false;
	try {
		await keyboard.answered();
		isUnmounted = unmount(ink, "code" in end ? end.error !== undefined : end.kind === "failed");
		if (isUnmounted) await inkEnd;
	} finally {
		keyboard.close();
		await restoreTerminal(terminal, !isUnmounted);
	}
	return end;
}

/**
 * Unmounts; returns whether Ink succeeded. If a bug ended the browser, Ink's last frame is made empty first: the bug may be
 * in the drawing, and drawing once more would trigger it again.
 */
function unmount(ink: Instance, isBug: boolean): boolean {
	try {
		if (isBug) ink.rerender(null);
		ink.unmount();
		return true;
	} catch {
		return false;
	}
}

/** Dispatches input: consecutive keys as one action, consecutive mouse events merged, each paste by itself. */
function dispatchInput(program: Program, pieces: readonly InputPiece[]): void {
	let keys: string[] = [];
	let reports: MouseEvent[] = [];
	const dispatchKeys = (): void => {
		if (keys.length > 0) program.dispatch({ type: "keys", keys });
		keys = [];
	};
	const dispatchReports = (): void => {
		for (const event of joinTurns(reports)) program.dispatch({ type: "mouse", event });
		reports = [];
	};
	for (const piece of pieces) {
		if ("mouse" in piece) {
			dispatchKeys();
			reports.push(...decodeMouse(piece.mouse));
			continue;
		}
		dispatchReports();
		if ("typed" in piece) keys.push(...decodeKeys(piece.typed));
		else {
			dispatchKeys();
			program.dispatch({ type: "text", text: piece.paste });
		}
	}
	dispatchKeys();
	dispatchReports();
}
