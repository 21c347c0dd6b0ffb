import type { SessionRow } from "../../catalog/model/row.ts";
import { memoLast } from "../model/memo.ts";
import type { State } from "../model/state.ts";
import type { Repository } from "./places.ts";

/** Which sessions the list has: all, those of a repository, of the present directory, or of one project. */
export type Scope = "all" | "repo" | "here" | "project";

/** Where the sessions of a scope are. */
export interface ScopePlace {
	readonly scope: Scope;
	/** Their directories. */
	readonly directories: readonly string[];
	/** Whether what is below those belongs to them, too. */
	readonly isDeep: boolean;
}

/** The scopes to choose from, the widest first; "repo" only inside a repository, "project" only while one is chosen. */
export function scopesOf({ environment: { repo }, list: { scope } }: State): readonly Scope[] {
	return [
		"all",
		...(repo === undefined ? [] : (["repo"] as const)),
		"here",
		...(scope === "project" ? (["project"] as const) : []),
	];
}

/** Where the sessions of a scope are, as far as that is known; the same object while that stays the same. */
export function placeOfScope(state: State, scope: Scope = state.list.scope): ScopePlace {
	return scope === "all" ? EVERYWHERE : placeFor(scope, state.environment, state.places.repository, state.list.project);
}

const EVERYWHERE: ScopePlace = { scope: "all", directories: [], isDeep: false };

const placeFor = memoLast(
	(
		scope: Exclude<Scope, "all">,
		{ cwd, repo }: State["environment"],
		repository: Repository | undefined,
		project: string,
	): ScopePlace => {
		switch (scope) {
			case "here":
				return { scope, directories: [cwd], isDeep: false };
			case "project":
				return { scope, directories: [project], isDeep: false };
			case "repo":
				return { scope, directories: repository?.directories ?? [repo ?? cwd], isDeep: true };
		}
	},
);

/** Whether a session belongs to a scope, by the directory in its header. */
export function inScope({ cwd }: SessionRow, { scope, directories, isDeep }: ScopePlace): boolean {
	if (scope === "all") return true;
	return directories.some(
		(root) => cwd === root || (isDeep && (cwd.startsWith(`${root}/`) || cwd.startsWith(`${root}\\`))),
	);
}
