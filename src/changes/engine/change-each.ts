import { type Act, guardAgain, isAlwaysFree, type Shown } from "../guard/guard.ts";
import { whyNot } from "../guard/guard-words.ts";
import type { Group } from "../kinds/change.ts";
import type { ChangeRequest } from "../kinds/kinds.ts";
import { batched, type CheckUse } from "./batched-tools.ts";
import { eachSession, type Outcome } from "./each-session.ts";
import type { LongWork } from "./long-work.ts";
import { type ChangeTools, makeChange, type Noted } from "./make-change.ts";

/** What changing several sessions needs from outside. */
export interface EachTools extends ChangeTools {
	readonly work: LongWork;
	readonly checkUse: CheckUse;
	/** Current time, Unix ms. */
	readonly clock: () => number;
}

/** What to change, and how. */
interface Each<Item, Result> {
	readonly items: readonly Item[];
	/** Makes the changes one step for undo. */
	readonly group: Group | undefined;
	/** "Archiving sessions" */
	readonly doing: string;
	/** Names an item that fails: the quoted title of the session. */
	readonly nameOf: (item: Item) => string;
	readonly pathOf: (item: Item) => string;
	/** What is done to the session, as it was shown: it is left alone if it is in use by now. */
	readonly guard: (item: Item) => { readonly act: Act; readonly shown: Shown } | undefined;
	/** Changes one item. If it rejects, the others are still changed. */
	readonly one: (item: Item, makeOne: MakeOne) => Promise<Result>;
}

/** Makes a change that belongs to the group. */
export type MakeOne = (request: ChangeRequest) => Promise<Noted>;

/**
 * Changes several sessions, one after the other, as one step for undo. If one fails, or is in use by now, the others are
 * still changed. The person can stop it between two sessions. Never rejects.
 */
export async function changeEach<Item, Result>(
	{ items, group, doing, nameOf, pathOf, guard, one }: Each<Item, Result>,
	tools: EachTools,
): Promise<Outcome<Result>> {
	const batch = batched(tools, items.map(pathOf));
	const makeOne: MakeOne = (request) => makeChange(request, batch.tools, group);
	const guarded = async (item: Item): Promise<Result> => {
		const { act, shown } = guard(item) ?? {};
		if (act !== undefined && shown !== undefined && !isAlwaysFree(act)) {
			const refused = whyNot(guardAgain(act, await batch.tools.checkUse([pathOf(item)]), shown), tools.clock());
			if (refused !== undefined) throw new Error(refused);
		}
		return one(item, makeOne);
	};
	return eachSession(items, doing, { nameOf, one: guarded }, tools.work).finally(batch.flush);
}
