import { messageOf } from "../../../../changes/reason.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { expectErrors, type Runners } from "../../../world/effects/runners.ts";
import type { PromptsEffect } from "../feature.ts";
import { usesAsked } from "../reconcile-uses.ts";

/** Reads prompts and commands, and takes one of them out. None is ever run. */
export const PROMPTS_EFFECTS: Runners<PromptsEffect["type"]> = {
	"ask-uses"({ request, asked, anew, now }, { store, report }) {
		store.catalog.askUses(usesAsked(asked, anew, now), (event) => report({ type: "uses", request, event }));
		return undefined;
	},
	"stop-uses"(_, { store }) {
		store.catalog.stopUses();
		return undefined;
	},
	...expectErrors<"take-use">({
		async "take-use"({ use, to }, tools) {
			const text = await tools.store.catalog.wholeUse(use).catch((error: unknown) => {
				throw new Error(`Cannot read the ${use.kind}: ${messageOf(error)}`, { cause: error });
			});
			if (to === "pi") return { type: "use-text", text };
			return { type: "done", message: await copyText([text], `the ${use.kind}`, tools) };
		},
	}),
};
