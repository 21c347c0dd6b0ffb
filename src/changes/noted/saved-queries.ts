import { isObject } from "../../shared/is-object.ts";

/** A query with a name. There is one of each name; case makes no other. */
export interface SavedQuery {
	readonly name: string;
	/** As it was typed. */
	readonly text: string;
}

/** What the person has saved. */
export interface SavedQueries {
	/** In alphabetical order. */
	readonly queries: readonly SavedQuery[];
	/** Whether they stand above the list while nothing is typed. */
	readonly shown: boolean;
}

/** What the file of the saved queries holds. */
export interface ReadSaved {
	readonly saved: SavedQueries;
	/** What could not be read, in sentences; it is kept, and the rest counts. */
	readonly problems: readonly string[];
}

/** A name gets a query, or with `null` none any more; or all are shown, or not. */
export type SavedChange = { readonly name: string; readonly text: string | null } | { readonly shown: boolean };

/** Whether a stored value is a change. */
export function isSavedChange(value: unknown): value is SavedChange {
	if (!isObject(value)) return false;
	const { name, text, shown } = value;
	return typeof shown === "boolean" || (typeof name === "string" && (text === null || typeof text === "string"));
}

export const NO_SAVED: SavedQueries = { queries: [], shown: true };

/** Units of a name at most. */
const LONGEST = 60;

/** What makes two names the same. */
export function nameKey(name: string): string {
	return name.normalize("NFC").toLowerCase();
}

/** The query of this name. */
export function savedOf({ queries }: SavedQueries, name: string): SavedQuery | undefined {
	const key = nameKey(name);
	return queries.find((query) => nameKey(query.name) === key);
}

/** Why this can be no name; undefined when it can. */
export function nameProblem(name: string): string | undefined {
	if (name === "") return "A saved query needs a name: :save name";
	if (!/^[\p{L}\p{N}]/u.test(name)) return "The name of a saved query begins with a letter or a digit";
	if (nameKey(name) === "save" || nameKey(name).startsWith("save ")) return ":save saves a query; choose another name";
	return name.length > LONGEST ? `The name of a saved query has at most ${LONGEST} characters` : undefined;
}

/** What is saved after changes, made one after the other. */
export function applySaved(before: SavedQueries, changes: readonly SavedChange[]): SavedQueries {
	const queries = new Map(before.queries.map((query) => [nameKey(query.name), query]));
	let { shown } = before;
	for (const change of changes) {
		if ("shown" in change) shown = change.shown;
		else if (change.text === null) queries.delete(nameKey(change.name));
		else queries.set(nameKey(change.name), { name: change.name, text: change.text });
	}
	return { queries: [...queries.values()].sort((a, b) => a.name.localeCompare(b.name)), shown };
}

/** What takes changes back that were made when `before` was saved; what others have changed since stays as it is `now`. */
export function invertedSaved(
	changes: readonly SavedChange[],
	before: SavedQueries,
	now: SavedQueries,
): readonly SavedChange[] {
	const after = applySaved(before, changes);
	return changes.flatMap((change): SavedChange[] => {
		if ("shown" in change) return [];
		const { name } = change;
		const old = savedOf(before, name);
		if (!isSame(savedOf(now, name), savedOf(after, name)) || isSame(savedOf(now, name), old)) return [];
		return [old === undefined ? { name, text: null } : old];
	});
}

function isSame(a: SavedQuery | undefined, b: SavedQuery | undefined): boolean {
	return a?.name === b?.name && a?.text === b?.text;
}
