import type { Palette } from "./palette.ts";

/** The colors that the person has chosen in pi; undefined ones are ours. */
export interface ThemeChoice {
	/** Whether they are for a dark background; undefined: as the terminal is. */
	readonly dark?: boolean | undefined;
	/** On a dark background. */
	readonly onDark?: Palette | undefined;
	readonly onLight?: Palette | undefined;
}
