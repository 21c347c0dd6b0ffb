import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { imageSize } from "../../../src/conversation/entries/images.ts";
import { fixture } from "../../support/fixture.ts";

/** The first bytes of an image, up to its size. */
function base64(...parts: (string | number | readonly number[])[]): string {
	return Buffer.concat(
		parts.map((part) => Buffer.from(typeof part === "string" ? Buffer.from(part, "latin1") : [part].flat())),
	).toString("base64");
}

const zeros = (count: number) => new Array<number>(count).fill(0);

describe("the size of an image", () => {
	test("PNG", () => {
		const [png] = /iVBOR[^"]+/.exec(readFileSync(fixture("pi-1.5.2").path, "utf8")) ?? [];
		expect(imageSize(png ?? "")).toEqual({ width: 24, height: 16 });
	});

	test.each([
		["GIF", base64("GIF89a", [0x40, 0x01, 0xf0, 0x00]), { width: 320, height: 240 }],
		[
			"lossy WebP",
			base64("RIFF", zeros(4), "WEBPVP8 ", zeros(10), [0x40, 0x41, 0xf0, 0x00]),
			{ width: 320, height: 240 },
		],
		[
			"lossless WebP",
			base64("RIFF", zeros(4), "WEBPVP8L", zeros(4), 0x2f, [0x3f, 0xc1, 0x3b, 0x00], zeros(6)),
			{ width: 320, height: 240 },
		],
		[
			"extended WebP",
			base64("RIFF", zeros(4), "WEBPVP8X", zeros(8), [0x3f, 1, 0, 0xef, 0, 0]),
			{ width: 320, height: 240 },
		],
		[
			"JPEG, its size after another segment and fill bytes",
			base64([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 17, 8, 0, 240, 1, 64, 3], zeros(4)),
			{ width: 320, height: 240 },
		],
		["a JPEG that ends before its size", base64([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff], zeros(8)), undefined],
		["a PNG that ends before its size", base64("\x89PNG\r\n\x1a\n", zeros(4)), undefined],
		["something else", base64("<svg/>", zeros(40)), undefined],
		["nothing", "", undefined],
	])("%s", (_kind, image, size) => {
		expect(imageSize(image)).toEqual(size);
	});
});
