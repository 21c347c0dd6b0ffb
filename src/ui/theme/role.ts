import type { Ground, ShellColor, Tone } from "../view.ts";

/** How one kind of text is drawn; the colors are SGR parameters, "" for the terminal's own. */
export interface Role {
	readonly foreground: string;
	readonly background: string;
	readonly bold?: boolean;
	readonly dim?: boolean;
	readonly underline?: boolean;
	readonly inverse?: boolean;
}

/** What a terminal makes of tones, grounds and colors. */
export interface Roles {
	/** A tone on a ground; without one, on the terminal's own background. */
	roleOf(tone: Tone, ground: Ground | undefined): Role;
	/** SGR parameters of a color that a program has printed on a ground of ours, as near to it as can be read; "" for none. */
	shellText(color: ShellColor, ground: Ground | undefined): string;
	/** The same as the program has chosen it, where it has also chosen what the text stands on. */
	shellColor(color: ShellColor, layer: Layer): string;
}

/** Number in SGR of the first color for text, and for what it stands on. */
export type Layer = 30 | 40;

/** The contrast with its ground that content has at least. */
export const READABLE = 4.5;
/** The same for what need not be read. */
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

/** What stands for the 16 colors where a program prints in them: a terminal's own may be unreadable (its blue often is). */
const SHELL_TONES: readonly Tone[] = ["muted", "error", "added", "label", "key", "summary", "accent", "text"];

/** The tone for one of 16 colors by its number; undefined for all others. */
export function shellTone(color: ShellColor): Tone | undefined {
	return typeof color === "number" && color < 16 ? SHELL_TONES[color % 8] : undefined;
}
