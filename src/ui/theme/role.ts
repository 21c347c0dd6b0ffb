import type { Ground, ShellColor, Tone } from "../text/line.ts";
import type { Rgb } from "./rgb.ts";

/** The colors that the terminal reported. */
export interface TerminalColors {
	readonly background?: Rgb | undefined;
	readonly foreground?: Rgb | undefined;
	/** Its 16 colors by number; some may be missing. */
	readonly palette?: ReadonlyMap<number, Rgb> | undefined;
}

/** How one kind of text is drawn; the colors are SGR parameters, "" for the terminal's own. */
export interface Role {
	readonly foreground: string;
	readonly background: string;
	readonly bold?: boolean;
	readonly dim?: boolean;
	readonly underline?: boolean;
	readonly inverse?: boolean;
}

/** How a terminal draws tones, grounds and colors. */
export interface Roles {
	/** A tone on a ground; without one, on the terminal's own background. */
	roleOf(tone: Tone, ground: Ground | undefined): Role;
	/** SGR parameters for a text color that a program printed, adjusted to be readable on our ground; "" for none. */
	shellText(color: ShellColor, ground: Ground | undefined): string;
	/** SGR parameters for exactly that color, if the program chose both the text and the background color. */
	shellColor(color: ShellColor, layer: Layer): string;
}

/** The first SGR number for text colors, and for background colors. */
export type Layer = 30 | 40;

/** Least contrast of content with its ground. */
export const READABLE = 4.5;
/** Least contrast of what need not be read. */
export const SEEN = 1.3;
/** Tones that are not content. */
export const UNREAD_TONES: ReadonlySet<Tone> = new Set(["frame"]);

/** SGR parameters of one of the terminal's own 16 colors. */
export function basicColor(index: number, layer: Layer): string {
	return String(index < 8 ? layer + index : layer + 60 + index - 8);
}

/** SGR parameters of one of 256 colors. */
export function indexedColor(index: number, layer: Layer): string {
	return index < 16 ? basicColor(index, layer) : `${layer + 8};5;${index}`;
}

/** Our tones for the 16 colors that a program may print in: the terminal's own may be unreadable (its blue often is). */
const SHELL_TONES: readonly Tone[] = ["muted", "error", "added", "label", "key", "summary", "accent", "text"];

/** The tone for one of the 16 colors; undefined for other colors. */
export function shellTone(color: ShellColor): Tone | undefined {
	return typeof color === "number" && color < 16 ? SHELL_TONES[color % 8] : undefined;
}
