/** What the base64 of a PNG, JPEG, GIF or WebP file begins with. Within longer base64 these letters stand by chance. */
const BEGINNING = /(?<![A-Za-z0-9+/_-])(?:iVBORw0KGg|\/9j\/|R0lGOD[dl]h|UklGR)/g;
const BASE64 = /[A-Za-z0-9+/]*={0,2}/y;
/** UTF-16 units from which on base64 that begins so is taken for a picture. Less is read quickly, and may be something else. */
const SHORTEST = 4096;

/**
 * The ranges of a text, in UTF-16 units, between the base64 of pictures. That is most of the bytes of a session that has pictures, holds
 * nothing to read, and contains anything that looks like a key by chance.
 */
export function rangesBesidePictures(text: string): readonly (readonly [from: number, to: number])[] {
	const ranges: [number, number][] = [];
	let from = 0;
	for (const { index } of text.length < SHORTEST ? [] : text.matchAll(BEGINNING)) {
		BASE64.lastIndex = index;
		BASE64.test(text);
		if (BASE64.lastIndex - index < SHORTEST) continue;
		if (index > from) ranges.push([from, index]);
		from = BASE64.lastIndex;
	}
	if (from < text.length) ranges.push([from, text.length]);
	return ranges;
}
