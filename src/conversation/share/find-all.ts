import { findMail, findProofs } from "./find-addresses.ts";
import { findAssigned } from "./find-assigned.ts";
import { findInCommands } from "./find-commands.ts";
import { findKeys } from "./find-keys.ts";
import type { Found } from "./finding-kinds.ts";

/** Only letters, digits, blanks, dots and underscores, or a time as pi writes it. */
const WORDS = /^(?:[A-Za-z0-9 ._]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
/** One of these stands before any secret that is written in such words, besides keys. */
const TELLING = /pass|auth|secret|token|key|pat|pin|pw|bearer|mnemonic|rabbitmqctl|\b(?:mc|aws)\s/i;
/** UTF-16 units of a longer text, which is hardly ever of such words alone. */
const MOST_WORDS = 64;

/** All that may not be for everybody in a text, but home directories; in no order. */
export function* findAll(text: string): Generator<Found> {
	yield* findKeys(text);
	// Ids, times and labels are a million texts: all but a key needs another character, or one of a few words.
	if (text.length <= MOST_WORDS && WORDS.test(text) && !TELLING.test(text)) return;
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
