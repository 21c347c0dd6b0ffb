import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { type Condition, entryMeets } from "../query/conditions.ts";
import { holdsAll, SearchText } from "../query/match.ts";
import { asksForText, type Query } from "../query/parse-query.ts";
import { hasFailed, type Use, type UsedText, type UseKind } from "./use.ts";

/** A text with its uses. */
export interface RankedText {
	/** Hash of the text. */
	readonly key: number;
	/** At least one, in no particular order. */
	readonly uses: Use[];
	/** Rank: the sum of its uses, each counting half as much for every week since. */
	weight: number;
	/** Unix ms of its latest use. */
	latest: number;
}

const HALF_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * All texts used in these files, the one used most nowadays first: each use counts 1 when it happens, and half as much for
 * every week since. A use that forks have copied counts once, in the first file that has it. `files`: the uses in each;
 * `dates`: conditions that the time of a use must meet; `now`: Unix ms.
 */
export function rankUses(
	files: Iterable<readonly Use[]>,
	dates: readonly Condition[],
	now: number,
): readonly RankedText[] {
	const texts = new Map<number, RankedText>();
	const seen = new Set<number>();
	for (const uses of files) {
		for (const use of uses) {
			if (seen.has(use.origin)) continue;
			seen.add(use.origin);
			if (!entryMeets({ time: use.time, isLabeled: false, hasFailed: false }, dates)) continue;
			const text = texts.get(use.text) ?? { key: use.text, uses: [], weight: 0, latest: 0 };
			texts.set(use.text, text);
			text.uses.push(use);
			const time = timeOf(use);
			// A clock that was wrong must not rank a text above all others forever.
			text.weight += 2 ** ((Math.min(time, now) - now) / HALF_LIFE_MS);
			text.latest = Math.max(text.latest, time);
		}
	}
	return [...texts.values()].sort((a, b) => b.weight - a.weight || b.latest - a.latest || a.key - b.key);
}

/** The texts found, up to the limit. */
export interface UsedTexts {
	/** The first ones by rank. */
	readonly texts: readonly UsedText[];
	/** Number of all texts found. */
	readonly total: number;
	/** Number of uses of all texts found. */
	readonly uses: number;
}

export interface UseQuery {
	readonly kind: UseKind;
	/** What the texts must contain; its conditions are ignored. */
	readonly query: Query;
	/** Largest number of texts. */
	readonly limit: number;
	/** Largest number of uses per text. */
	readonly usesLimit: number;
	/** Keys of texts whose uses are wanted up to a higher limit. */
	readonly opened?: readonly number[];
	/** Largest number of characters per text. */
	readonly textLimit: number;
}

/** Largest number of uses of an opened text. */
const OPENED_USES = 500;

/** The texts that match a query, by rank, in steps. */
export function* selectUsesSteps(ranked: readonly RankedText[], kept: KeptTexts, asked: UseQuery): Steps<UsedTexts> {
	const texts: UsedText[] = [];
	let [total, uses] = [0, 0];
	const opened = new Set(asked.opened);
	const isText = asksForText(asked.query);
	for (const [index, one] of ranked.entries()) {
		if (index % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield;
		const text = kept.get(one.key);
		if (!text || (isText && !holdsAll([compared(asked.kind, text)], asked.query))) continue;
		total += 1;
		uses += one.uses.length;
		if (texts.length >= asked.limit) continue;
		texts.push({
			kind: asked.kind,
			key: one.key,
			text: text.text.slice(0, asked.textLimit),
			length: text.length,
			count: one.uses.length,
			sessions: new Set(one.uses.map(({ path }) => path)).size,
			failures: one.uses.filter(hasFailed).length,
			uses: one.uses
				.toSorted((a, b) => timeOf(b) - timeOf(a))
				.slice(0, opened.has(one.key) ? OPENED_USES : asked.usesLimit),
		});
	}
	return { texts, total, uses };
}

/** Only shorter texts keep the form for comparing: for all texts it would double the memory. */
const LONGEST_COMPARED = 2000;

function compared(kind: UseKind, kept: KeptText): SearchText {
	if (kept.compared) return kept.compared;
	const { text } = kept;
	const made = kind === "prompt" ? new SearchText("user", text) : new SearchText("command", text, "bash");
	if (text.length <= LONGEST_COMPARED) kept.compared = made;
	return made;
}

function timeOf({ time }: Use): number {
	return Number.isNaN(time) ? 0 : time;
}

/** Characters kept of one text; longer ones are compared by their beginning. */
const KEPT_CHARS = 32_768;
/** Characters kept like that in all; of later texts, only the beginning. */
const ALL_KEPT_CHARS = 64 * 1024 * 1024;
const LATE_KEPT_CHARS = 200;

/** A text, or as much of it as is kept. */
interface KeptText {
	/** The text, or its beginning. */
	readonly text: string;
	/** Characters of the whole text. */
	readonly length: number;
	/**
	 * The form for comparing, once made, unless the text is long: folding it again for each letter of a filter costs two to
	 * five times as much.
	 */
	compared?: SearchText;
}

/** The texts of all uses, each once, by hash, in bounded memory: sessions may hold any number of texts of any length. */
export class KeptTexts {
	readonly #texts = new Map<number, KeptText>();
	readonly #most: number;
	#kept = 0;

	/** `most`: characters of all texts together. */
	constructor(most = ALL_KEPT_CHARS) {
		this.#most = most;
	}

	keep(hash: number, text: string): void {
		if (this.#texts.has(hash)) return;
		const kept = text.slice(0, this.#kept < this.#most ? KEPT_CHARS : LATE_KEPT_CHARS);
		this.#kept += kept.length;
		this.#texts.set(hash, { text: unsliced(kept), length: text.length });
	}

	get(hash: number): KeptText | undefined {
		return this.#texts.get(hash);
	}
}

/** A copy of a text that does not refer to the longer one that it was cut from, which V8 would otherwise keep in memory. */
function unsliced(text: string): string {
	return String(JSON.parse(JSON.stringify(text)));
}
