import type { Steps } from "../../shared/steps.ts";
import { type Condition, entryMeets } from "../query/conditions.ts";
import { addOutcomes, answerTo, type FoundUse } from "./find-uses.ts";
import { hasFailed, type Use, type UsedText, type UseKind } from "./use.ts";

/** The orders of texts: by their latest use, or by the number of their uses. */
export type UseOrder = "newest" | "most used";

/** Which of the matching texts are wanted. */
export interface UsesWanted {
	readonly kind: UseKind;
	readonly order: UseOrder;
	/** Conditions that the time of a use must meet (`splitDates`). */
	readonly dates: readonly Condition[];
	readonly limit: number;
	readonly usesLimit: number;
	/** Keys of texts of which more uses are wanted. */
	readonly opened?: readonly number[];
}

/** The texts found, up to the limit. */
export interface UsedTexts {
	/** The first ones in the order. */
	readonly texts: readonly UsedText[];
	readonly total: number;
	/** Number of uses of all texts found. */
	readonly uses: number;
}

interface KeptText {
	readonly key: number;
	readonly text: string;
	readonly length: number;
	/** At least one, newest files first. */
	readonly uses: Use[];
	/** Unix ms of its latest use. */
	latest: number;
}

/** Characters kept of a text: the whole of a longer one is read from its file. */
const KEPT_CHARS = 2000;
/** Largest number of uses of an opened text. */
const OPENED_USES = 500;

/** Gathers uses by their texts, those that forks have copied once: in the first file that has them. */
export class TextsOfUses {
	readonly #texts = new Map<number, KeptText>();
	readonly #seen = new Set<number>();

	add(uses: readonly FoundUse[], dates: readonly Condition[]): void {
		for (const { use, text } of uses) {
			if (this.#seen.has(use.origin)) continue;
			this.#seen.add(use.origin);
			if (!entryMeets({ time: use.time, isLabeled: false, hasFailed: false }, dates)) continue;
			const entry = this.#texts.get(use.text) ?? keptText(use.text, text);
			this.#texts.set(use.text, entry);
			entry.uses.push(use);
			entry.latest = Math.max(entry.latest, timeOf(use));
		}
	}

	/** The texts in an order, with what came of their uses, in steps. */
	*select({ kind, order, limit, usesLimit, opened = [] }: UsesWanted): Steps<UsedTexts> {
		const byUse = (a: KeptText, b: KeptText): number => b.latest - a.latest || a.key - b.key;
		const ranked = [...this.#texts.values()].sort(
			order === "newest" ? byUse : (a, b) => b.uses.length - a.uses.length || byUse(a, b),
		);
		yield;
		const texts: UsedText[] = [];
		for (const { key, text, length, uses } of ranked.slice(0, limit)) {
			yield* addOutcomes(uses);
			const latest = uses.toSorted((a, b) => timeOf(b) - timeOf(a));
			texts.push({
				...{ kind, key, text, length, count: uses.length },
				sessions: new Set(uses.map(({ path }) => path)).size,
				failures: uses.filter(hasFailed).length,
				answer: latest[0] === undefined ? "" : answerTo(latest[0]),
				uses: latest.slice(0, opened.includes(key) ? OPENED_USES : usesLimit),
			});
		}
		return { texts, total: ranked.length, uses: ranked.reduce((sum, { uses }) => sum + uses.length, 0) };
	}
}

function keptText(key: number, text: string): KeptText {
	// A copy, since a slice of a longer text would keep that text in memory.
	const beginning = text.length > KEPT_CHARS ? String(JSON.parse(JSON.stringify(text.slice(0, KEPT_CHARS)))) : text;
	return { key, text: beginning, length: text.length, uses: [], latest: 0 };
}

function timeOf({ time }: Use): number {
	return Number.isNaN(time) ? 0 : time;
}
