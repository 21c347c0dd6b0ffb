import { formatSize } from "../../ui/text/format.ts";
import { blocksIn, type Fields, textOf } from "../entries/fields.ts";
import { imageSize } from "../entries/images.ts";
import { rowText } from "../entries/row-text.ts";
import { jsonParts, markdownParts, textParts } from "./parts.ts";
import type { Block } from "./piece.ts";

/** The blocks of a message's content, each for itself. */
export function* contentBlocks(content: unknown, kind: "markdown" | "text"): Generator<Block> {
	for (const block of blocksIn(content)) yield contentBlock(block, kind);
}

/** A text, an image, or anything else as JSON. */
export function contentBlock(block: Fields, kind: "markdown" | "text"): Block {
	switch (block.type) {
		case "text": {
			const text = textOf(block.text);
			return { parts: kind === "markdown" ? markdownParts(text) : textParts(text), gap: true };
		}
		case "image": {
			const parts = textParts(describeImage(block), { tone: "muted", sign: "▣ " });
			return { parts: parts.map((part) => ({ ...part, image: textOf(block.data) })), gap: true };
		}
		default:
			return { parts: jsonParts(block, rowText(block.type)), gap: true };
	}
}

/** "image png, 640×480, 3.5 KB". */
function describeImage(image: Fields): string {
	const data = textOf(image.data);
	const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
	const bytes = Math.max(0, Math.floor(data.length * 0.75) - padding);
	const size = imageSize(data);
	const pixels = size === undefined ? "" : `, ${size.width}×${size.height}`;
	return `image ${rowText(image.mimeType).replace(/^image\//, "")}${pixels}, ${formatSize(bytes)}`;
}
