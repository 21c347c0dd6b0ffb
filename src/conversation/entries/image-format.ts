/** Characters of base64 that hold every signature. */
const START = 32;

/** What an image's first bytes are, with the ending of its file; the most certain ones first. */
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
 * The ending of an image's file, from the beginning of its base64 text. Undefined for what is no image that we know,
 * whatever it is said to be: a program that opens files by their endings might run it.
 */
export function imageEnding(base64: string): string | undefined {
	const bytes = Buffer.from(base64.slice(0, START), "base64").toString("latin1");
	return SIGNATURES.find(([start]) => start.test(bytes))?.[1];
}
