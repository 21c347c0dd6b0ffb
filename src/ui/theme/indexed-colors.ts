import { distance, type Rgb } from "./rgb.ts";

const CUBE = [0, 95, 135, 175, 215, 255];

/** Of the 256 colors those with a fixed value: from number 16 on a cube of 6×6×6, and from 232 on 24 grays. */
const FIXED: readonly Rgb[] = [
	...CUBE.flatMap((red) => CUBE.flatMap((green) => CUBE.map((blue): Rgb => [red, green, blue]))),
	...Array.from({ length: 24 }, (_, step): Rgb => [8 + 10 * step, 8 + 10 * step, 8 + 10 * step]),
];
/** Number of the first of them; those before are of the terminal's own palette. */
const FIRST_FIXED = 16;

/** xterm's first 16 colors, which programs that print a color by its number have in mind. */
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

/** The value of a color by its number, with xterm's for the first 16; undefined where there is none. */
export function standardColor(index: number): Rgb | undefined {
	return BASIC[index] ?? fixedColor(index);
}

/** Number of the nearest color with a fixed value, of those that are fit; of all where none is. */
export function nearestFixed(color: Rgb, isFit: (candidate: Rgb) => boolean = () => true): number {
	return FIRST_FIXED + (nearest(FIXED, color, isFit) ?? nearest(FIXED, color) ?? 0);
}

/** The nearest of the 16 colors, for a terminal that has no others. */
export function nearestBasic(color: number | Rgb): number {
	if (typeof color !== "number") return nearest(BASIC, color) ?? 0;
	const fixed = fixedColor(color);
	return fixed === undefined ? color : (nearest(BASIC, fixed) ?? 0);
}

function nearest(colors: readonly Rgb[], wanted: Rgb, isFit: (color: Rgb) => boolean = () => true): number | undefined {
	let best: number | undefined;
	let least = Number.POSITIVE_INFINITY;
	for (const [index, color] of colors.entries()) {
		const far = distance(color, wanted);
		if (far >= least || !isFit(color)) continue;
		least = far;
		best = index;
	}
	return best;
}
