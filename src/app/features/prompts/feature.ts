import type { Use } from "../../../catalog/uses/use.ts";
import type { UsesEvent } from "../../../catalog/uses/uses-client.ts";
import type { Feature } from "../../world/page/page.ts";
import { applyUses } from "./reconcile-uses.ts";
import { editInPi, USES_KEYS } from "./uses-keys.ts";
import { USES_PAGE } from "./uses-page.ts";
import type { AskedUses } from "./uses-state.ts";

export const PROMPTS: Feature<PromptsAction> = {
	page: USES_PAGE,
	keys: { section: "Prompts and commands", keys: USES_KEYS },
	on: {
		uses: (state, { request, event }) => applyUses(state, request, event),
		"use-text": (state, { text }) => editInPi(state, text),
	},
};

/** Results of its effects. */
type PromptsAction =
	/** Prompts or commands found so far. */
	| { readonly type: "uses"; readonly request: number; readonly event: UsesEvent }
	/** The text of a prompt or a command, for the editor of the pi that started the browser. */
	| { readonly type: "use-text"; readonly text: string };

/** Effects that it requests. */
export type PromptsEffect =
	/** Search prompts or commands, and end the previous request; `reread` checks every file again. `now`: Unix ms. */
	| {
			readonly type: "ask-uses";
			readonly request: number;
			readonly asked: AskedUses;
			readonly reread: boolean;
			readonly now: number;
	  }
	/** End the search: the page is closed. */
	| { readonly type: "stop-uses" }
	/** Read the text of a prompt or a command, and copy it or pass it to the pi that started the browser. */
	| { readonly type: "send-use"; readonly use: Use; readonly to: "clipboard" | "pi" };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly prompts: PromptsAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly prompts: PromptsEffect;
	}
}

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly prompts: true;
	}
}
