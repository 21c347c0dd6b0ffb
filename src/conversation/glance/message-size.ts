import type { SessionEntry } from "../../store/format/schema.ts";
import { eachField, type Fields, fieldsOf, listOf, textOf } from "../entries/fields.ts";

/** pi's own guesses: four characters a token, and as much for any image (pi 1.5.2, core/compaction/compaction.js). */
const CHARACTERS_PER_TOKEN = 4;
const IMAGE_CHARACTERS = 4800;
/** Of a value, or of the blocks of a message, as many as this are looked at: there may be any number. */
const MAX_PARTS = 5000;

/**
 * About how many tokens an entry takes in the context, by the rule with which pi guesses what no answer has counted yet.
 * 0 for what the model does not get. `content`: what a context edit has put in the place of its own.
 */
export function estimateTokens(entry: SessionEntry, content?: unknown): number {
	return Math.ceil(charactersOf(entry, content) / CHARACTERS_PER_TOKEN);
}

function charactersOf(entry: SessionEntry, content: unknown): number {
	const fields = fieldsOf(entry);
	switch (entry.type) {
		case "message":
			return messageCharacters(fieldsOf(fields.message), content);
		case "custom_message":
			return contentCharacters(content ?? fields.content);
		case "branch_summary":
			return textOf(fields.summary).length;
		case "compaction":
			return textOf(fields.summary).length + messageCharacters(fieldsOf(fields.systemMessage), undefined);
		default:
			return 0;
	}
}

function messageCharacters(message: Fields, content: unknown): number {
	switch (message.role) {
		case "user":
		case "custom":
		case "toolResult":
		case "assistant":
			return contentCharacters(content ?? message.content);
		case "bashExecution":
			return message.excludeFromContext === true ? 0 : textOf(message.command).length + textOf(message.output).length;
		case "system":
			return (
				contentCharacters(message.content) +
				sizeOf(message.sections) +
				(message.toolsAdded === undefined ? 0 : sizeOf(message.toolsAdded))
			);
		default:
			return 0;
	}
}

function contentCharacters(content: unknown): number {
	if (typeof content === "string") return content.length;
	let characters = 0;
	for (const block of listOf(content).slice(0, MAX_PARTS)) {
		const { type, text, thinking, name, arguments: given } = fieldsOf(block);
		if (type === "text") characters += textOf(text).length;
		else if (type === "image") characters += IMAGE_CHARACTERS;
		else if (type === "thinking") characters += textOf(thinking).length;
		else if (type === "toolCall") characters += textOf(name).length + sizeOf(given);
	}
	return characters;
}

/** About the length of a value as JSON. */
function sizeOf(value: unknown): number {
	const open: unknown[] = [value];
	let size = 0;
	for (let parts = 0; parts < MAX_PARTS && open.length > 0; parts++) {
		const next = open.pop();
		if (typeof next === "string") size += next.length + 2;
		else if (typeof next !== "object" || next === null) size += String(next).length;
		else if (Array.isArray(next)) {
			size += next.length + 2;
			for (const part of next.slice(0, MAX_PARTS - parts)) open.push(part);
		} else {
			size += 2;
			for (const [name, part] of eachField(next).take(MAX_PARTS - parts)) {
				size += name.length + 4;
				open.push(part);
			}
		}
	}
	return size;
}
