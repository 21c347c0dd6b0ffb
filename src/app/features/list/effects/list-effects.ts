import { repositoryOf } from "../../../../catalog/git/git-notes.ts";
import { findBranches } from "../../../../catalog/git/git-repository.ts";
import type { Runners } from "../../../world/effects/runners.ts";

type ListEffectType = "search" | "watch-visible" | "read-git";

export const LIST_EFFECTS: Runners<ListEffectType> = {
	search({ request, query }, { store, report }) {
		store.search(query, (event) => report({ type: "search", request, event }));
		return undefined;
	},
	"watch-visible"({ paths, watched }, { store }) {
		store.catalog.watchVisible(paths, watched);
		return undefined;
	},
	async "read-git"({ directory, directories }, { disk }) {
		const repository = directory === undefined ? undefined : await repositoryOf(directory, [], disk);
		return { type: "git-read", repository, branches: await findBranches(directories) };
	},
};
