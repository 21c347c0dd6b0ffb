import type { Palette } from "./palette.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The colors that the person has chosen in pi; what is undefined is ours. */
export interface ThemeChoice {
	/** Whether they are for a dark background; undefined: for whatever the terminal has. */
	readonly dark?: boolean | undefined;
	/** The palette on a dark background. */
	readonly onDark?: Palette | undefined;
	readonly onLight?: Palette | undefined;
}

/** Numbers of the light colors of the palette, as programs have classified them since Vim. */
const LIGHT_INDEXES = new Set([7, 9, 10, 11, 12, 13, 14, 15]);

/**
 * Whether the background is dark by `COLORFGBG`, in which some terminals give the numbers of their text color and background
 * ("15;0", or "15;default;0"); undefined if it does not say.
 */
export function darkByEnvironment({ COLORFGBG }: Env): boolean | undefined {
	const index = /^[\d\w]+;(?:\w+;)?(\d{1,2})$/.exec(COLORFGBG ?? "")?.[1];
	if (index === undefined || Number(index) > 15) return undefined;
	return !LIGHT_INDEXES.has(Number(index));
}

/** Whether the person has chosen a dark background with `PI_GROVE_THEME`; undefined if they chose nothing. */
export function darkByChoice({ PI_GROVE_THEME }: Env): boolean | undefined {
	if (PI_GROVE_THEME === "dark") return true;
	return PI_GROVE_THEME === "light" ? false : undefined;
}
