import type { DividerName } from "./layout.ts";
import type { Cell } from "./view.ts";

/** What the left button or the wheel of the mouse did, and over which cell of the screen. */
export type MouseEvent = Cell &
	(
		| { readonly kind: "press" | "drag" | "release" }
		/** `rows`: how far the wheel was turned, down or, negative, up. */
		| { readonly kind: "wheel"; readonly rows: number }
	);

/** What the mouse is doing. */
export interface MouseState {
	/** The divider that is being dragged. */
	readonly dragged: DividerName | undefined;
	/** Where and when (Unix ms) the button was last pressed, for a second press. */
	readonly pressed: (Cell & { readonly atMs: number }) | undefined;
}

export const FIRST_MOUSE: MouseState = { dragged: undefined, pressed: undefined };
