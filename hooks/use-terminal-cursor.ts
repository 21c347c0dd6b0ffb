import { useContext, useInsertionEffect } from "react";
import type { Cell } from "../src/ui/view.ts";
import { TerminalCursor } from "./TerminalCursorContext.ts";

/** Puts the terminal's own cursor, where input methods show what is being composed, on a cell; hides it without one. */
export function useTerminalCursor(cell: Cell | undefined): void {
	const setCursor = useContext(TerminalCursor);
	// The only effect that runs before Ink writes the frame.
	useInsertionEffect(() => setCursor(cell));
}
