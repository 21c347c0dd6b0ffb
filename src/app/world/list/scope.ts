import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Scope } from "../state/list-settings.ts";
import type { Repository } from "../state/places.ts";
import type { State } from "../state/state.ts";
import { archivedCount } from "./archived.ts";

/** Where the sessions of a scope are. */
export interface ScopePlace {
	readonly scope: Scope;
	/** Their directories. */
	readonly directories: readonly string[];
	/** Whether what is below those belongs to them, too. */
	readonly isDeep: boolean;
	/** Whether they are the archived ones. */
	readonly inArchive: boolean;
}

/** The scopes to choose from, the widest first; "repo" only inside a repository, "archived" only where something is, "project" while one is chosen. */
export function scopesOf({ environment: { repo }, catalog: { rows }, list: { scope } }: State): readonly Scope[] {
	const hasArchived = scope === "archived" || archivedCount(rows) > 0;
	return [
		"all",
		...(repo === undefined ? [] : (["repo"] as const)),
		"here",
		...(hasArchived ? (["archived"] as const) : []),
		...(scope === "project" ? (["project"] as const) : []),
	];
}

/** Where the sessions of a scope are, as far as that is known; the same object while that stays the same. */
export function placeOfScope(state: State, scope: Scope = state.list.scope): ScopePlace {
	if (scope === "all") return EVERYWHERE;
	if (scope === "archived") return ARCHIVE;
	const { project, scopeBefore } = state.list;
	return placeFor(scope, state.environment, state.places.repository, project, scopeBefore === "archived");
}

const EVERYWHERE: ScopePlace = { scope: "all", directories: [], isDeep: false, inArchive: false };
const ARCHIVE: ScopePlace = { scope: "archived", directories: [], isDeep: false, inArchive: true };

const placeFor = memoLast(
	(
		scope: Exclude<Scope, "all" | "archived">,
		{ cwd, repo }: State["environment"],
		repository: Repository | undefined,
		project: string,
		fromArchive: boolean,
	): ScopePlace => {
		switch (scope) {
			case "here":
				return { scope, directories: [cwd], isDeep: false, inArchive: false };
			case "project":
				return { scope, directories: [project], isDeep: false, inArchive: fromArchive };
			case "repo":
				return { scope, directories: repository?.directories ?? [repo ?? cwd], isDeep: true, inArchive: false };
		}
	},
);

/** Whether a session belongs to a scope, by the directory in its header. */
export function inScope({ cwd }: SessionRow, { scope, directories, isDeep }: ScopePlace): boolean {
	if (scope === "all" || scope === "archived") return true;
	return directories.some(
		(root) => cwd === root || (isDeep && (cwd.startsWith(`${root}/`) || cwd.startsWith(`${root}\\`))),
	);
}
