import { wholeText } from "../../../../catalog/uses/use.ts";
import { messageOf } from "../../../../shared/attempt.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { expectErrors, type Runners } from "../../../world/effects/runners.ts";
import type { PromptsEffect } from "../feature.ts";
import { usesAsked } from "../uses-state.ts";

/** Searches prompts and commands, and copies one or passes it to pi. No command is ever run. */
export const PROMPTS_EFFECTS: Runners<PromptsEffect["type"]> = {
	"ask-uses"({ request, asked }, { store, report }) {
		store.catalog.askUses(usesAsked(asked), (event) => report({ type: "uses", request, event }));
		return undefined;
	},
	"stop-uses"(_, { store }) {
		store.catalog.stopUses();
		return undefined;
	},
	...expectErrors<"send-use">({
		async "send-use"({ use, to }, tools) {
			const text = textOf(use);
			if (to === "pi") return { type: "use-text", text };
			return { type: "done", message: await copyText([text], `the ${use.kind}`, tools) };
		},
	}),
};

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
