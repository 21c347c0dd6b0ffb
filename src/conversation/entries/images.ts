import { formatCounted } from "../../ui/text/format.ts";
import { fieldsOf, textOf } from "./fields.ts";
import { imageSize } from "./image-size.ts";
import { rowBlocks, rowText } from "./row-text.ts";

/** The images of a message in a few words: "image png 640×480", "3 images"; "" when it has none. */
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
