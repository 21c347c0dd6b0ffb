import type { SessionRow } from "../../../catalog/model/row.ts";
import { largest } from "../../../shared/columns.ts";
import { memoLast } from "../../../shared/memo.ts";
import { isOfThisSystem } from "../../../shared/paths.ts";
import { rulesOf } from "../../../shared/system.ts";
import type { State } from "../state/state.ts";
import { familiesOf } from "./families.ts";

/** The sessions of one directory, without archived ones. */
export interface SessionGroup {
	/** The directory as the headers of the sessions name it. */
	readonly key: string;
	readonly rows: readonly SessionRow[];
	/** Latest activity, Unix ms. */
	readonly latest: number;
	/** Number of its archived sessions, which stay in the archive. */
	readonly archived: number;
}

/**
 * All directories of sessions that have an absolute path, with their sessions; the latest activity first. Runs of subagents are
 * where their sessions are: many have worked in a copy of the project that was made for them and is gone.
 */
export const sessionGroups = memoLast((rows: ReadonlyMap<string, SessionRow>): readonly SessionGroup[] => {
	const groups = new Map<string, SessionRow[]>();
	const archived = new Map<string, number>();
	const { parents } = familiesOf(rows);
	for (const row of rows.values()) {
		if (parents.has(row)) continue;
		if (row.archived === true) {
			archived.set(row.cwd, (archived.get(row.cwd) ?? 0) + 1);
			continue;
		}
		const group = groups.get(row.cwd);
		if (group !== undefined) group.push(row);
		else if (rulesOf(row.cwd).isAbsolute(row.cwd)) groups.set(row.cwd, [row]);
	}
	return [...groups]
		.map(([key, each]): SessionGroup => {
			const latest = largest(each.map(({ modified }) => modified.getTime()));
			return { key, rows: each, latest, archived: archived.get(key) ?? 0 };
		})
		.sort((a, b) => b.latest - a.latest || (a.key < b.key ? -1 : 1));
});

/**
 * The directories of sessions, also of archived ones, that can be of this machine: what another system calls its own cannot be looked for
 * here.
 */
export const directoriesHere = memoLast((rows: ReadonlyMap<string, SessionRow>): readonly string[] => {
	const { parents } = familiesOf(rows);
	const archived = rows.values().filter((row) => row.archived === true && !parents.has(row));
	const directories = new Set([...sessionGroups(rows).map(({ key }) => key), ...archived.map(({ cwd }) => cwd)]);
	return [...directories].filter((directory) => rulesOf(directory).isAbsolute(directory) && isOfThisSystem(directory));
});

/** The sessions of a directory, without archived ones and runs. */
export function sessionsIn({ catalog }: State, directory: string): readonly SessionRow[] {
	return sessionGroups(catalog.here).find(({ key }) => key === directory)?.rows ?? [];
}
