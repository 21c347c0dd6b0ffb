import { printJson } from "../../shared/print-json.ts";
import { formatCount } from "../../ui/text/format.ts";
import { jsonRows } from "../render/render-json.ts";
import { cutLines } from "./cuts.ts";
import { drawnPart } from "./drawn-part.ts";
import type { Part } from "./piece.ts";
import { textParts } from "./text-parts.ts";

/** Characters of a value printed as JSON at most: some thousand rows. */
const MAX_JSON = 200_000;

/** A value as JSON, "" for none; of a very large one the beginning. */
export function jsonText(value: unknown): string {
	if (value === undefined) return "";
	const text = printJson(value, { indent: 2, limit: MAX_JSON + 1 });
	return text.length > MAX_JSON ? `${text.slice(0, MAX_JSON)}\n… ${CUT}` : text;
}

/** A value as JSON, below what it is. */
export function jsonParts(value: unknown, title: string): Part[] {
	return [...(title === "" ? [] : textParts(title, { tone: "verb" })), ...jsonTextParts(jsonText(value))];
}

/** A text in JSON. */
export function jsonTextParts(json: string): Part[] {
	return cutLines(json).map((part) => drawnPart(part, (width) => jsonRows(part, width), { tone: "muted" }));
}

/** Lines below each other; a list of very many is cut. */
export function joinLines(lines: Iterable<string>): string {
	let text = "";
	for (const line of lines) {
		if (text.length > MAX_JSON) return `${text}\n… ${CUT}`;
		text += text === "" ? line : `\n${line}`;
	}
	return text;
}

/** Ends what is too large to be shown. */
const CUT = `cut here: ${formatCount(MAX_JSON)} characters of a value are shown`;
