/** A color: red, green and blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** The color of "#rrggbb". */
export function hex(text: string): Rgb {
	const value = Number.parseInt(text.slice(1), 16);
	return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Relative luminance by WCAG 2.2, from 0 for black to 1 for white. */
function luminance([red, green, blue]: Rgb): number {
	return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The values of `linear` for whole numbers: a power takes a hundred times as long, and a start compares thousands of colors. */
const LINEAR = Float64Array.from({ length: 256 }, (_, channel) => powerOf(channel / 255));

function linear(channel: number): number {
	return LINEAR[channel] ?? powerOf(channel / 255);
}

function powerOf(part: number): number {
	return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

/** Contrast of two colors by WCAG 2.2, from 1 to 21. Text below 4.5 is hard to read. */
export function contrast(one: Rgb, other: Rgb): number {
	const [a, b] = [luminance(one), luminance(other)];
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Whether light text is easier to read on this color than dark text. */
export function isDark(color: Rgb): boolean {
	return contrast(color, WHITE) > contrast(color, BLACK);
}

/** A mix of two colors: `part` 0 is the first, 1 the second. */
function mix(from: Rgb, to: Rgb, part: number): Rgb {
	const between = (a: number, b: number): number => Math.round(a + (b - a) * part);
	return [between(from[0], to[0]), between(from[1], to[1]), between(from[2], to[2])];
}

/**
 * The color itself if it has that contrast with the ground, else the nearest color that has, toward white on a dark ground
 * and toward black on a light one.
 */
export function readableOn(ground: Rgb, color: Rgb, minContrast: number): Rgb {
	const end = isDark(ground) ? WHITE : BLACK;
	return firstBetween(color, end, (candidate) => contrast(candidate, ground) >= minContrast);
}

/** The first color on the way from one to another for which `holds` is true; the other one if none is. */
export function firstBetween(from: Rgb, to: Rgb, holds: (color: Rgb) => boolean): Rgb {
	const STEPS = 50;
	for (let step = 0; step < STEPS; step++) {
		const color = mix(from, to, step / STEPS);
		if (holds(color)) return color;
	}
	return to;
}

/** How different two colors look ("redmean"); only meaningful in comparison with other such distances. */
function distance(one: Rgb, other: Rgb): number {
	const mean = (one[0] + other[0]) / 2;
	const [red, green, blue] = [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
	return (2 + mean / 256) * red * red + 4 * green * green + (2 + (255 - mean) / 256) * blue * blue;
}

const CUBE = [0, 95, 135, 175, 215, 255];

/** Those of the 256 colors that have a fixed value: a cube of 6×6×6 from number 16 on, and 24 grays from 232 on. */
const FIXED: readonly Rgb[] = [
	...CUBE.flatMap((red) => CUBE.flatMap((green) => CUBE.map((blue): Rgb => [red, green, blue]))),
	...Array.from({ length: 24 }, (_, step): Rgb => [8 + 10 * step, 8 + 10 * step, 8 + 10 * step]),
];
/** The colors before this number are the terminal's own. */
const FIRST_FIXED = 16;

/** xterm's first 16 colors, which programs expect that print a color by its number. */
const BASIC: readonly Rgb[] = [
	[0, 0, 0],
	[205, 0, 0],
	[0, 205, 0],
	[205, 205, 0],
	[0, 0, 238],
	[205, 0, 205],
	[0, 205, 205],
	[229, 229, 229],
	[127, 127, 127],
	[255, 0, 0],
	[0, 255, 0],
	[255, 255, 0],
	[92, 92, 255],
	[255, 0, 255],
	[0, 255, 255],
	[255, 255, 255],
];

/** The value of a color by its number; undefined for the terminal's own 16. */
export function fixedColor(index: number): Rgb | undefined {
	return FIXED[index - FIRST_FIXED];
}

/**
 * Index of each fixed color in `FIXED`, by its value: most colors that are looked for are fixed ones already. Of equal ones the
 * first, as when they are compared one after the other.
 */
const PLACES = new Map(FIXED.map((color, place) => [packed(color), place] as const).reverse());

function packed([red, green, blue]: Rgb): number {
	return (red * 256 + green) * 256 + blue;
}

/** The value of a color by its number, with xterm's for the first 16; undefined if there is none. */
export function standardColor(index: number): Rgb | undefined {
	return BASIC[index] ?? fixedColor(index);
}

/** Number of the nearest fixed color that fits, or of the nearest one if none does. */
export function nearestFixed(color: Rgb, isFit: (candidate: Rgb) => boolean = () => true): number {
	const place = PLACES.get(packed(color));
	if (place !== undefined && isFit(color)) return FIRST_FIXED + place;
	return FIRST_FIXED + (nearest(FIXED, color, isFit) ?? nearest(FIXED, color) ?? 0);
}

/** Number of the nearest of the 16 colors, for a terminal that has no others. */
export function nearestBasic(color: number | Rgb): number {
	if (typeof color !== "number") return nearest(BASIC, color) ?? 0;
	const fixed = fixedColor(color);
	return fixed === undefined ? color : (nearest(BASIC, fixed) ?? 0);
}

function nearest(colors: readonly Rgb[], target: Rgb, isFit: (color: Rgb) => boolean = () => true): number | undefined {
	let best: number | undefined;
	let bestDistance = Number.POSITIVE_INFINITY;
	// Runs some hundred times at each start, before V8 has compiled it: `entries()` would take twice as long.
	for (let index = 0; index < colors.length; index++) {
		const color = colors[index] ?? target;
		const far = distance(color, target);
		if (far >= bestDistance || !isFit(color)) continue;
		bestDistance = far;
		best = index;
	}
	return best;
}
