import { type Instance, render } from "ink";
import type { ReactNode } from "react";
import { TerminalContext } from "../../hooks/terminal-context.ts";
import { codePointWidth } from "../../src/shared/cell-width.ts";
import { createFrameStream } from "../../src/terminal/frame-stream.ts";
import { FakeTerminal } from "./fake-terminal.ts";

export interface Drawn {
	readonly terminal: FakeTerminal;
	readonly ink: Instance;
	/** Draws something else instead. */
	readonly update: (node: ReactNode) => Promise<void>;
}

/** Draws with the real Ink, with the options of the program, on a fake terminal. */
export function draw(node: ReactNode, columns: number, rows: number): Drawn {
	// As today's terminals draw emoji; xterm's own table is older.
	const terminal = new FakeTerminal(columns, rows, (codePoint) => codePointWidth(codePoint) as 0 | 1 | 2);
	// Ink and the frame stream use of a terminal's streams only what the fake ones have.
	const output = terminal as unknown as NodeJS.WriteStream;
	const frames = createFrameStream(output);
	const asked = { output, keyboard: { listen: () => () => undefined }, frames };
	const inTerminal = (content: ReactNode): ReactNode => <TerminalContext value={asked}>{content}</TerminalContext>;
	const ink = render(inTerminal(node), {
		stdout: frames.stream,
		stdin: terminal.stdin as unknown as NodeJS.ReadStream,
		debug: true,
		alternateScreen: true,
		interactive: true,
		exitOnCtrlC: false,
		patchConsole: false,
	});
	return {
		terminal,
		ink,
		update: async (next) => {
			ink.rerender(inTerminal(next));
			await ink.waitUntilRenderFlush();
		},
	};
}
