import type { Cell } from "../../../ui/view.ts";
import type { DividerName } from "./split.ts";

/** What the mouse is doing. */
export interface MouseState {
	/** The divider that is being dragged. */
	readonly dragged: DividerName | undefined;
	/** Where and when (Unix ms) the button was last pressed, for a second press. */
	readonly pressed: (Cell & { readonly atMs: number }) | undefined;
}

export const FIRST_MOUSE: MouseState = { dragged: undefined, pressed: undefined };
