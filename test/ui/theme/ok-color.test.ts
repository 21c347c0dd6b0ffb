import { expect, test } from "vitest";
import { okhsl, oklch } from "../../../src/ui/theme/pi-theme.ts";

// As pi 1.5.2 computes them.
test.each<[hue: number, saturation: number, lightness: number, rgb: number[]]>([
	[29.23, 1, 0.568, [255, 0, 0]],
	[142.5, 1, 0.844, [0, 255, 0]],
	[234, 0.03, 0.89, [222, 224, 225]],
	[295, 0.5, 0.67, [167, 152, 215]],
	[233, 0.41, 0.24, [33, 59, 73]],
	[83, 0.99, 0.47, [143, 104, 2]],
	[20, 0.72, 0.67, [234, 127, 129]],
	[159, 0.59, 0.67, [104, 183, 141]],
	[10, 0.5, 0, [0, 0, 0]],
	[10, 0.5, 1, [255, 255, 255]],
])("okhsl(%d %d %d) is %j", (hue, saturation, lightness, rgb) => {
	expect(okhsl(hue, saturation, lightness)).toEqual(rgb);
	expect(okhsl(hue + 360, saturation, lightness)).toEqual(rgb);
});

test("an OKLCH color outside sRGB loses chroma, but keeps its hue", () => {
	expect(oklch(0.62, 0.1, 200)).toEqual([28, 152, 158]);
	expect(oklch(0.62, 0.4, 200)).toEqual([0, 153, 159]);
	expect(oklch(1, 0, 0)).toEqual([255, 255, 255]);
});
