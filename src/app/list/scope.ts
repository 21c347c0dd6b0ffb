import type { SessionRow } from "../../catalog/model/row.ts";
import type { Environment, Scope, State } from "../model/state.ts";
import { archivedCount } from "./archived.ts";

/** The scopes to choose from, the widest first; "repo" only inside a repository, "archived" only where something is. */
export function scopesOf({ environment: { repo }, catalog: { rows }, list: { scope } }: State): readonly Scope[] {
	const hasArchived = scope === "archived" || archivedCount(rows) > 0;
	return [
		"all",
		...(repo === undefined ? [] : (["repo"] as const)),
		"here",
		...(hasArchived ? (["archived"] as const) : []),
	];
}

/** Whether a session belongs to a scope, by the directory in its header. */
export function inScope(row: SessionRow, scope: Scope, { cwd, repo }: Environment): boolean {
	if (scope === "all" || scope === "archived") return true;
	const root = scope === "repo" ? (repo ?? cwd) : cwd;
	return row.cwd === root || (scope === "repo" && (row.cwd.startsWith(`${root}/`) || row.cwd.startsWith(`${root}\\`)));
}
