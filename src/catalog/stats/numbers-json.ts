import type { ByteSpan } from "../branches/branch-tracker.ts";
import { IndexDamage } from "../index/sqlite.ts";
import type { SessionCounts } from "../model/counts.ts";
import type { EndState } from "../model/ending.ts";
import type { PendingChange, SessionNumbers } from "./session-numbers.ts";

/** Where counting can continue when the file grows. */
export interface CountState {
	/** Just after the last whole line that was counted. */
	readonly offset: number;
	readonly lines: number;
	/** Of the ends of the bytes before `offset`. The list has already made sure that nothing between them has changed. */
	readonly fingerprint: string;
	readonly entries: number;
	/** Id of the last entry; null if it has none. */
	readonly lastId: string | null;
	/** The state of the conversation there. */
	readonly end: Omit<EndState, "ending" | "endedMs">;
	/** When its header was written, Unix ms, if that names a parent: older entries are copies. 0 if not. */
	readonly forkedMs: number;
	/** The calls that wait for results in which lines were changed. */
	readonly changing: readonly PendingChange[];
	/** The ids of the calls that wait for results and are searches, so that their status 1 is no error. */
	readonly searching: readonly string[];
	/** Whether entries are linked in ways that pi does not write, so that the effect of appended entries is unknown. */
	readonly tangled: boolean;
}

/**
 * The stored form, without the counts, which have a column of their own. Lists, because a name from a file may be "__proto__".
 */
interface StoredJson {
	readonly state: CountState;
	readonly spending: [model: string, days: [day: string, ...spent: SpentTuple][]][];
	readonly abandoned: [tokens: number, cost: number];
	/** `abandoned` by model and day. */
	readonly lost: [model: string, days: [day: string, tokens: number, cost: number][]][];
	/** From, to, from, to, … */
	readonly spans: number[];
	readonly labeled: string[];
}

type SpentTuple = [input: number, output: number, cacheRead: number, cacheWrite: number, cost: number];

/** A session's numbers as the index stores them. */
export function numbersToJson(state: CountState, { spending, abandoned, labeled }: SessionNumbers): string {
	const json: StoredJson = {
		state,
		spending: [...spending].map(([model, days]) => [
			model,
			[...days].map(([day, { input, output, cacheRead, cacheWrite, cost }]) => {
				return [day, input, output, cacheRead, cacheWrite, cost];
			}),
		]),
		abandoned: [abandoned.tokens, abandoned.cost],
		lost: [...abandoned.spending].map(([model, days]) => [
			model,
			[...days].map(([day, { tokens, cost }]) => [day, tokens, cost]),
		]),
		spans: abandoned.spans.flat(),
		labeled: [...labeled],
	};
	return JSON.stringify(json);
}

/** The state before the first line, also if nothing of an earlier count is left. */
export const NOTHING_COUNTED: CountState = {
	offset: 0,
	lines: 0,
	fingerprint: "",
	entries: 0,
	lastId: null,
	end: { open: [], answer: 0 },
	forkedMs: 0,
	changing: [],
	searching: [],
	tangled: false,
};

/** Reads what `numbersToJson` wrote, and the counts; throws an `IndexDamage` for anything else. */
export function numbersFromJson(text: string, counts: SessionCounts): { state: CountState; numbers: SessionNumbers } {
	try {
		// Anything of another shape throws below.
		const { state, spending, abandoned, lost, spans, labeled } = JSON.parse(text) as StoredJson;
		const spent = spending.map(([model, list]) => {
			const days = list.map(([day, input, output, cacheRead, cacheWrite, cost]) => {
				return [day, { input, output, cacheRead, cacheWrite, cost }] as const;
			});
			return [model, new Map(days)] as const;
		});
		const abandonedSpending = lost.map(([model, list]) => {
			return [model, new Map(list.map(([day, tokens, cost]) => [day, { tokens, cost }] as const))] as const;
		});
		const [tokens, cost] = abandoned;
		const numbers = {
			spending: new Map(spent),
			abandoned: { tokens, cost, spending: new Map(abandonedSpending), spans: pairs(spans) },
			counts,
			labeled: new Set(labeled),
		};
		return { state, numbers };
	} catch {
		throw new IndexDamage("the numbers of a session cannot be read");
	}
}

function pairs(flat: readonly number[]): ByteSpan[] {
	const spans: ByteSpan[] = [];
	for (let at = 0; at + 1 < flat.length; at += 2) spans.push([flat[at] ?? 0, flat[at + 1] ?? 0]);
	return spans;
}
