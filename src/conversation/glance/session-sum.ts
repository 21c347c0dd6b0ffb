import { widenColumns } from "../../shared/columns.ts";
import { ENTRIES_PER_STEP, runToEnd, type Steps } from "../../shared/steps.ts";
import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { entryFacts } from "../entries/entry-kind.ts";
import { outlineSteps } from "../entries/outline.ts";
import { indexAt, type OutlineColumns } from "../entries/outline-columns.ts";
import { type Place, placeOf } from "../entries/place.ts";
import { addEntry, emptySum, type Sum } from "../entries/turn-sum.ts";
import { type ModelName, modelIn, modelKey } from "./usage.ts";

/** What a whole session comes to, all its branches together. It grows with its session: keep what it says. */
export interface SessionSum {
	readonly all: Readonly<Sum>;
	/** Ends of the conversation: 1 where it never forked. The leaf is one, also where others went on from there. */
	readonly branches: number;
	/** Prompts that are not on the path to the leaf. */
	readonly abandonedTurns: number;
	/** Dollars spent on what is not on the path to the leaf. */
	readonly abandonedCost: number;
	/** The models that are named in the session, the first ones. */
	readonly models: readonly ModelName[];
}

/** More models than that are not looked up. */
const MAX_MODELS = 20;
/** As many entries as can be counted between two frames. */
const AT_ONCE = 500;
/** A smaller amount, in dollars, is a rounding error. */
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
	while (count.counted < entries.length) {
		const { columns } = yield* outlineSteps(session);
		const end = Math.min(columns.count, count.counted + ENTRIES_PER_STEP);
		while (count.counted < end) count.add(columns);
		yield;
	}
	const { columns } = yield* outlineSteps(session);
	return yield* count.result(columns);
}

function countOf(session: Session, home: string): Count {
	const known = counts.get(session.entries);
	if (known?.place.home === home) return known;
	const made = new Count(placeOf(session, home));
	counts.set(session.entries, made);
	return made;
}

const COLUMNS = ["goneOn", "saidAbove", "pathCost", "pathTurns"] as const;
const NONE = -1;

class Count {
	readonly place: Place;
	/** How many of the session's entries are in it. */
	counted = 0;
	readonly #all = emptySum();
	readonly #models = new Map<string, ModelName>();
	#ends = 0;
	/** By the index of an entry. */
	readonly #columns = {
		/** 1 for entries of the conversation after which something else was said. */
		goneOn: new Uint8Array(0),
		/** The nearest entry at or above it that says something in the conversation, and 2 more, for: not looked for yet. */
		saidAbove: new Int32Array(0),
		/** What the path to it has cost; NaN in an odd file, where its parent comes after it. */
		pathCost: new Float64Array(0),
		/** The same of the prompts on it. */
		pathTurns: new Float64Array(0),
	};

	constructor(place: Place) {
		this.place = place;
	}

	/** Adds the next entry. */
	add(outline: OutlineColumns): void {
		const index = this.counted++;
		const { session } = outline;
		const entry = session.entries[index];
		if (entry === undefined) return;
		widenColumns(this.#columns, COLUMNS, outline.count);
		addEntry(this.#all, entry, session, this.place);
		this.#addEnd(entry, outline, index);
		const model = modelIn(entry);
		if (model !== undefined && this.#models.size < MAX_MODELS) this.#models.set(modelKey(model), model);
		const parent = outline.parent[index] ?? NONE;
		const above = this.#upTo(parent < index ? parent : undefined);
		const { cost, kind } = entryFacts(entry);
		this.#setPath(index, { cost: above.cost + cost, turns: above.turns + (kind === "prompt" ? 1 : 0) });
	}

	*result(outline: OutlineColumns): Steps<SessionSum> {
		const { leafId } = outline.session.tree;
		const leaf = leafId === null ? NONE : indexAt(outline, leafId);
		const known = this.#upTo(leaf);
		const path = Number.isNaN(known.cost) ? yield* sumPath(outline, leaf) : known;
		if (leaf !== NONE) this.#setPath(leaf, path);
		const abandonedCost = this.#all.cost - path.cost;
		return {
			all: this.#all,
			branches: this.#ends + (this.#endsWithin(outline, leaf) ? 1 : 0),
			abandonedTurns: this.#all.turns - path.turns,
			abandonedCost: abandonedCost < NO_COST ? 0 : abandonedCost,
			models: [...this.#models.values()],
		};
	}

	/** What the path to an entry comes to; NaN where that is not known. */
	#upTo(index: number | undefined): PathSum {
		if (index === NONE) return { cost: 0, turns: 0 };
		const { pathCost, pathTurns } = this.#columns;
		return { cost: pathCost[index ?? NONE] ?? Number.NaN, turns: pathTurns[index ?? NONE] ?? Number.NaN };
	}

	#setPath(index: number, { cost, turns }: PathSum): void {
		this.#columns.pathCost[index] = cost;
		this.#columns.pathTurns[index] = turns;
	}

	/** A branch ends where nothing is said any more: what only keeps books does not begin or end one. */
	#addEnd({ type }: SessionEntry, outline: OutlineColumns, index: number): void {
		if (BOOKKEEPING.has(type)) return;
		this.#ends++;
		const above = this.#nearestSaid(outline, outline.parent[index] ?? NONE);
		if (above === NONE || this.#columns.goneOn[above] === 1) return;
		this.#columns.goneOn[above] = 1;
		this.#ends--;
	}

	/** Whether the leaf is an end that is not counted yet: nothing is said at it, or something was said after it. */
	#endsWithin(outline: OutlineColumns, leaf: number): boolean {
		if (leaf === NONE) return false;
		const said = this.#nearestSaid(outline, leaf);
		return said === NONE || this.#columns.goneOn[said] === 1;
	}

	#nearestSaid({ parent, session }: OutlineColumns, from: number): number {
		const { saidAbove } = this.#columns;
		const passed: number[] = [];
		let at = from;
		while (at !== NONE) {
			const type = session.entries[at]?.type;
			if (type !== undefined && !BOOKKEEPING.has(type)) break;
			const known = saidAbove[at] ?? 0;
			if (known !== 0) {
				at = known - 2;
				break;
			}
			passed.push(at);
			at = parent[at] ?? NONE;
		}
		for (const index of passed) saidAbove[index] = at + 2;
		return at;
	}
}

/** What a path comes to: dollars, and prompts. */
interface PathSum {
	readonly cost: number;
	readonly turns: number;
}

function* sumPath({ session, parent }: OutlineColumns, leaf: number): Steps<PathSum> {
	let cost = 0;
	let turns = 0;
	let step = 0;
	for (let at = leaf; at !== NONE; at = parent[at] ?? NONE) {
		if (step++ % ENTRIES_PER_STEP === 0) yield;
		const entry = session.entries[at];
		if (entry === undefined) continue;
		const facts = entryFacts(entry);
		cost += facts.cost;
		if (facts.kind === "prompt") turns++;
	}
	return { cost, turns };
}
