import { type Fields, textOf } from "../entries/fields.ts";
import { describeImages, imageEnding, imagePieces, imageSize } from "../entries/images.ts";
import { SHOWN_IMAGES } from "../share/survey.ts";
import { escaped, type Html, markup, NOTHING } from "./html-text.ts";

/** An image, in the page itself; one that no browser shows in words. */
export function* imageHtml(image: Fields): Generator<Html> {
	const data = textOf(image.data);
	const type = SHOWN_IMAGES.get(imageEnding(data) ?? "");
	const words = escaped(describeImages([image]));
	if (type === undefined) {
		yield markup`<p class="note">▣ ${words} (not shown)</p>`;
		return;
	}
	const size = imageSize(data);
	const measures = size === undefined ? NOTHING : markup` width="${size.width}" height="${size.height}"`;
	yield markup`<figure class="image"><img alt="${words}" loading="lazy" decoding="async"${measures} src="data:${escaped(type)};base64,`;
	for (const piece of imagePieces({ base64: data })) yield escaped(piece.replaceAll("-", "+").replaceAll("_", "/"));
	yield markup`"></figure>`;
}
