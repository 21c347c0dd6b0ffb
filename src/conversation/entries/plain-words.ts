import { head } from "./row-text.ts";

/** Characters of a text that are read: more than a row shows, since the markup is removed. */
const MAX_READ = 1200;

/** The beginning of a Markdown text without the markup of emphasis, headings, lists, code and links. */
export function plainWords(markdown: string): string {
	const lines = markdown.slice(0, MAX_READ).split("\n").map(plainLine);
	return head(lines.filter((line) => line !== "").join("\n"));
}

function plainLine(line: string): string {
	const text = line.trim();
	if (/^(?:```|~~~|([-*_])(?: *\1){2,}$)/.test(text) || /^\|?[-:| ]{3,}\|?$/.test(text)) return "";
	return text
		.replace(/^(?:>\s?)+/, "")
		.replace(/^#{1,6}\s+/, "")
		.replace(/^[-*+]\s+(?:\[[ xX]\]\s+)?/, "")
		.replace(/!?\[([^\]\n]{0,200})\]\([^()\s]{0,500}\)/g, "$1")
		.replace(/<((?:https?:\/\/|mailto:)[^<>\s]{1,500})>/g, "$1")
		.replace(/\*\*|__(?=\S)|(?<=\S)__|~~|`/g, "")
		.replace(/(?<![\w*])\*(?=\S)([^*\n]{1,300})(?<=\S)\*(?![\w*])/g, "$1")
		.replace(/^\|\s*|\s*\|$/g, "");
}
