import { wholeText } from "../../../../catalog/uses/use.ts";
import { messageOf } from "../../../../shared/attempt.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { expectErrors, type Runners } from "../../../world/effects/runners.ts";
import type { PromptsEffect } from "../feature.ts";

/** Copies a prompt or a command, or passes it to pi. No command is ever run. */
export const PROMPTS_EFFECTS: Runners<PromptsEffect["type"]> = expectErrors<"send-use">({
	async "send-use"({ use, to }, tools) {
		const text = textOf(use);
		if (to === "pi") return { type: "use-text", text };
		return { type: "done", message: await copyText([text], `the ${use.kind}`, tools) };
	},
});

/** The whole text of a use. Throws with the reason if it cannot be read. */
function textOf(use: Parameters<typeof wholeText>[0]): string {
	try {
		const text = wholeText(use);
		if (text !== undefined) return text;
	} catch (error) {
		throw new Error(`Cannot read the ${use.kind}: ${messageOf(error)}`, { cause: error });
	}
	throw new Error(`Cannot read the ${use.kind}: the session has changed, and the text is no longer there`);
}
