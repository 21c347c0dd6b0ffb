import { type Instance, render } from "ink";
import type { ReactNode } from "react";
import { FakeTerminal } from "./fake-terminal.ts";

/** Draws with the real Ink, with the options of the program, on a fake terminal. */
export function draw(node: ReactNode, columns: number, rows: number): { terminal: FakeTerminal; ink: Instance } {
	const terminal = new FakeTerminal(columns, rows);
	const ink = render(node, {
		// Ink uses of its streams only what the fake one has.
		stdout: terminal as unknown as NodeJS.WriteStream,
		stdin: terminal.stdin as unknown as NodeJS.ReadStream,
		alternateScreen: true,
		incrementalRendering: true,
		interactive: true,
		maxFps: 60,
		exitOnCtrlC: false,
		patchConsole: false,
	});
	return { terminal, ink };
}
