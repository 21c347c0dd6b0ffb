import type { Env } from "../../shared/system.ts";
import type { Palette } from "./palette.ts";

/** The colors that the person has chosen in pi; what is undefined is ours. */
export interface ThemeChoice {
	/** Whether they are for a dark background; undefined: for whatever the terminal has. */
	readonly dark?: boolean | undefined;
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

/** The colors that a terminal has: 24-bit, 256, the 16 of its own palette, or none. */
export type ColorDepth = "24-bit" | "256" | "16" | "none";

const FORCED: Readonly<Record<string, ColorDepth>> = {
	0: "none",
	false: "none",
	"": "16",
	1: "16",
	true: "16",
	2: "256",
	3: "24-bit",
};

/** Terminals with 24-bit color that do not always set COLORTERM, by TERM and TERM_PROGRAM. */
const TRUE_COLOR_TERMS = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|wezterm|contour|rio)\b|-direct$/;
const TRUE_COLOR_PROGRAMS = new Set([
	"iTerm.app",
	"WezTerm",
	"ghostty",
	"vscode",
	"Hyper",
	"rio",
	"Tabby",
	"WarpTerminal",
]);

/** The colors of a terminal, from the environment. FORCE_COLOR (0 to 3) overrules everything, then NO_COLOR. */
export function colorDepth(env: Env): ColorDepth {
	const forced = env.FORCE_COLOR === undefined ? undefined : FORCED[env.FORCE_COLOR];
	if (forced !== undefined) return forced;
	const term = env.TERM ?? "";
	if (env.NO_COLOR || term === "dumb") return "none";
	// GNU screen inherits the variables of the terminal around it, and garbles colors that it does not know.
	if (env.STY !== undefined && env.TMUX === undefined) return /256/.test(term) ? "256" : "16";
	if (/^(?:truecolor|24bit)$/i.test(env.COLORTERM ?? "") || env.WT_SESSION !== undefined) return "24-bit";
	if (TRUE_COLOR_TERMS.test(term) || (!env.TMUX && TRUE_COLOR_PROGRAMS.has(env.TERM_PROGRAM ?? ""))) return "24-bit";
	return /256/.test(term) || env.TERM_PROGRAM === "Apple_Terminal" ? "256" : "16";
}

/** The colors that a person can choose; "default": those of pi's theme, or of the terminal. */
export const COLORS = ["default", "dark", "light"] as const;
export type Colors = (typeof COLORS)[number];

/** Terminals known to support links (OSC 8), by TERM and TERM_PROGRAM. */
const LINK_TERMS = /^(?:xterm-kitty|xterm-ghostty|foot|wezterm|alacritty|contour|rio)\b/;
const LINK_PROGRAMS = new Set(["iTerm.app", "WezTerm", "ghostty", "vscode", "Hyper", "rio", "Tabby"]);
/** The first VTE (GNOME Terminal and many others) in which links do no harm. */
const FIRST_VTE = 5000;

/** Whether the terminal is known to support links; inside tmux or screen that cannot be known. */
export function hasLinks(env: Env): boolean {
	if (env.TMUX !== undefined || env.STY !== undefined || env.TERM === "dumb") return false;
	if (LINK_TERMS.test(env.TERM ?? "") || LINK_PROGRAMS.has(env.TERM_PROGRAM ?? "")) return true;
	return env.WT_SESSION !== undefined || env.KONSOLE_VERSION !== undefined || Number(env.VTE_VERSION ?? 0) >= FIRST_VTE;
}
