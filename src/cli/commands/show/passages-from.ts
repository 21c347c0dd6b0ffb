import { isSilent, type Passage, passagesOf, type Scope } from "../../../conversation/entries/passages.ts";
import type { ReadTarget } from "../../find/read-target.ts";

/**
 * The passages of a scope in which something is said; where a text goes on in the middle of a session, from its entry on.
 * The parts of what belongs to one entry (`--entry`, `--turn`, `--branch`) are counted from its start, so all of it is there.
 */
export function* passagesFrom({ session, entry, offset }: ReadTarget, scope: Scope): Generator<Passage> {
	const start = offset === undefined || isOfEntry(scope) ? undefined : entry?.id;
	let isBefore = start !== undefined;
	for (const passage of passagesOf(session, scope)) {
		const { path, from, to, leaves } = passage;
		if (leaves !== undefined && isSilent(passage)) continue;
		let at = from;
		if (isBefore) while (at < to && path[at]?.id !== start) at++;
		if (at === to) continue;
		isBefore = false;
		yield at === from ? passage : { path, from: at, to };
	}
}

/** The entry by which a text is named that goes on in the middle: the one asked for, or the one that it goes on in. */
export function namedEntry(scope: Scope, entryId: string): string {
	return isOfEntry(scope) && "entryId" in scope ? scope.entryId : entryId;
}

/** Whether what is printed belongs to one entry. */
export function isOfEntry({ of }: Scope): boolean {
	return of === "entry" || of === "turn" || of === "branch";
}
