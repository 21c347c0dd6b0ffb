import { useCursor } from "ink";

/** Puts the terminal's own cursor on a cell of the screen, where input methods show what is being composed; hides it without one. */
export function useTerminalCursor(place: { readonly x: number; readonly y: number } | undefined): void {
	const { setCursorPosition } = useCursor();
	// Ink 7.1.1 counts rows from below a frame's trailing newline, which a frame as tall as the screen does not have.
	setCursorPosition(place && { x: place.x, y: place.y + 1 });
}
