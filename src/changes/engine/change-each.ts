import { type Act, guardAgain, isAlwaysFree, type Shown } from "../guard/guard.ts";
import { whyNot } from "../guard/guard-words.ts";
import type { Group } from "../journal/journal-schema.ts";
import type { ChangeRequest } from "../kinds/kinds.ts";
import { eachSession, type Outcome } from "./each-session.ts";
import { gatherChanges } from "./gather-changes.ts";
import type { LongWork } from "./long-work.ts";
import { type LookAtUse, lookSometimes } from "./look-sometimes.ts";
import { type ChangeTools, makeChange, type Noted } from "./make-change.ts";

/** What changing several sessions needs of the world outside. */
export interface EachTools extends ChangeTools {
	readonly work: LongWork;
	/** Has the catalog look anew at what is in use, and at who has these sessions open. */
	readonly look: LookAtUse;
	/** Present time, Unix ms. */
	readonly clock: () => number;
}

/** What is to be changed, and how. */
interface Each<Item, Result> {
	readonly items: readonly Item[];
	/** As what it is one step for undo. */
	readonly group: Group | undefined;
	/** "Archiving sessions" */
	readonly doing: string;
	/** What is named where it fails: the title of the session, quoted. */
	readonly nameOf: (item: Item) => string;
	readonly pathOf: (item: Item) => string;
	/** What is done to a session that was shown; it is left alone where that is in use by now. */
	readonly guard: (item: Item) => { readonly act: Act; readonly shown: Shown } | undefined;
	/** Changes one of them. What it rejects with does not keep the others from being changed. */
	readonly one: (item: Item, makeOne: MakeOne) => Promise<Result>;
}

/** Makes a change as one of the group. */
export type MakeOne = (request: ChangeRequest) => Promise<Noted>;

/**
 * Changes several sessions, one after the other, as one step for undo. What fails, or is in use by now, does not keep the
 * others from being changed. The person can stop it between two sessions. Rejects never.
 */
export async function changeEach<Item, Result>(
	{ items, group, doing, nameOf, pathOf, guard, one }: Each<Item, Result>,
	tools: EachTools,
): Promise<Outcome<Result>> {
	const { flush, ...hearing } = gatherChanges(tools);
	const look = lookSometimes(tools.look, items.map(pathOf));
	const makeOne: MakeOne = (request) => makeChange(request, { ...tools, ...hearing }, group);
	const guarded = async (item: Item): Promise<Result> => {
		const { act, shown } = guard(item) ?? {};
		if (act !== undefined && shown !== undefined && !isAlwaysFree(act)) {
			const refused = whyNot(guardAgain(act, await look(), shown), tools.clock());
			if (refused !== undefined) throw new Error(refused);
		}
		return one(item, makeOne);
	};
	return eachSession(items, doing, { nameOf, one: guarded }, tools.work).finally(flush);
}
