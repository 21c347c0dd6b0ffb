import { isSilent, type Passage, passagesOf, type Scope } from "../../../conversation/entries/passages.ts";
import type { ReadTarget } from "../../find/read-target.ts";

/**
 * The passages of a scope that contain text; of a continuation, from its entry on. In a scope that belongs to one entry
 * (`--entry`, `--turn`, `--branch`) offsets count from its start, so all of its passages are there.
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

/** The entry in the address of a continuation: the one that was asked for, or the one in which the text was cut. */
export function namedEntry(scope: Scope, entryId: string): string {
	return isOfEntry(scope) && "entryId" in scope ? scope.entryId : entryId;
}

/** Whether the scope belongs to one entry. */
export function isOfEntry({ of }: Scope): boolean {
	return of === "entry" || of === "turn" || of === "branch";
}
