import { useContext, useEffect } from "react";
import type { Program } from "../src/app/core/program.ts";
import { terminalSize } from "../src/terminal/terminal.ts";
import { TerminalContext } from "./terminal-context.ts";

/** Keeps the program's size that of the terminal. */
export function useTerminalSize(program: Pick<Program, "getState" | "dispatch">): void {
	const terminal = useContext(TerminalContext);
	useEffect(() => {
		if (terminal === undefined) return undefined;
		const { output } = terminal;
		const resize = (): void => program.dispatch({ type: "resize", ...terminalSize(output) });
		// The window may have been resized before anything listened.
		const { columns, rows } = terminalSize(output);
		const { size } = program.getState();
		if (columns !== size.columns || rows !== size.rows) resize();
		output.on("resize", resize);
		return () => {
			output.off("resize", resize);
		};
	}, [program, terminal]);
}
