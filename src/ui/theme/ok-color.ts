import type { Rgb } from "./rgb.ts";

/**
 * Colors as pi's themes write them: OKLCH and OKHSL, by Björn Ottosson (https://bottosson.github.io/posts/oklab,
 * https://bottosson.github.io/posts/colorpicker). Hues are in degrees, all else from 0 to 1.
 */

/** Direction of a hue in the plane of OKLab's a and b. */
type Hue = readonly [a: number, b: number];

/** What narrows an interval to less than a color's 8 bits can tell. */
const HALVINGS = 24;

/** A color of OKLCH; one that the screen does not have loses chroma. */
export function oklch(lightness: number, chroma: number, degrees: number): Rgb {
	const hue = hueOf(degrees);
	return toRgb(lightness, Math.min(chroma, mostChroma(lightness, hue)), hue);
}

/** A color of OKHSL. */
export function okhsl(degrees: number, saturation: number, lightness: number): Rgb {
	const hue = hueOf(degrees);
	const light = withoutToe(lightness);
	if (light <= 0 || light >= 1) return toRgb(Math.max(0, Math.min(1, light)), 0, hue);
	const { low, middle, most } = chromaScale(light, hue);
	const MIDDLE = 0.8;
	if (saturation < MIDDLE) {
		const part = saturation / MIDDLE;
		const slope = MIDDLE * low;
		return toRgb(light, (part * slope) / (1 - (1 - slope / middle) * part), hue);
	}
	const part = (saturation - MIDDLE) / (1 - MIDDLE);
	const slope = ((1 - MIDDLE) * middle ** 2) / (MIDDLE ** 2 * low);
	return toRgb(light, middle + (part * slope) / (1 - (1 - slope / (most - middle)) * part), hue);
}

function hueOf(degrees: number): Hue {
	const angle = (degrees * Math.PI) / 180;
	return [Math.cos(angle), Math.sin(angle)];
}

/** OKLab's lightness of OKHSL's. */
function withoutToe(lightness: number): number {
	const [k1, k2] = [0.206, 0.03];
	return (lightness * (lightness + k1) * (1 + k2)) / ((1 + k1) * (lightness + k2));
}

/** The chroma that OKHSL's saturations near 0, of 0.8 and of 1 stand for. */
function chromaScale(light: number, hue: Hue): { low: number; middle: number; most: number } {
	const dark = 1 - light;
	const most = mostChroma(light, hue);
	const cusp = cuspOf(hue);
	const [s, t] = middleTriangle(hue);
	// How far the gamut is from a triangle whose tip is the cusp.
	const curve = most / Math.min((light * cusp.chroma) / cusp.light, (dark * cusp.chroma) / (1 - cusp.light));
	const middle = 0.9 * curve * ((light * s) ** -4 + (dark * t) ** -4) ** -0.25;
	return { low: ((light * 0.4) ** -2 + (dark * 0.8) ** -2) ** -0.5, middle, most };
}

/** The lightness at which a hue has its most chroma. */
function cuspOf(hue: Hue): { light: number; chroma: number } {
	let [low, high] = [0, 1];
	for (let step = 0; step < HALVINGS; step++) {
		const [lower, upper] = [low + (high - low) / 3, high - (high - low) / 3];
		if (mostChroma(lower, hue) < mostChroma(upper, hue)) low = lower;
		else high = upper;
	}
	return { light: low, chroma: mostChroma(low, hue) };
}

/** Slopes of the triangle that OKHSL's middle saturation follows: Ottosson's polynomials. */
function middleTriangle([a, b]: Hue): [s: number, t: number] {
	const s =
		7.4477897 +
		4.1590124 * b +
		a *
			(-2.19557347 +
				1.75198401 * b +
				a * (-2.13704948 - 10.02301043 * b + a * (-4.24894561 + 5.38770819 * b + 4.69891013 * a)));
	const t =
		1.6132032 -
		0.68124379 * b +
		a *
			(0.40370612 +
				0.90148123 * b +
				a * (-0.27087943 + 0.6122399 * b + a * (0.00299215 - 0.45399568 * b - 0.14661872 * a)));
	return [0.11516993 + 1 / s, 0.11239642 + 1 / t];
}

/** The most chroma that the screen has of a hue at a lightness. */
function mostChroma(light: number, hue: Hue): number {
	let [low, high] = [0, 0.5];
	for (let step = 0; step < HALVINGS; step++) {
		const middle = (low + high) / 2;
		if (linearRgb(light, middle, hue).every((channel) => channel >= -1e-6 && channel <= 1 + 1e-6)) low = middle;
		else high = middle;
	}
	return low;
}

function toRgb(light: number, chroma: number, hue: Hue): Rgb {
	const [red, green, blue] = linearRgb(light, chroma, hue);
	return [byteOf(red), byteOf(green), byteOf(blue)];
}

function linearRgb(light: number, chroma: number, [a, b]: Hue): [red: number, green: number, blue: number] {
	const l = (light + chroma * (0.3963377774 * a + 0.2158037573 * b)) ** 3;
	const m = (light - chroma * (0.1055613458 * a + 0.0638541728 * b)) ** 3;
	const s = (light - chroma * (0.0894841775 * a + 1.291485548 * b)) ** 3;
	return [
		4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
		-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
		-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
	];
}

function byteOf(linear: number): number {
	const part = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
	return Math.round(255 * Math.min(1, Math.max(0, part)));
}
