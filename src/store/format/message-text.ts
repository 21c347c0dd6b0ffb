import type { ContentBlock } from "./schema.ts";

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

/** pi prepends the whole text of a skill to the words of a user who calls it (pi 1.5.2). */
const SKILL = /^<skill name="([^"\n]{1,200})" location="[^"\n]*">\n/;
const SKILL_END = "\n</skill>";
/** Longer messages are not commands. */
const LONGEST = 200;
const COMMAND = /^\/[a-z][\w:.-]*$/i;

/** Whether a message only calls a command or a skill, and so says nothing about the session's subject. */
export function isOnlyCommand(message: string): boolean {
	const called = skillIn(message);
	if (called !== undefined) return called.words === "";
	return message.length <= LONGEST && COMMAND.test(message.trim());
}

/** A message as it was typed: "/skill:name words" if pi has prepended the text of a skill. */
export function typedMessage(message: string): string {
	const called = skillIn(message);
	return called === undefined ? message : `/skill:${called.name} ${called.words}`.trimEnd();
}

function skillIn(message: string): { readonly name: string; readonly words: string } | undefined {
	const name = SKILL.exec(message)?.[1];
	const end = name === undefined ? -1 : message.indexOf(SKILL_END);
	if (name === undefined || end === -1) return undefined;
	return { name, words: message.slice(end + SKILL_END.length).trim() };
}
