import { useContext, useInsertionEffect } from "react";
import type { Cell } from "../src/ui/view.ts";
import { TerminalContext } from "./terminal-context.ts";

/** Puts the terminal's own cursor, where input methods show what is being composed, on a cell; undefined hides it. */
export function useTerminalCursor(cell: Cell | undefined): void {
	const terminal = useContext(TerminalContext);
	// The only effect that runs before Ink writes the frame.
	useInsertionEffect(() => terminal?.frames.setCursor(cell));
}
