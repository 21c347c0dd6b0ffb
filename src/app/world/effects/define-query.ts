import { messageOf } from "../../../shared/attempt.ts";
import { sameItems } from "../../../shared/memo.ts";
import type { TimeSlice } from "../../../shared/steps.ts";
import type { WorldAction } from "../state/action.ts";
import type { WorldEffect } from "../state/effect.ts";
import { asTransition, chain, defineSlice, type State, type Transition, transition } from "../state/state.ts";
import type { Capabilities } from "./capabilities.ts";
import type { RunTools } from "./runners.ts";

/** The answer of a query, and the state of its reading. */
export interface QueryAnswer<Key, Value> {
	/** The value that was read last; it stays until the next reading, also for another key. Undefined before the first reading. */
	readonly value: Value | undefined;
	/** The key that `value` was read for. */
	readonly key: Key | undefined;
	/** Why the last reading failed; undefined since one has succeeded. */
	readonly error: string | undefined;
	readonly isLoading: boolean;
	/** Whether `value` may have changed since it was asked for: it is read again as soon as it is wanted. */
	readonly isStale: boolean;
	/** The key that was asked for last. */
	readonly asked: Key | undefined;
	/** Number of the last request; an answer to an earlier one is dropped. */
	readonly request: number;
}

export interface LoadTools<Part> extends Capabilities {
	/** Runs long work in slices of a few milliseconds, until the answer is no longer wanted. */
	readonly slice: TimeSlice;
	/** Aborted when the answer is no longer wanted, or another key is. */
	readonly signal: AbortSignal;
	/** Reports a partial value, which is stored like the whole. */
	report(part: Part): void;
	/** Reports values until `fail` is called, or the answer is no longer wanted. `begin` returns a function that is then called. */
	listen(begin: (emit: (part: Part) => void, fail: (reason: Error) => void) => () => void): Promise<never>;
}

/** What distinguishes a query; asking once, late answers and errors come with `defineQuery`. */
interface QuerySpec<Key, Value, Part> {
	/** No two queries have the same name. */
	readonly name: string;
	/** The key of the value to read; undefined for nothing. Called after each action, so it must be cheap. */
	readonly wanted: (state: State, answer: QueryAnswer<Key, Value>) => Key | undefined;
	/** Whether an answer to one key answers the other. @default they are equal, or lists of equal items */
	readonly isSame?: (asked: Key, wanted: Key) => boolean;
	/** Whether the reading for one key is finished before the reading for another key begins. @default it is cancelled */
	readonly finishes?: (asked: Key, wanted: Key) => boolean;
	/** The value for a key if it follows from the last value without reading. @default it never does */
	readonly derive?: (state: State, key: Key, answer: QueryAnswer<Key, Value>) => Value | undefined;
	/** Reads the value. An error that it throws is a bug and ends the browser, unless the query `canFail`. */
	readonly load: (key: Key, tools: LoadTools<Part>) => Promise<Part>;
	/** Whether disks, files or other programs may fail: why is then in `error`. */
	readonly canFail?: true;
	/** Whether the value is dropped once nothing is wanted, because it is large and no longer shown. */
	readonly forgets?: true;
	/** Adds the value that was read to the previous one. @default replaces it */
	readonly merge?: (before: Value | undefined, part: Part, key: Key) => Value;
	/** Further changes once something was read, or has failed. */
	readonly answered?: (
		state: State,
		answer: QueryAnswer<Key, Value>,
		before: QueryAnswer<Key, Value>,
	) => State | Transition;
}

/** Something outside of the state that is read when it is wanted. */
export interface DataQuery<Key, Value> extends AnyQuery {
	readonly of: (state: State) => QueryAnswer<Key, Value>;
	/** The state in which the value counts as old. */
	readonly renew: (state: State) => State;
	/** Replaces the value (undefined: no value); a reading under way is dropped, and requested again. */
	readonly set: (state: State, value: Value | undefined) => State;
}

/** A query whatever it reads, for the loop. */
export interface AnyQuery {
	readonly name: string;
	/** Requests the wanted value unless it is known, and cancels the reading of any other. */
	readonly ask: (state: State) => Transition;
	/** Cancels the reading, as far as its loader can be; its answer is dropped. */
	readonly stop: (state: State) => Transition;
	/** Stores an answer, unless it is late. */
	readonly take: (state: State, loaded: Loaded) => Transition;
	readonly load: (effect: Load, tools: RunTools) => Promise<Loaded | undefined>;
}

