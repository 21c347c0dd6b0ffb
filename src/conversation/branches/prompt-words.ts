/** How often each word is in the prompts of a session: a word of all prompts distinguishes none. */
export class WordCounts {
	readonly #counts = new Map<string, number>();
	#prompts = 0;

	/** Counts the words of one prompt, each once. */
	add(prompt: string): void {
		this.#prompts += 1;
		for (const word of new Set(wordsOf(prompt).map(({ text }) => text.toLowerCase()))) {
			this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
		}
	}

	/** Whether a word is in too many prompts to distinguish them. */
	isCommon(word: string): boolean {
		return (this.#counts.get(word.toLowerCase()) ?? 0) > Math.max(FEW_PROMPTS, this.#prompts * COMMON_SHARE);
	}
}

/** UTF-16 units of a prompt in which its words are looked for. */
const LOOKED_AT = 240;
/** Most words in a name. */
const MOST_WORDS = 3;
/** UTF-16 units that these words have together, at most, where they are not one long one. */
const MOST_UNITS = 28;
/** A word in no more prompts than this is never too common. */
const FEW_PROMPTS = 3;
/** A word in a larger part of the prompts is too common. */
const COMMON_SHARE = 0.25;

/**
 * The few words that distinguish a prompt from the others of its session: the first ones, in the order of the prompt,
 * that are neither among the words of every sentence nor in most prompts. A prompt without such
 * words is named by its beginning.
 */
export function promptWords(prompt: string, counts: WordCounts): string {
	const words = wordsOf(prompt);
	const distinctive = words.filter(({ text }) => !STOP_WORDS.has(text.toLowerCase()) && !counts.isCommon(text));
	const first = distinctive[0];
	if (first === undefined) return short(words.map(({ text }) => text)) || "(no words)";
	// What is far from the first word is about something else.
	const near = distinctive.filter(({ clause }) => clause === first.clause);
	return short(near.slice(0, MOST_WORDS).map(({ text }) => text));
}

/** As many of the words as fit, at least one, cut if that one is too long. */
function short(words: readonly string[]): string {
	let text = "";
	for (const word of words) {
		if (text !== "" && text.length + 1 + word.length > MOST_UNITS) break;
		text = text === "" ? word : `${text} ${word}`;
	}
	const characters = [...text.slice(0, 2 * MOST_UNITS)];
	return characters.length > MOST_UNITS ? `${characters.slice(0, MOST_UNITS - 1).join("")}…` : text;
}

interface PromptWord {
	readonly text: string;
	/** The number of its clause in the prompt. */
	readonly clause: number;
}

/** Letters and digits, and what stands within names of files and identifiers; or the end of a clause. */
const WORD = /[\p{L}\p{N}_@#$][\p{L}\p{N}\p{M}_@/#$'’-]*(?:\.[\p{L}\p{N}_/-]+)*|[.,:;!?\n()]/gu;
const IS_WORD = /[\p{L}\p{N}]/u;

function wordsOf(prompt: string): PromptWord[] {
	let clause = 0;
	const words: PromptWord[] = [];
	for (const [text] of prompt.slice(0, LOOKED_AT).matchAll(WORD)) {
		// The last part of a path is the most distinctive.
		if (IS_WORD.test(text))
			words.push({ text: text.split("/").findLast((part) => IS_WORD.test(part)) ?? text, clause });
		else clause += 1;
	}
	return words;
}

/** Words of any English sentence, and of any request. */
const STOP_WORDS: ReadonlySet<string> = new Set(
	`a about after again all also an and any are as at be been before both but by can cannot can't could did do does doesn't
	doing don't done each else even every fine first for from get give go goes going good got great had has have having he
	hello help her here hi his how i i'd i'll i'm i've if in instead into is isn't it it's its just keep kindly last let
	let's like look looks made make makes making many may maybe me might more most much must my need needs next nice no
	nor not now of off ok okay on once one only or other our out over own perhaps please put right same say says see shall
	she should show so some still such sure take tell than thank thanks that that's the their them then there these they
	thing things think this those through to too tried try trying under up us use used using very want wants was way we
	we'd we'll we're well were what what's when where whether which while who whole why will with without won't work
	works would yes yet you you'd you'll your`.split(/\s+/),
);
