import type { Runners } from "../../../world/effects/runners.ts";

type ListEffectType = "search" | "watch-visible";

export const LIST_EFFECTS: Runners<ListEffectType> = {
	search({ request, query }, { store, report }) {
		store.search(query, (event) => report({ type: "search", request, event }));
		return undefined;
	},
	"watch-visible"({ paths, watched }, { store }) {
		store.catalog.watchVisible(paths, watched);
		return undefined;
	},
};
