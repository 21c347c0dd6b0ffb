/** Width and height in pixels. */
export interface ImageSize {
	readonly width: number;
	readonly height: number;
}

/** Characters of base64 in which most formats have it: rows are drawn with every key. */
const START = 64;
/** The same for a JPEG, which may have its preview and its color profile before it. */
const LOOKED_AT = 200_000;

/** The size of a PNG, GIF, WebP or JPEG image from the beginning of its base64 text; undefined when it is not found there. */
export function imageSize(base64: string): ImageSize | undefined {
	const bytes = Buffer.from(base64.slice(0, START), "base64");
	const text = (from: number, to: number) => bytes.toString("latin1", from, to);
	if (text(1, 4) === "PNG" && bytes.length >= 24) {
		return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
	}
	if (text(0, 3) === "GIF" && bytes.length >= 10) {
		return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
	}
	if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP" && bytes.length >= 30) return webpSize(bytes, text(12, 16));
	return text(0, 2) === "\xff\xd8" ? jpegSize(Buffer.from(base64.slice(0, LOOKED_AT), "base64")) : undefined;
}

/** By the kind of its first chunk: lossy, lossless or extended (developers.google.com/speed/webp/docs/riff_container). */
function webpSize(bytes: Buffer, chunk: string): ImageSize | undefined {
	switch (chunk) {
		case "VP8 ":
			return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
		case "VP8L": {
			const bits = bytes.readUInt32LE(21);
			return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
		}
		case "VP8X":
			return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
		default:
			return undefined;
	}
}

/** The size is in the frame header, one of the segments (ITU T.81, B.2.2). */
function jpegSize(bytes: Buffer): ImageSize | undefined {
	let at = 2;
	while (at + 9 <= bytes.length && bytes[at] === 0xff) {
		const marker = bytes[at + 1] ?? 0;
		const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
		at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
	}
	return undefined;
}
