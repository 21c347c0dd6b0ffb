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

export const DARK: Palette = {
	background: hex("#16181d"),
	tones: {
		text: hex("#d4d7dc"),
		muted: hex("#8b93a1"),
		frame: hex("#4b5263"),
		accent: hex("#7aa2f7"),
		prompt: hex("#7dcfff"),
		verb: hex("#9aa5ce"),
		label: hex("#e0af68"),
		summary: hex("#bb9af7"),
		current: hex("#9ece6a"),
		match: hex("#ffd787"),
		warning: hex("#e0af68"),
		error: hex("#f7768e"),
		key: hex("#7aa2f7"),
		added: hex("#9ece6a"),
		removed: hex("#f7768e"),
		heading: hex("#e0af68"),
		link: hex("#7aa2f7"),
		code: hex("#9ece6a"),
		keyword: hex("#bb9af7"),
		string: hex("#9ece6a"),
		comment: hex("#8b93a1"),
		number: hex("#ff9e64"),
		name: hex("#7aa2f7"),
		type: hex("#2ac3de"),
	},
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
	tones: {
		text: hex("#24292e"),
		muted: hex("#5c6370"),
		frame: hex("#c8ccd4"),
		accent: hex("#2060c0"),
		prompt: hex("#0b5394"),
		verb: hex("#5a6b9a"),
		label: hex("#8a5a00"),
		summary: hex("#7a3aa8"),
		current: hex("#3e7d00"),
		match: hex("#5f3d00"),
		warning: hex("#8a5a00"),
		error: hex("#c4314b"),
		key: hex("#2060c0"),
		added: hex("#2f6f00"),
		removed: hex("#b02a44"),
		heading: hex("#8a5a00"),
		link: hex("#2060c0"),
		code: hex("#2f6f00"),
		keyword: hex("#7a3aa8"),
		string: hex("#2f6f00"),
		comment: hex("#5c6370"),
		number: hex("#a04800"),
		name: hex("#2060c0"),
		type: hex("#00707f"),
	},
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
