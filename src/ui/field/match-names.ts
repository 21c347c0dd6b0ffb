interface NamedItem {
	readonly name: string;
	/** Separated by commas. */
	readonly synonyms: string;
}

/** By what something is found; the lowest comes first. */
export const LEVEL = { whole: 0, beginning: 1, synonym: 2, within: 3 } as const;
/** Where a whole synonym begins: behind all names that begin with it, which are as good. */
const SYNONYM_START = 1000;

export interface Match<Item> {
	readonly item: Item;
	/** One of `LEVEL`. */
	readonly level: number;
	/** Where in the name the match begins. */
	readonly start: number;
	/** Index of each letter of the name that was typed. */
	readonly matched: ReadonlySet<number>;
}

/**
 * What the typed words name, in its order. They are the whole name; or each word begins a word of it, or they are a whole synonym; or
 * each begins a word of the synonyms, or is within the name.
 */
export function matching<Item extends NamedItem>(items: readonly Item[], typed: string): readonly Match<Item>[] {
	const words = typed
		.toLowerCase()
		.split(/[\s:]+/)
		.filter((word) => word !== "");
	return items.flatMap((item) => match(item, words) ?? []);
}

function match<Item extends NamedItem>(item: Item, words: readonly string[]): Match<Item> | undefined {
	const name = item.name.toLowerCase();
	const begun = words.map((word) => beginningIn(name, word));
	const whole = words.join(" ");
	const isWhole = whole.replace("…", "") === name.replace("…", "");
	if (begun.every((at) => at !== -1))
		return { item, level: isWhole ? LEVEL.whole : LEVEL.beginning, ...inName(words, begun) };
	const synonyms = item.synonyms.toLowerCase();
	const { matched } = inName(words, begun);
	if (synonyms.split(/, ?/).includes(whole)) return { item, level: LEVEL.beginning, start: SYNONYM_START, matched };
	if (words.every((word, index) => begun[index] !== -1 || beginningIn(synonyms, word) !== -1))
		return { item, level: LEVEL.synonym, start: 0, matched };
	const within = words.map((word, index) => Math.max(begun[index] ?? -1, name.indexOf(word)));
	return within.includes(-1) ? undefined : { item, level: LEVEL.within, ...inName(words, within) };
}

/** Where a word of these begins with this text; -1 if none does. */
function beginningIn(words: string, text: string): number {
	for (let at = words.indexOf(text); at !== -1; at = words.indexOf(text, at + 1)) {
		if (at === 0 || !/[\p{L}\p{N}]/u.test(words.charAt(at - 1))) return at;
	}
	return -1;
}

/** The letters of the words that begin in the name at these places; -1 for a word that is not in it. */
function inName(words: readonly string[], starts: readonly number[]): Pick<Match<NamedItem>, "start" | "matched"> {
	const matched = new Set<number>();
	for (const [index, start] of starts.entries()) {
		const length = start === -1 ? 0 : (words[index]?.length ?? 0);
		for (let at = start; at < start + length; at++) matched.add(at);
	}
	return { start: Math.min(...starts), matched };
}
