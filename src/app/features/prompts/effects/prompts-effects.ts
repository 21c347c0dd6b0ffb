import { messageOf } from "../../../../changes/reason.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { expectErrors, type Runners } from "../../../world/effects/runners.ts";
import type { PromptsEffect } from "../feature.ts";
import { usesAsked } from "../uses-state.ts";

/** Searches prompts and commands, and copies one or passes it to pi. No command is ever run. */
export const PROMPTS_EFFECTS: Runners<PromptsEffect["type"]> = {
	"ask-uses"({ request, asked, reread, now }, { store, report }) {
		store.catalog.askUses(usesAsked(asked, reread, now), (event) => report({ type: "uses", request, event }));
		return undefined;
	},
	"stop-uses"(_, { store }) {
		store.catalog.stopUses();
		return undefined;
	},
	...expectErrors<"send-use">({
		async "send-use"({ use, to }, tools) {
			const text = await tools.store.catalog.wholeUse(use).catch((error: unknown) => {
				throw new Error(`Cannot read the ${use.kind}: ${messageOf(error)}`, { cause: error });
			});
			if (to === "pi") return { type: "use-text", text };
			return { type: "done", message: await copyText([text], `the ${use.kind}`, tools) };
		},
	}),
};
