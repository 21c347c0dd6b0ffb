import { findMail, findProofs } from "./find-addresses.ts";
import { findAssigned } from "./find-assigned.ts";
import { findInCommands } from "./find-commands.ts";
import { findKeys } from "./find-keys.ts";
import type { Found } from "./finding-kinds.ts";

/** All that may not be for everybody in a text, but home directories; in no order. */
export function* findAll(text: string): Generator<Found> {
	yield* findKeys(text);
	yield* findProofs(text);
	yield* findAssigned(text);
	yield* findInCommands(text);
	yield* findMail(text);
}

/** What was found, sorted from the start of its text; what overlaps is one, of the kind of the first and longest. */
export function apart(all: Found[]): readonly Found[] {
	all.sort((one, other) => one.from - other.from || other.to - one.to);
	const merged: Found[] = [];
	for (const found of all) {
		const last = merged.at(-1);
		if (last === undefined || found.from >= last.to) merged.push(found);
		else if (found.to > last.to) merged[merged.length - 1] = { kind: last.kind, from: last.from, to: found.to };
	}
	return merged;
}
