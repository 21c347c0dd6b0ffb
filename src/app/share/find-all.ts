import { findMail, findProofs } from "./find-addresses.ts";
import { findAssigned } from "./find-assigned.ts";
import type { HomeFinder } from "./find-homes.ts";
import { findKeys } from "./find-keys.ts";
import type { Found } from "./finding-kinds.ts";

/** All that may not be for everybody in a text, from its start; of what overlaps the first, and of these the longest. */
export function findAll(text: string, homes: HomeFinder): readonly Found[] {
	const all = [...findKeys(text), ...findProofs(text), ...findAssigned(text), ...findMail(text), ...homes.find(text)];
	all.sort((one, other) => one.from - other.from || other.to - one.to);
	const apart: Found[] = [];
	for (const found of all) {
		const last = apart.at(-1);
		if (last === undefined || found.from >= last.to) apart.push(found);
		else if (found.to > last.to) apart[apart.length - 1] = { ...last, to: found.to };
	}
	return apart;
}
