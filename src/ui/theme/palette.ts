import type { Ground, Tone, WordGround } from "../text/line.ts";
import { hex, type Rgb } from "./rgb.ts";

/** The colors of all tones and grounds, for terminals with 24-bit color and, approximately, with 256. */
export interface Palette {
	/** The background that they were chosen for. */
	readonly background: Rgb;
	readonly tones: Readonly<Record<Tone, Rgb>>;
	readonly grounds: Readonly<Record<PaletteGround, GroundColor>>;
}

/** A ground with a color of its own; that of words is mixed from the ground and the tone of their line. */
export type PaletteGround = Exclude<Ground, WordGround>;

interface GroundColor {
	readonly color: Rgb;
	/** The least contrast with the background at which it is visible. */
	readonly contrast: number;
	/** Mixed into a background on which `color` would not be visible. */
	readonly tint: Rgb;
}

interface ToneColor {
	/** On a dark background. */
	readonly dark: string;
	/** On a light background. */
	readonly light: string;
	/** The color of pi for it (pi 1.5.2, docs/themes.md). */
	readonly pi: string;
	/** Which of the terminal's own 16 colors may be used, the best one first; if none, its own text color. */
	readonly basic: readonly number[];
}

const RED = 1;
const GREEN = 2;
const YELLOW = 3;
const BLUE = 4;
const MAGENTA = 5;
const CYAN = 6;
const BRIGHT = 8;

export const TONES: Readonly<Record<Tone, ToneColor>> = {
	text: { dark: "#d4d7dc", light: "#24292e", pi: "text", basic: [] },
	muted: { dark: "#8b93a1", light: "#5c6370", pi: "muted", basic: [] },
	frame: { dark: "#4b5263", light: "#c8ccd4", pi: "borderMuted", basic: [] },
	accent: { dark: "#7aa2f7", light: "#2060c0", pi: "borderAccent", basic: [CYAN + BRIGHT, CYAN, BLUE] },
	prompt: { dark: "#7dcfff", light: "#0b5394", pi: "userMessageText", basic: [CYAN + BRIGHT, CYAN, BLUE] },
	verb: { dark: "#9aa5ce", light: "#5a6b9a", pi: "border", basic: [BLUE + BRIGHT, BLUE] },
	label: { dark: "#e0af68", light: "#8a5a00", pi: "warning", basic: [YELLOW, YELLOW + BRIGHT] },
	summary: { dark: "#bb9af7", light: "#7a3aa8", pi: "customMessageLabel", basic: [MAGENTA + BRIGHT, MAGENTA] },
	current: { dark: "#9ece6a", light: "#3e7d00", pi: "success", basic: [GREEN, GREEN + BRIGHT] },
	match: { dark: "#ffd787", light: "#5f3d00", pi: "searchMatchText", basic: [YELLOW, YELLOW + BRIGHT] },
	warning: { dark: "#e0af68", light: "#8a5a00", pi: "warning", basic: [YELLOW, YELLOW + BRIGHT] },
	error: { dark: "#f7768e", light: "#c4314b", pi: "error", basic: [RED + BRIGHT, RED] },
	key: { dark: "#7aa2f7", light: "#2060c0", pi: "accent", basic: [CYAN, CYAN + BRIGHT, BLUE] },
	added: { dark: "#9ece6a", light: "#2f6f00", pi: "toolDiffAdded", basic: [GREEN, GREEN + BRIGHT] },
	removed: { dark: "#f7768e", light: "#b02a44", pi: "toolDiffRemoved", basic: [RED + BRIGHT, RED] },
	heading: { dark: "#e0af68", light: "#8a5a00", pi: "mdHeading", basic: [YELLOW, YELLOW + BRIGHT] },
	link: { dark: "#7aa2f7", light: "#2060c0", pi: "mdLink", basic: [BLUE + BRIGHT, BLUE] },
	code: { dark: "#9ece6a", light: "#2f6f00", pi: "mdCode", basic: [GREEN, GREEN + BRIGHT] },
	keyword: { dark: "#bb9af7", light: "#7a3aa8", pi: "syntaxKeyword", basic: [MAGENTA + BRIGHT, MAGENTA] },
	string: { dark: "#9ece6a", light: "#2f6f00", pi: "syntaxString", basic: [GREEN, GREEN + BRIGHT] },
	comment: { dark: "#8b93a1", light: "#5c6370", pi: "syntaxComment", basic: [] },
	number: { dark: "#ff9e64", light: "#a04800", pi: "syntaxNumber", basic: [YELLOW, YELLOW + BRIGHT] },
	name: { dark: "#7aa2f7", light: "#2060c0", pi: "syntaxFunction", basic: [BLUE + BRIGHT, BLUE] },
	type: { dark: "#2ac3de", light: "#00707f", pi: "syntaxType", basic: [CYAN, CYAN + BRIGHT] },
};

export const DARK: Palette = {
	background: hex("#16181d"),
	tones: mapRecord(TONES, ({ dark }) => hex(dark)),
	grounds: {
		bar: { color: hex("#1f2329"), contrast: 1.08, tint: hex("#8b93a1") },
		prompt: { color: hex("#1d2735"), contrast: 1.12, tint: hex("#4a90d9") },
		code: { color: hex("#1f2329"), contrast: 1.08, tint: hex("#8b93a1") },
		added: { color: hex("#1f3326"), contrast: 1.15, tint: hex("#4fae6a") },
		removed: { color: hex("#3b1f2b"), contrast: 1.12, tint: hex("#d05a7c") },
		cursor: { color: hex("#283457"), contrast: 1.3, tint: hex("#6a8ae0") },
		"cursor-beside": { color: hex("#1f2329"), contrast: 1.08, tint: hex("#8b93a1") },
		match: { color: hex("#5a4a1f"), contrast: 1.6, tint: hex("#c9a227") },
	},
};

export const LIGHT: Palette = {
	background: hex("#ffffff"),
	tones: mapRecord(TONES, ({ light }) => hex(light)),
	grounds: {
		bar: { color: hex("#f0f0f0"), contrast: 1.08, tint: hex("#5c6370") },
		prompt: { color: hex("#eaf2fb"), contrast: 1.08, tint: hex("#2060c0") },
		code: { color: hex("#f4f5f7"), contrast: 1.05, tint: hex("#5c6370") },
		added: { color: hex("#e6ffec"), contrast: 1.03, tint: hex("#2f9f50") },
		removed: { color: hex("#ffebe9"), contrast: 1.08, tint: hex("#d0405a") },
		cursor: { color: hex("#dce8f7"), contrast: 1.15, tint: hex("#2060c0") },
		"cursor-beside": { color: hex("#f0f0f0"), contrast: 1.08, tint: hex("#5c6370") },
		match: { color: hex("#ffe9a8"), contrast: 1.12, tint: hex("#d9a400") },
	},
};

export function mapRecord<Key extends string, From, To>(
	record: Readonly<Record<Key, From>>,
	map: (value: From, key: Key) => To,
): Record<Key, To> {
	const keys = Object.keys(record) as Key[];
	// The entries have all keys of `record`.
	return Object.fromEntries(keys.map((key) => [key, map(record[key], key)])) as Record<Key, To>;
}
