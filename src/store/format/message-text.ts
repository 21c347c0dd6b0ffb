import type { ContentBlock } from "./schema-message.ts";

/** The blocks of a message's content: a string is one text block; malformed content has none. */
export function contentBlocks(content: unknown): readonly ContentBlock[] {
	if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
	if (!Array.isArray(content)) return [];
	return content.filter(isBlock);
}

/** The text blocks of a message's content joined by `separator`; "" for null and malformed content. */
export function contentText(content: unknown, separator = " "): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	let text = "";
	let first = true;
	for (const block of content) {
		if (!isBlock(block) || block.type !== "text" || typeof block.text !== "string") continue;
		text += first ? block.text : separator + block.text;
		first = false;
	}
	return text;
}

function isBlock(value: unknown): value is ContentBlock {
	return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
