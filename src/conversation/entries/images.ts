import { fieldsOf, textOf } from "../../store/format/fields.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { rowBlocks, rowText } from "./row-text.ts";

/** Describes the images of a message: "image png 640×480", "3 images"; "" if it has none. */
export function describeImages(content: unknown): string {
	const images = rowBlocks(content)
		.map(fieldsOf)
		.filter(({ type }) => type === "image");
	const [image] = images;
	if (image === undefined) return "";
	if (images.length > 1) return formatCounted(images.length, "image");
	const format = rowText(image.mimeType).replace(/^image\//, "");
	const size = imageSize(textOf(image.data));
	return ["image", format, size === undefined ? "" : `${size.width}×${size.height}`].filter(Boolean).join(" ");
}

/** Characters of base64 that contain every signature. */
const SIGNATURE = 32;

/** Signatures of image files with their extensions, the most certain first. */
const SIGNATURES: readonly (readonly [start: RegExp, ending: string])[] = [
	[/^\x89PNG\r\n\x1a\n/s, "png"],
	[/^\xff\xd8\xff/s, "jpg"],
	[/^GIF8[79]a/s, "gif"],
	[/^RIFF.{4}WEBP/s, "webp"],
	[/^.{4}ftypavi[fs]/s, "avif"],
	[/^.{4}ftyp(?:heic|heix|mif1)/s, "heic"],
	[/^(?:II\*\0|MM\0\*)/s, "tiff"],
	[/^BM.{4}\0{4}/s, "bmp"],
];

/**
 * The extension of an image's file, from the beginning of its base64 text; undefined for an unknown format, whatever its
 * type says: a program that opens files by their extension might run it.
 */
export function imageEnding(base64: string): string | undefined {
	const bytes = Buffer.from(base64.slice(0, SIGNATURE), "base64").toString("latin1");
	return SIGNATURES.find(([start]) => start.test(bytes))?.[1];
}

/** Width and height in pixels. */
interface ImageSize {
	readonly width: number;
	readonly height: number;
}

/** Characters of base64 that contain the size in most formats; few, since rows are drawn with every key. */
const HEADER = 64;
/** The same for a JPEG, which may have a preview and a color profile before it. */
const JPEG_HEADER = 200_000;

/** The size of a PNG, GIF, WebP or JPEG image, from the beginning of its base64 text; undefined if it is not found there. */
export function imageSize(base64: string): ImageSize | undefined {
	const bytes = Buffer.from(base64.slice(0, HEADER), "base64");
	const text = (from: number, to: number) => bytes.toString("latin1", from, to);
	if (text(1, 4) === "PNG" && bytes.length >= 24) {
		return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
	}
	if (text(0, 3) === "GIF" && bytes.length >= 10) {
		return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
	}
	if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP" && bytes.length >= 30) return webpSize(bytes, text(12, 16));
	return text(0, 2) === "\xff\xd8" ? jpegSize(Buffer.from(base64.slice(0, JPEG_HEADER), "base64")) : undefined;
}

/** The size by the kind of the first chunk: lossy, lossless or extended (developers.google.com/speed/webp/docs/riff_container). */
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

/** UTF-16 units of a piece; a multiple of four, which are three bytes. */
const PIECE = 64 * 1024;

/** The base64 text of an image in pieces that can be decoded in turn, without characters that do not belong to it. */
export function* imagePieces({ base64 }: { readonly base64: string }): Generator<string> {
	let rest = "";
	for (let from = 0; from < base64.length; from += PIECE) {
		const text = rest + base64.slice(from, from + PIECE).replace(/[^A-Za-z0-9+/_-]/g, "");
		const end = text.length - (text.length % 4);
		rest = text.slice(end);
		yield text.slice(0, end);
	}
	yield rest;
}
