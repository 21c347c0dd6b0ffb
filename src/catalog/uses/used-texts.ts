import { type Steps, TimeSlice } from "../../shared/steps.ts";
import { type Condition, entryMeets } from "../query/conditions.ts";
import type { Query } from "../query/parse-query.ts";
import { findRipgrep } from "../search/find-ripgrep.ts";
import type { SearchFile } from "../search/search.ts";
import type { SearchTools } from "../search/search-files.ts";
import { addOutcomes, type FoundUse, findUses } from "./find-uses.ts";
import { hasFailed, type Use, type UsedText, type UseKind } from "./use.ts";

export type UseOrder = "newest" | "most used";

export interface UsesWanted {
	readonly order: UseOrder;
	readonly limit: number;
}

export interface UsedTexts {
	/** The first ones in the order. */
	readonly texts: readonly UsedText[];
	readonly total: number;
	/** Number of uses of all texts found. */
	readonly uses: number;
}

interface KeptText extends Pick<UsedText, "kind" | "key" | "text" | "length"> {
	/** At least one, newest files first. */
	readonly uses: Use[];
	/** Unix ms of its latest use. */
	latest: number;
}

/** Characters kept of a text: the whole of a longer one is read from its file. */
const KEPT_CHARS = 2000;

/** What is searched for, and in which files; the same object means the same search. */
export interface UsesSearched {
	readonly kind: UseKind;
	/** What the texts must contain; its conditions are ignored. */
	readonly query: Query;
	/** Conditions that the time of a use must meet (`splitDates`). */
	readonly dates: readonly Condition[];
	/** Newest first: a use that forks have copied is attributed to the newest. */
	readonly files: readonly SearchFile[];
}

export interface FoundSoFar {
	readonly texts: TextsOfUses;
	/** Why files cannot be read, by their paths. */
	readonly unread: Map<string, string>;
	/** Number of files that are known to have been searched, and in all. */
	read: number;
	readonly total: number;
	isDone: boolean;
}

/**
 * Searches the files; yields the same object each time that there is more in it, and when it is done. Rejects with a `RipgrepError`, or the
 * signal's reason.
 */
export async function* searchUses(
	{ kind, query, dates, files }: UsesSearched,
	tools: Pick<SearchTools, "signal" | "onProcess">,
): AsyncGenerator<FoundSoFar> {
	const results: FoundSoFar = {
		texts: new TextsOfUses(),
		unread: new Map(),
		read: 0,
		total: files.length,
		isDone: false,
	};
	const options = {
		...tools,
		ripgrep: await findRipgrep(),
		timeSlice: new TimeSlice(),
		onUnreadable: (reasons: ReadonlyMap<string, string>) => {
			for (const [path, reason] of reasons) results.unread.set(path, reason);
		},
		onProgress: (count: number) => {
			results.read = count;
		},
	};
	for await (const uses of findUses(kind, query, files, options)) {
		results.texts.add(uses, dates);
		yield results;
	}
	results.isDone = true;
	yield results;
}

/** Gathers uses by their texts, those that forks have copied once: in the first file that has them. */
export class TextsOfUses {
	readonly #texts = new Map<number, KeptText>();
	readonly #seen = new Set<number>();

	add(uses: readonly FoundUse[], dates: readonly Condition[]): void {
		for (const { use, text } of uses) {
			if (this.#seen.has(use.origin)) continue;
			this.#seen.add(use.origin);
			if (!entryMeets({ time: use.time, isLabeled: false, hasFailed: false }, dates)) continue;
			const entry = this.#texts.get(use.text) ?? keptText(use, text);
			this.#texts.set(use.text, entry);
			entry.uses.push(use);
			entry.latest = Math.max(entry.latest, timeOf(use));
		}
	}

	/** The texts in an order, with what came of their uses, in steps. */
	*select({ order, limit }: UsesWanted): Steps<UsedTexts> {
		const byUse = (a: KeptText, b: KeptText): number => b.latest - a.latest || a.key - b.key;
		const ranked = [...this.#texts.values()].sort(
			order === "newest" ? byUse : (a, b) => b.uses.length - a.uses.length || byUse(a, b),
		);
		yield;
		const texts: UsedText[] = [];
		for (const { kind, key, text, length, uses } of ranked.slice(0, limit)) {
			yield* addOutcomes(uses);
			texts.push({
				...{ kind, key, text, length, count: uses.length },
				sessions: new Set(uses.map(({ path }) => path)).size,
				failures: uses.filter(hasFailed).length,
				uses: uses.toSorted((a, b) => timeOf(b) - timeOf(a)),
			});
		}
		return { texts, total: ranked.length, uses: ranked.reduce((sum, { uses }) => sum + uses.length, 0) };
	}
}

function keptText({ kind, text: key }: Use, text: string): KeptText {
	// A copy, since a slice of a longer text would keep that text in memory.
	const beginning = text.length > KEPT_CHARS ? String(JSON.parse(JSON.stringify(text.slice(0, KEPT_CHARS)))) : text;
	return { kind, key, text: beginning, length: text.length, uses: [], latest: 0 };
}

function timeOf({ time }: Use): number {
	return Number.isNaN(time) ? 0 : time;
}
