import { converter, useMode as define, modeOkhsl, modeOklch, modeRgb, toGamut } from "culori/fn";
import type { Rgb } from "./rgb.ts";

/** Colors as pi's themes write them. Hues are in degrees, all else from 0 to 1. */

define(modeOkhsl);
define(modeOklch);
define(modeRgb);

const toRgb = converter("rgb");

/** A color in OKLCH; one outside sRGB loses chroma. */
export function oklch(lightness: number, chroma: number, hue: number): Rgb {
	return bytesOf(toGamut("rgb", "oklch", null)({ mode: "oklch", l: lightness, c: chroma, h: hue }));
}

/** A color in OKHSL. */
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
