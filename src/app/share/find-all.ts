import { findMail, findProofs } from "./find-addresses.ts";
import { findAssigned } from "./find-assigned.ts";
import type { HomeFinder } from "./find-homes.ts";
import { findKeys } from "./find-keys.ts";
import type { Found } from "./finding-kinds.ts";

/** All that may not be for everybody in a text, from its start; of what overlaps the first, and of these the longest. */
export function findAll(text: string, homes: HomeFinder): readonly Found[] {
	return apart([...findKeys(text), ...findProofs(text), ...findAssigned(text), ...findMail(text), ...homes.find(text)]);
}

/** What was found, sorted from the start of its text; what overlaps is one, of the kind of the first and longest. */
export function apart(all: Found[]): readonly Found[] {
	all.sort((one, other) => one.from - other.from || other.to - one.to);
	const merged: Found[] = [];
	for (const found of all) {
		const last = merged.at(-1);
		if (last === undefined || found.from >= last.to) merged.push(found);
		else if (found.to > last.to) merged[merged.length - 1] = { ...last, to: found.to };
	}
	return merged;
}
