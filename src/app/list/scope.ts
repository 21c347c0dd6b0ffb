import type { SessionRow } from "../../catalog/model/row.ts";
import type { Environment, Scope } from "../model/state.ts";

/** The scopes to choose from, the widest first; "repo" only inside a repository. */
export function scopesOf({ repo }: Environment): readonly Scope[] {
	return repo === undefined ? ["all", "here"] : ["all", "repo", "here"];
}

/** Whether a session belongs to a scope, by the directory in its header. */
export function inScope(row: SessionRow, scope: Scope, { cwd, repo }: Environment): boolean {
	if (scope === "all") return true;
	const root = scope === "repo" ? (repo ?? cwd) : cwd;
	return row.cwd === root || (scope === "repo" && (row.cwd.startsWith(`${root}/`) || row.cwd.startsWith(`${root}\\`)));
}