type Load = Extract<WorldEffect, { readonly type: "load" }>;
type Loaded = Extract<WorldAction, { readonly type: "loaded" }>;

/**
 * Something that is not in the state and must be read: `wanted` says what, `load` reads it, and its answer is in the state. One
 * reading at a time; an answer for a key that is no longer wanted is dropped here, and nowhere else.
 */
export function defineQuery<Key, Value, Part = Value>(spec: QuerySpec<Key, Value, Part>): DataQuery<Key, Value> {
	const { name, wanted, isSame = isEqual, finishes = () => false } = spec;
	const slice = defineSlice<QueryAnswer<Key, Value>>(`query ${name}`, FIRST);
	// Without `merge`, a part is a value.
	const merge = spec.merge ?? ((_: Value | undefined, part: Part) => part as unknown as Value);

	function stop(state: State): Transition {
		const { isLoading, request } = slice.of(state);
		if (!isLoading) return transition(state);
		const stopped = slice.with(state, { isLoading: false, isStale: true, request: request + 1 });
		return transition(stopped, { type: "stop-load", query: name });
	}

	function forget(state: State): Transition {
		const { asked, request } = slice.of(state);
		return transition(asked === undefined || spec.forgets !== true ? state : slice.with(state, { ...FIRST, request }));
	}

	function ask(state: State): Transition {
		const answer = slice.of(state);
		const key = wanted(state, answer);
		if (key === undefined) return chain(stop(state), forget);
		const { asked, isLoading, isStale, request } = answer;
		const isAsked = asked !== undefined && isSame(asked, key);
		if (isAsked && (isLoading || !isStale)) return transition(state);
		if (isLoading && asked !== undefined && finishes(asked, key)) return transition(state);
		const next = { asked: key, request: request + 1, isStale: false };
		const value = isStale ? undefined : spec.derive?.(state, key, answer);
		if (value !== undefined) {
			const derived = slice.with(state, { ...next, value, key, isLoading: false });
			return isLoading ? transition(derived, { type: "stop-load", query: name }) : transition(derived);
		}
		const effect = { type: "load", query: name, request: request + 1, key } as const;
		return transition(slice.with(state, { ...next, isLoading: true }), effect);
	}

	function take(state: State, { request, outcome, isLast }: Loaded): Transition {
		const answer = slice.of(state);
		const { asked, isLoading, value } = answer;
		if (!isLoading || asked === undefined || request !== answer.request) return transition(state);
		const next = slice.with(
			state,
			"error" in outcome
				? { error: outcome.error, isLoading: false }
				: // Only `load` below makes outcomes for this name.
					{ value: merge(value, outcome.part as Part, asked), key: asked, error: undefined, isLoading: !isLast },
		);
		return asTransition(spec.answered?.(next, slice.of(next), answer) ?? next);
	}

	async function load(
		{ request, key }: Load,
		{ report, latest, ...capabilities }: RunTools,
	): Promise<Loaded | undefined> {
		const loaded = (outcome: Loaded["outcome"], isLast: boolean): Loaded => {
			return { type: "loaded", query: name, request, outcome, isLast };
		};
		try {
			const outcome = await latest(async (slice, signal) => {
				const reportPart = (part: Part): void => report(loaded({ part }, false));
				const listen: LoadTools<Part>["listen"] = (begin) => {
					const { promise, reject } = Promise.withResolvers<never>();
					const end = begin(reportPart, reject);
					signal.addEventListener("abort", () => reject(signal.reason));
					// When another reading takes over, it has begun by then, and may continue from these results.
					return promise.finally(end);
				};
				// Only `ask` above makes keys for this name.
				return { part: await spec.load(key as Key, { ...capabilities, slice, signal, report: reportPart, listen }) };
			});
			return outcome && loaded(outcome, true);
		} catch (error) {
			if (spec.canFail !== true) throw error;
			return loaded({ error: messageOf(error) }, true);
		}
	}

	return {
		name,
		ask,
		stop,
		take,
		load,
		of: slice.of,
		renew: (state) => slice.with(state, { isStale: true }),
		set(state, value) {
			const { request } = slice.of(state);
			return slice.with(state, { ...FIRST, value, request: request + 1 });
		},
	};
}

const FIRST = {
	value: undefined,
	key: undefined,
	error: undefined,
	isLoading: false,
	isStale: false,
	asked: undefined,
	request: 0,
};

function isEqual(one: unknown, other: unknown): boolean {
	return one === other || (Array.isArray(one) && Array.isArray(other) && sameItems(one, other));
}
