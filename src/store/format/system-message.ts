import { tools as toolsRule } from "./field-rules.ts";
import { contentText } from "./message-text.ts";
import type { AgentMessage, SystemMessage } from "./schema-message.ts";

type Tool = NonNullable<SystemMessage["toolsAdded"]>[number];

/**
 * The system prompt and tools in force at the end of the messages, as one message: texts one after the other, sections
 * by name, tools added and removed (pi 0.87). Undefined if there are none.
 */
export function currentSystemMessage(messages: readonly AgentMessage[]): SystemMessage | undefined {
	const texts: string[] = [];
	const sections = new Map<string, string>();
	const tools = new Map<string, Tool>();
	let timestamp: number | undefined;
	for (const message of messages) {
		if (message.role !== "system") continue;
		timestamp ??= message.timestamp;
		const text = contentText(message.content, "\n");
		if (text !== "") texts.push(text);
		for (const [name, section] of Object.entries(message.sections ?? {})) {
			if (section === null) sections.delete(name);
			else sections.set(name, section);
		}
		for (const tool of toolsIn(message.toolsRemoved)) tools.delete(tool.name);
		for (const tool of toolsIn(message.toolsAdded)) tools.set(tool.name, tool);
	}
	if (timestamp === undefined && tools.size === 0) return undefined;
	return {
		role: "system",
		content: texts.join("\n\n"),
		...(sections.size > 0 ? { sections: Object.fromEntries(sections) } : {}),
		...(tools.size > 0 ? { toolsAdded: [...tools.values()] } : {}),
		timestamp: timestamp ?? 0,
	};
}

/** In a damaged file, the tools may be anything. */
function toolsIn(value: readonly Tool[] | undefined): readonly Tool[] {
	return toolsRule.is(value) && value !== undefined ? value : [];
}
