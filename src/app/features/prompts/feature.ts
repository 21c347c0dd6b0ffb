import type { Feature } from "../../world/page/feature.ts";
import type { PromptsAction } from "./prompts-messages.ts";
import { applyUses } from "./reconcile-uses.ts";
import { giveText } from "./use-actions.ts";
import { USES_PAGE } from "./uses-page.ts";

export const PROMPTS: Feature<PromptsAction> = {
	page: USES_PAGE,
	on: {
		uses: (state, { request, event }) => applyUses(state, request, event),
		"use-text": (state, { text }) => giveText(state, text),
	},
};
