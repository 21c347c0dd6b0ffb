import { createContext, useContext, useInsertionEffect } from "react";
import type { Cell } from "../src/ui/view.ts";

/** Sets the cell of the terminal's own cursor in the next frame; undefined hides it. */
export type SetCursor = (cell: Cell | undefined) => void;

/** Provides `SetCursor`; without a terminal it does nothing. */
export const TerminalCursor = createContext<SetCursor>(() => {});

/** Puts the terminal's own cursor, where input methods show what is being composed, on a cell; undefined hides it. */
export function useTerminalCursor(cell: Cell | undefined): void {
	const setCursor = useContext(TerminalCursor);
	// The only effect that runs before Ink writes the frame.
	useInsertionEffect(() => setCursor(cell));
}
