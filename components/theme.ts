import { createContext } from "react";
import type { Span, Tone } from "../src/app/model/view.ts";

/** The properties of Ink's `Text` that a theme sets. Colors are of the terminal's own 16, so that they suit its background. */
export interface Style {
	readonly color?: string;
	readonly dimColor?: boolean;
	readonly bold?: boolean;
	readonly underline?: boolean;
	readonly inverse?: boolean;
}

/** How each kind of text is drawn. */
export interface Theme {
	readonly tones: Readonly<Record<Tone, Style>>;
	/** Border of a pane that does not have the focus. */
	readonly border: Style;
	/** Border of the pane that has the focus, and of overlays. */
	readonly focusedBorder: Style;
	/** Border of a question about something that is hard to undo. */
	readonly dangerBorder: Style;
}

const COLORED: Theme = {
	tones: {
		text: {},
		muted: { dimColor: true },
		accent: { color: "cyan" },
		frame: { dimColor: true },
		prompt: { color: "cyan", bold: true },
		verb: { color: "blue" },
		label: { color: "yellow" },
		summary: { color: "magenta" },
		current: { color: "green", bold: true },
		match: { color: "yellow", bold: true, underline: true },
		warning: { color: "yellow" },
		error: { color: "red" },
		key: { color: "cyan" },
		added: { color: "green" },
		removed: { color: "red" },
		heading: { bold: true },
		link: { color: "cyan", underline: true },
		code: { color: "yellow" },
		keyword: { color: "magenta" },
		string: { color: "green" },
		comment: { dimColor: true },
		number: { color: "yellow" },
		name: { color: "cyan" },
		type: { color: "yellow" },
	},
	border: { dimColor: true },
	focusedBorder: { color: "cyan" },
	dangerBorder: { color: "red" },
};

const PLAIN: Theme = {
	tones: {
		text: {},
		muted: { dimColor: true },
		accent: { bold: true },
		frame: { dimColor: true },
		prompt: { bold: true },
		verb: {},
		label: { bold: true },
		summary: {},
		current: { bold: true },
		match: { bold: true, underline: true },
		warning: { bold: true },
		error: { bold: true },
		key: { bold: true },
		added: {},
		removed: {},
		heading: { bold: true },
		link: { underline: true },
		code: {},
		keyword: {},
		string: {},
		comment: { dimColor: true },
		number: {},
		name: {},
		type: {},
	},
	border: { dimColor: true },
	focusedBorder: { bold: true },
	dangerBorder: { bold: true },
};

/** The theme with or without colors; without them (NO_COLOR) bold, dim and inverse remain. */
export function createTheme(colors: boolean): Theme {
	return colors ? COLORED : PLAIN;
}

/** The theme that the components below draw with. */
export const ThemeContext = createContext<Theme>(COLORED);

/**
 * The style of one span. On an inverted row the tones are left out, since the background would change color from span to
 * span; a match stays underlined there.
 */
export function spanStyle(theme: Theme, span: Span, inverted: boolean): Style {
	const tone = theme.tones[span.tone ?? "text"];
	if (inverted) return { bold: true, ...(span.tone === "match" && { underline: true }) };
	return span.bold ? { ...tone, bold: true } : tone;
}
