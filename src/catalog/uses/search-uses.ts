import { isObject } from "../../shared/json.ts";
import { type Steps, TimeSlice } from "../../shared/steps.ts";
import { textOf } from "../../store/format/fields.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";
import { textHash } from "../branches/entry-ids.ts";
import { type Condition, entryMeets } from "../query/conditions.ts";
import { KINDS } from "../query/kinds.ts";
import { holdsAll, SearchText } from "../query/match.ts";
import { ENOUGH, withOtherForms } from "../query/other-forms.ts";
import type { Query } from "../query/parse-query.ts";
import { alternativesOf } from "../query/term.ts";
import { batchesOf } from "../search/batches.ts";
import { findRipgrep } from "../search/find-ripgrep.ts";
import type { SearchFile } from "../search/search.ts";
import type { SearchTools } from "../search/search-files.ts";
import { linesWithAny } from "../search/search-session.ts";
import { addEndings, endingIn } from "./read-use.ts";
import { textsOfEntry, type Use, type UsedText, type UseKind } from "./use.ts";

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

export type UseOrder = "newest" | "most used";

/** Which of the texts found are wanted. */
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

/**
 * Searches the files; yields the same object each time that there is more in it, and when it is done. Rejects with a `RipgrepError`, or the
 * signal's reason.
 */
export async function* searchUses(
	{ kind, query, dates, files }: UsesSearched,
	tools: Pick<SearchTools, "signal" | "onProcess">,
): AsyncGenerator<FoundUses> {
	const results = new FoundUses(dates, files.length);
	const options = {
		...tools,
		ripgrep: await findRipgrep(),
		timeSlice: new TimeSlice(),
		onUnreadable: (reasons: ReadonlyMap<string, string>) => {
			for (const [path, reason] of reasons) results.unread.set(path, reason);
		},
	};
	// Few texts as typed are followed by those with other forms of the words, as few sessions are.
	// Lines with the first of the words; the whole query is compared with the text.
	const kinds = KINDS[kind === "prompt" ? "user" : "command"].bit;
	for (const some of [query, withOtherForms(query)]) {
		if (some === undefined || (some !== query && results.count >= ENOUGH)) break;
		const [term = { kinds }] = some.terms;
		const terms = alternativesOf(term).map((one) => ({ ...one, tool: undefined, kinds }));
		let end = 0;
		for (const batch of batchesOf(files)) {
			// A file without a match counts when its batch is done.
			end += batch.length;
			for await (const { file, read, lines } of linesWithAny(terms, batch, options)) {
				for await (const { offset, number } of lines)
					for (const [at, entry] of read.entriesOn(offset))
						for (const one of usesIn(entry, { path: file.path, offset: at, line: number }))
							if (meets(one, kind, some)) results.add(one);
				if (some === query) results.read += 1;
				yield results;
			}
			results.read = Math.max(results.read, end);
		}
	}
	results.isDone = true;
	yield results;
}

/** A use with its whole text. */
export interface FoundUse {
	readonly use: Use;
	readonly text: string;
}

function meets({ use, text }: FoundUse, kind: UseKind, query: Query): boolean {
	const compared = kind === "prompt" ? new SearchText("user", text) : new SearchText("command", text, "bash");
	return use.kind === kind && holdsAll([compared], query);
}

function usesIn(entry: RawEntry, place: Pick<Use, "path" | "offset" | "line">): FoundUse[] {
	const message = isObject(entry.message) ? entry.message : {};
	const entryId = textOf(entry.id);
	const time = timeOf(entry.timestamp ?? message.timestamp);
	return textsOfEntry(entry).map(({ kind, text, call }, part) => {
		const hashes = { text: textHash(text), origin: textHash(`${entryId} ${part} ${time} ${text}`) };
		const by = call === undefined ? "person" : "model";
		const ending = kind === "prompt" ? {} : endingIn(message, call);
		return { text, use: { kind, ...hashes, ...place, entryId, part, time, by, ...ending } };
	});
}

interface KeptText extends UsedText {
	readonly uses: Use[];
	/** Unix ms of its latest use. */
	latest: number;
}

/** Characters kept of a text: the whole of a longer one is read from its file. */
const KEPT_CHARS = 2000;

/** Uses by their texts, those that forks have copied once: in the first file that has them. */
export class FoundUses {
	/** Why files cannot be read, by their paths. */
	readonly unread = new Map<string, string>();
	/** Number of files that are known to have been searched. */
	read = 0;
	isDone = false;
	readonly total: number;
	readonly #dates: readonly Condition[];
	readonly #texts = new Map<number, KeptText>();
	readonly #origins = new Set<number>();

	/** `total`: number of files. */
	constructor(dates: readonly Condition[], total: number) {
		this.total = total;
		this.#dates = dates;
	}

	/** Number of texts found. */
	get count(): number {
		return this.#texts.size;
	}

	add({ use, text }: FoundUse): void {
		if (this.#origins.has(use.origin)) return;
		this.#origins.add(use.origin);
		if (!entryMeets({ time: use.time, isLabeled: false, hasFailed: false }, this.#dates)) return;
		const entry = this.#texts.get(use.text) ?? keptText(use.text, text);
		this.#texts.set(use.text, entry);
		entry.uses.push(use);
		entry.latest = Math.max(entry.latest, timeOfUse(use));
	}

	/** The texts in an order, with how their uses ended, in steps. */
	*select({ order, limit }: UsesWanted): Steps<UsedTexts> {
		const byUse = (a: KeptText, b: KeptText): number => b.latest - a.latest || a.key - b.key;
		const ranked = [...this.#texts.values()].sort(
			order === "newest" ? byUse : (a, b) => b.uses.length - a.uses.length || byUse(a, b),
		);
		yield;
		const texts: UsedText[] = [];
		for (const { key, text, length, uses } of ranked.slice(0, limit)) {
			yield* addEndings(uses);
			texts.push({ key, text, length, uses: uses.toSorted((a, b) => timeOfUse(b) - timeOfUse(a)) });
		}
		return { texts, total: this.count, uses: ranked.reduce((sum, { uses }) => sum + uses.length, 0) };
	}
}

function keptText(key: number, text: string): KeptText {
	// A copy, since a slice of a longer text would keep that text in memory.
	const beginning = text.length > KEPT_CHARS ? String(JSON.parse(JSON.stringify(text.slice(0, KEPT_CHARS)))) : text;
	return { key, text: beginning, length: text.length, uses: [], latest: 0 };
}

function timeOfUse({ time }: Use): number {
	return Number.isNaN(time) ? 0 : time;
}
