import type { Rgb } from "./rgb.ts";

/** What the terminal has said of its own colors. */
export interface TerminalColors {
	readonly background?: Rgb | undefined;
	readonly foreground?: Rgb | undefined;
	/** Its 16 colors, by number; some may not be known. */
	readonly palette?: ReadonlyMap<number, Rgb> | undefined;
}
