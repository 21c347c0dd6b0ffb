import { type Instance, render } from "ink";
import { App } from "../../../components/App.tsx";
import { Boundary } from "../../../components/Boundary.tsx";
import { TerminalContext } from "../../../hooks/terminal-context.ts";
import type { Program } from "../../app/core/program.ts";
import type { Outcome } from "../../app/world/state/effect.ts";
import { BUG_CODE, type Exit } from "../../terminal/exit-signals.ts";
import type { FramePainter } from "../../terminal/frame-painter.ts";
import { createFrameStream } from "../../terminal/frame-stream.ts";
import type { Keyboard } from "../../terminal/keyboard.ts";
import { restoreTerminal } from "../../terminal/restore-terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { LiveTheme } from "./live-theme.ts";

interface MountOptions {
	readonly program: Program;
	readonly terminal: Terminal;
	readonly keyboard: Keyboard;
	readonly theme: LiveTheme;
	readonly painter: FramePainter;
	/** Resolves when the process must end. */
	readonly ending: Promise<Exit>;
}

/** Draws the program until the person leaves or the process must end; the terminal has been restored when it resolves. */
export async function mount({
	program,
	terminal,
	keyboard,
	theme,
	painter,
	ending,
}: MountOptions): Promise<Outcome | Exit> {
	const { output } = terminal;
	const frames = createFrameStream(output, keyboard, painter);
	const failed = Promise.withResolvers<Exit>();
	const ink = render(
		<Boundary onError={(error) => failed.resolve({ code: BUG_CODE, error })}>
			<TerminalContext value={{ output, keyboard, frames }}>
				<App program={program} theme={theme} />
			</TerminalContext>
		</Boundary>,
		{
			stdout: frames.stream,
			stdin: keyboard.inkInput,
			// Debug mode: Ink writes whole frames, one per change; the frame stream diffs them.
			debug: true,
			alternateScreen: true,
			exitOnCtrlC: false,
			patchConsole: false,
			// Ink would draw only the last frame where CI is set in the environment.
			interactive: true,
		},
	);
	const inkEnd = ink.waitUntilExit().then(
		(): Outcome => ({ kind: "quit" }),
		(error: unknown): Exit => ({ code: BUG_CODE, error }),
	);
	const end = await Promise.race([program.exited, ending, failed.promise, inkEnd]);
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
