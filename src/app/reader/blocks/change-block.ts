import { type Fields, fieldsOf, textOf } from "../../conversation/fields.ts";
import type { CallFacts } from "../../conversation/tool-call.ts";
import type { Block } from "../piece.ts";
import { type BlockContext, isOpen } from "./context.ts";
import { foldedParts } from "./folded.ts";
import { textParts } from "./text-parts.ts";

/** What an edit or a write has changed in a file; undefined for other tools. */
export function changeBlock(call: CallFacts, message: Fields, key: string, context: BlockContext): Block | undefined {
	const diff = textOf(fieldsOf(message.details).diff) || (call.name === "write" ? textOf(call.args.content) : "");
	if (diff === "") return undefined;
	const parts = isOpen(context, key, context.options.toolsOpen) ? textParts(diff) : foldedParts(diff, key, textParts);
	return { parts, gap: false };
}
