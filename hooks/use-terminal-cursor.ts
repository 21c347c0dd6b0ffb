import { useContext, useInsertionEffect } from "react";
import type { Cell } from "../src/ui/view.ts";
import { TerminalContext } from "./terminal-context.ts";

/**
 * Puts the terminal's own cursor on the cell where something is typed, where input methods show what is being composed; without one
 * on the selected row, hidden, where screen readers and magnifiers look for it.
 */
export function useTerminalCursor(typed: Cell | undefined, selected: Cell | undefined): void {
	const terminal = useContext(TerminalContext);
	// The only effect that runs before Ink writes the frame.
	useInsertionEffect(() => terminal?.frames.setCursor(typed, selected));
}
