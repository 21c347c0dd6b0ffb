import { spendingIn } from "../../catalog/stats/usage.ts";
import { ENTRIES_PER_STEP, runToEnd, type Steps } from "../../shared/steps.ts";
import { BOOKKEEPING } from "../../store/format/bookkeeping.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { fieldsOf } from "../conversation/fields.ts";
import { type Place, placeOf } from "../conversation/place.ts";
import { addEntry, emptySum, type Sum } from "../conversation/turn-sum.ts";
import { pathUp } from "./context-path.ts";
import { type ModelName, modelIn, modelKey } from "./usage.ts";

/** What a whole session comes to, all its branches together. It grows with its session: keep what it says. */
export interface SessionSum {
	readonly all: Readonly<Sum>;
	/** Ends of the conversation: 1 where it never forked. The leaf is one, also where others went on from there. */
	readonly branches: number;
	/** Dollars spent on what is not on the path to the leaf. */
	readonly abandonedCost: number;
	/** The models that are named in the session, the first ones. */
	readonly models: readonly ModelName[];
}

/** More models than that are not looked up. */
const MAX_MODELS = 20;
/** As many entries as can be counted between two frames. */
const AT_ONCE = 500;
/** Less than that of a dollar is what rounding leaves. */
const NO_COST = 1e-9;

/** By the list of a session's entries, which stays the same list when the session grows. */
const counts = new WeakMap<readonly SessionEntry[], Count>();

/** The sum of a session, remembered, as far as it takes no longer than a frame; undefined: `sumSteps` must count it. */
export function sessionSum(session: Session, home: string): SessionSum | undefined {
	const known = countOf(session, home);
	if (session.entries.length - known.counted > AT_ONCE) return undefined;
	return runToEnd(sumSteps(session, home));
}

/** The same in steps. What is appended meanwhile, or later, costs only the time that its entries take. */
export function* sumSteps(session: Session, home: string): Steps<SessionSum> {
	const count = countOf(session, home);
	const { entries } = session;
	for (let index = count.counted; index < entries.length; index = count.counted) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		const entry = entries[index];
		if (entry !== undefined) count.add(entry, session);
	}
	return yield* count.result(session);
}

function countOf(session: Session, home: string): Count {
	const known = counts.get(session.entries);
	if (known?.place.home === home) return known;
	const made = new Count(placeOf(session, home));
	counts.set(session.entries, made);
	return made;
}

class Count {
	readonly place: Place;
	/** How many of the session's entries are in it. */
	counted = 0;
	readonly #all = emptySum();
	readonly #models = new Map<string, ModelName>();
	#said = 0;
	/** Entries of the conversation after which something else was said. */
	readonly #goneOn = new Set<string>();
	/** Entries that say nothing in the conversation, with the nearest one above them that does. */
	readonly #saidAbove = new Map<string, string | undefined>();
	/** What the path to each entry has cost; without those whose parent comes after them in an odd file. */
	readonly #pathCosts = new Map<string, number>();

	constructor(place: Place) {
		this.place = place;
	}

	add(entry: SessionEntry, session: Session): void {
		this.counted++;
		addEntry(this.#all, entry, session, this.place);
		this.#addEnd(entry, session);
		const model = modelIn(entry);
		if (model !== undefined && this.#models.size < MAX_MODELS) this.#models.set(modelKey(model), model);
		const parentId = session.tree.parentOf.get(entry.id);
		const above = parentId === undefined ? 0 : this.#pathCosts.get(parentId);
		if (above !== undefined) this.#pathCosts.set(entry.id, above + costOf(entry));
	}

	*result(session: Session): Steps<SessionSum> {
		const { leafId } = session.tree;
		const known = leafId === null ? 0 : this.#pathCosts.get(leafId);
		const pathCost = known ?? (yield* sumPath(session, leafId));
		if (leafId !== null) this.#pathCosts.set(leafId, pathCost);
		const abandonedCost = this.#all.cost - pathCost;
		return {
			all: this.#all,
			branches: this.#said - this.#goneOn.size + (this.#endsWithin(session) ? 1 : 0),
			abandonedCost: abandonedCost < NO_COST ? 0 : abandonedCost,
			models: [...this.#models.values()],
		};
	}

	/** A branch ends where nothing is said any more: what only keeps books does not begin or end one. */
	#addEnd(entry: SessionEntry, session: Session): void {
		const above = this.#nearestSaid(session.tree.parentOf.get(entry.id), session);
		if (BOOKKEEPING.has(entry.type)) {
			this.#saidAbove.set(entry.id, above);
			return;
		}
		this.#said++;
		if (above !== undefined) this.#goneOn.add(above);
	}

	/** Whether the leaf is an end that is not counted yet: nothing is said at it, or something was said after it. */
	#endsWithin(session: Session): boolean {
		const { leafId } = session.tree;
		if (leafId === null) return false;
		const said = this.#nearestSaid(leafId, session);
		return said === undefined || this.#goneOn.has(said);
	}

	#nearestSaid(from: string | undefined, { tree }: Session): string | undefined {
		const passed: string[] = [];
		let at = from;
		while (at !== undefined) {
			const type = tree.byId.get(at)?.type;
			if (type !== undefined && !BOOKKEEPING.has(type)) break;
			if (this.#saidAbove.has(at)) {
				at = this.#saidAbove.get(at);
				break;
			}
			passed.push(at);
			at = tree.parentOf.get(at);
		}
		// In an odd file a parent may come after its children.
		for (const id of passed) this.#saidAbove.set(id, at);
		return at;
	}
}

function* sumPath(session: Session, leafId: string | null): Steps<number> {
	let cost = 0;
	let step = 0;
	for (const entry of pathUp(session, leafId)) {
		if (step++ % ENTRIES_PER_STEP === 0) yield;
		cost += costOf(entry);
	}
	return cost;
}

function costOf(entry: SessionEntry): number {
	return spendingIn(fieldsOf(entry))?.cost ?? 0;
}
