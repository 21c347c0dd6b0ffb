import { converter, useMode as define, modeOkhsl, modeOklch, modeRgb, toGamut } from "culori/fn";
import { messageOf } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import type { Tone } from "../text/line.ts";
import { DARK, LIGHT, mapRecord, type Palette, type PaletteGround, TONES } from "./palette.ts";
import { contrast, firstBetween, hex, isDark, type Rgb, standardColor } from "./rgb.ts";

interface ParsedTheme {
	/** Undefined if nothing of the theme can be used. */
	readonly palette?: Palette;
	readonly problems: readonly string[];
}

/** The color of pi for each of our grounds, and the tone that is mixed in if the ground would not be visible. */
const GROUNDS: Readonly<Record<PaletteGround, readonly [token: string, tint: Tone]>> = {
	bar: ["toolPendingBg", "muted"],
	prompt: ["userMessageBg", "accent"],
	code: ["toolPendingBg", "muted"],
	added: ["toolSuccessBg", "added"],
	removed: ["toolErrorBg", "removed"],
	cursor: ["selectedBg", "key"],
	"cursor-beside": ["toolPendingBg", "muted"],
	match: ["searchMatchBg", "label"],
};

/** Least contrast of a ground with the background: the person chose it, so it only has to be visible at all. */
const SEEN = 1.03;
/** Least contrast of the row under the cursor with a prompt's band; in pi the two are never together. */
const APART = 1.25;

/** Parses the text of one of pi's themes. Never throws. */
export function parsePiTheme(text: string): ParsedTheme {
	let content: unknown;
	try {
		content = JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch (error) {
		return { problems: [`It is not JSON: ${messageOf(error)}.`] };
	}
	if (!isObject(content) || !isObject(content.colors)) return { problems: ['It has no "colors".'] };
	const vars = isObject(content.vars) ? content.vars : {};
	const { colors, appearance } = content;
	const unusable = new Set<string>();

	function read(token: string): Rgb | undefined {
		const value = lookUp(colors, vars, token);
		if (value === undefined || value === "") return undefined;
		const color = parseColor(value);
		if (color === undefined) unusable.add(token);
		return color;
	}

	const standard = isForDark(appearance, read("userMessageBg") ?? read("selectedBg"), read("text")) ? DARK : LIGHT;
	const tones = mapRecord(TONES, ({ pi }, tone) => read(pi) ?? standard.tones[tone]);
	const grounds = mapRecord(GROUNDS, ([token, tint], ground) => ({
		color: read(token) ?? (ground === "match" ? read("selectedBg") : undefined) ?? standard.grounds[ground].color,
		contrast: SEEN,
		tint: tones[tint],
	}));
	const { prompt, cursor } = grounds;
	const apart = firstBetween(cursor.color, cursor.tint, (color) => contrast(color, prompt.color) >= APART);
	const names = [...unusable].join(", ");
	return {
		palette: { background: standard.background, tones, grounds: { ...grounds, cursor: { ...cursor, color: apart } } },
		problems: names === "" ? [] : [`Its values for ${names} are not colors; the built-in ones are used instead.`],
	};
}

/** The value of a color, with variables resolved; undefined if there is none, null if they refer to each other in a circle. */
function lookUp(colors: Record<string, unknown>, vars: Record<string, unknown>, token: string): unknown {
	let value = Object.hasOwn(colors, token) ? colors[token] : undefined;
	for (let depth = 0; typeof value === "string" && Object.hasOwn(vars, value); depth++) {
		if (depth > Object.keys(vars).length) return null;
		value = vars[value];
	}
	return value;
}

const NUMBER = "(-?\\d*\\.?\\d+)";
const OKLCH = new RegExp(`^oklch\\(\\s*${NUMBER}(%?)\\s+${NUMBER}\\s+${NUMBER}(?:deg)?\\s*\\)$`, "i");
const OKHSL = new RegExp(`^okhsl\\(\\s*${NUMBER}(?:deg)?\\s+${NUMBER}(%?)\\s+${NUMBER}(%?)\\s*\\)$`, "i");

function parseColor(value: unknown): Rgb | undefined {
	if (typeof value === "number") return Number.isInteger(value) ? standardColor(value) : undefined;
	if (typeof value !== "string") return undefined;
	if (/^#[\da-f]{6}$/i.test(value)) return hex(value);
	if (/^#[\da-f]{3}$/i.test(value)) return hex(value.replace(/[\da-f]/gi, "$&$&"));
	const lch = OKLCH.exec(value);
	if (lch) return oklch(part(lch[1], lch[2]), Math.max(0, Number(lch[3])), Number(lch[4]));
	const hsl = OKHSL.exec(value);
	return hsl ? okhsl(Number(hsl[1]), part(hsl[2], hsl[3]), part(hsl[4], hsl[5])) : undefined;
}

function part(digits: string | undefined, percent: string | undefined): number {
	return Math.min(1, Math.max(0, Number(digits) / (percent === "%" ? 100 : 1)));
}

/** Whether a theme is for a dark background: as it says, else as its own colors suggest. */
function isForDark(appearance: unknown, ground: Rgb | undefined, text: Rgb | undefined): boolean {
	if (appearance === "dark" || appearance === "light") return appearance === "dark";
	if (ground !== undefined) return isDark(ground);
	return text === undefined || !isDark(text);
}

/** Colors as pi's themes write them. Hues are in degrees, all else from 0 to 1. */

define(modeOkhsl);
define(modeOklch);
define(modeRgb);

const toRgb = converter("rgb");

/** A color in OKLCH; one outside sRGB loses chroma. */
export function oklch(lightness: number, chroma: number, hue: number): Rgb {
	return bytesOf(toGamut("rgb", "oklch", null)({ mode: "oklch", l: lightness, c: chroma, h: hue }));
}

export function okhsl(hue: number, saturation: number, lightness: number): Rgb {
	// culori 4.0.2 divides by the lightness.
	if (lightness <= 0) return [0, 0, 0];
	return bytesOf(toRgb({ mode: "okhsl", h: ((hue % 360) + 360) % 360, s: saturation, l: lightness }));
}

function bytesOf({ r, g, b }: { readonly r: number; readonly g: number; readonly b: number }): Rgb {
	return [byteOf(r), byteOf(g), byteOf(b)];
}

function byteOf(part: number): number {
	return Math.round(255 * Math.min(1, Math.max(0, part)));
}
