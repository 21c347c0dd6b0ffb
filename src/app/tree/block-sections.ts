import { eachField, type Fields, fieldsOf, listOf, textOf } from "../conversation/fields.ts";
import { imageSize } from "../conversation/image-size.ts";
import { rowText } from "../conversation/row-text.ts";
import type { CallFacts } from "../conversation/tool-call.ts";
import type { Tone } from "../model/view.ts";
import { formatSize } from "../text/format.ts";
import { callTitle, titleShows } from "./call-title.ts";
import { type EntrySection, ifAny, joinLines, json, section } from "./entry-section.ts";

/** The blocks of a message in full: text, thinking, tool calls, images; of unknown ones their JSON. */
export function* blockSections(content: unknown, home: string, tone: Tone = "text"): Generator<EntrySection> {
	if (typeof content === "string") yield section("", content, tone);
	for (const block of listOf(content)) yield* blockSection(fieldsOf(block), home, tone);
}

function blockSection(block: Fields, home: string, tone: Tone): EntrySection[] {
	switch (block.type) {
		case "text":
			return [section("", textOf(block.text), tone)];
		case "thinking":
			return [section("thinking", textOf(block.thinking) || "(withheld by the provider)", "muted")];
		case "toolCall": {
			const call = { name: textOf(block.name), args: fieldsOf(block.arguments) };
			const problem = textOf(block.argumentsError);
			return [
				section(`→ ${callTitle(call, home)}`, argumentsText(call), "muted"),
				ifAny("arguments that are no JSON object", problem, "error"),
			];
		}
		case "image":
			return [section(imageTitle(block), "", "muted")];
		default:
			return [section(rowText(block.type), json(block), "muted")];
	}
}

/** The arguments that the title leaves out: text as it is, the rest as JSON. */
export function argumentsText(call: CallFacts): string {
	return joinLines(argumentLines(call));
}

function* argumentLines(call: CallFacts): Generator<string> {
	const shown = titleShows(call);
	for (const [name, value] of eachField(call.args)) {
		if (!shown.has(name)) yield `${rowText(name)}: ${typeof value === "string" ? value : json(value)}`;
	}
}

/** "image png, 640×480, 3.5 KB". */
function imageTitle(image: Fields): string {
	const data = textOf(image.data);
	const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
	const bytes = Math.max(0, Math.floor(data.length * 0.75) - padding);
	const size = imageSize(data);
	const pixels = size === undefined ? "" : `, ${size.width}×${size.height}`;
	return `image ${rowText(image.mimeType)}${pixels}, ${formatSize(bytes)}`;
}
