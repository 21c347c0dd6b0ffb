import { defaultStateDir } from "../../catalog/model/session-roots.ts";
import { isObject } from "../../shared/json.ts";
import { join } from "../../shared/paths.ts";
import type { Env } from "../../shared/system.ts";
import { type NotedFile, openNotedFile } from "./noted-file.ts";

/** A query with a name. Names are unique, whatever their case. */
export interface SavedQuery {
	readonly name: string;
	/** As it was typed. */
	readonly text: string;
}

export interface ReadSaved {
	/** In alphabetical order. */
	readonly queries: readonly SavedQuery[];
	/** Sentences about lines that could not be read; they are kept in the file. */
	readonly problems: readonly string[];
}

/** Saves a query under a name, or deletes it (`text: null`). Version 0.2.0 also noted whether they were shown above the list. */
export type SavedChange = { readonly name: string; readonly text: string | null } | { readonly shown: boolean };

function isSavedChange(value: unknown): value is SavedChange {
	if (!isObject(value)) return false;
	const { name, text, shown } = value;
	return typeof shown === "boolean" || (typeof name === "string" && (text === null || typeof text === "string"));
}

/** Length of a name in UTF-16 code units. */
const MAX_LENGTH = 60;

/** Two names are the same if their keys are. */
export function nameKey(name: string): string {
	return name.normalize("NFC").toLowerCase();
}

export function savedOf(queries: readonly SavedQuery[], name: string): SavedQuery | undefined {
	const key = nameKey(name);
	return queries.find((query) => nameKey(query.name) === key);
}

export function nameProblem(name: string): string | undefined {
	if (name === "") return "A saved query needs a name: :save name";
	if (!/^[\p{L}\p{N}]/u.test(name)) return "The name of a saved query begins with a letter or a digit";
	if (nameKey(name) === "save" || nameKey(name).startsWith("save ")) return ":save saves a query; choose another name";
	return name.length > MAX_LENGTH ? `The name of a saved query has at most ${MAX_LENGTH} characters` : undefined;
}

/** The saved queries after the changes; `before` is not modified. */
export function applySaved(before: readonly SavedQuery[], changes: readonly SavedChange[]): readonly SavedQuery[] {
	const queries = new Map(before.map((query) => [nameKey(query.name), query]));
	for (const change of changes) {
		if ("shown" in change) continue;
		if (change.text === null) queries.delete(nameKey(change.name));
		else queries.set(nameKey(change.name), { name: change.name, text: change.text });
	}
	return [...queries.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** The changes that take `changes` back, except what others have changed since. `queriesBefore`: the saved queries before them. */
function invertedSaved(
	changes: readonly SavedChange[],
	queriesBefore: readonly SavedQuery[],
	now: readonly SavedQuery[],
): readonly SavedChange[] {
	const queriesAfter = applySaved(queriesBefore, changes);
	return changes.flatMap((change): SavedChange[] => {
		if ("shown" in change) return [];
		const { name } = change;
		const old = savedOf(queriesBefore, name);
		if (!isSame(savedOf(now, name), savedOf(queriesAfter, name)) || isSame(savedOf(now, name), old)) return [];
		return [old === undefined ? { name, text: null } : old];
	});
}

function isSame(a: SavedQuery | undefined, b: SavedQuery | undefined): boolean {
	return a?.name === b?.name && a?.text === b?.text;
}

export type SavedFile = NotedFile<SavedChange, readonly SavedQuery[], ReadSaved>;

export function savedPath(env: Env, home: string): string {
	return join(defaultStateDir(env, home), "queries.jsonl");
}

export function openSavedFile(path: string): SavedFile {
	return openNotedFile(path, {
		what: "the saved queries",
		missing: "a saved query",
		none: [],
		asRead: (queries, problems): ReadSaved => ({ queries, problems }),
		isChange: isSavedChange,
		apply: (changes: readonly SavedChange[]) => applySaved([], changes),
		inverted: (changes, before, now) => invertedSaved(changes, before(), now),
	});
}
