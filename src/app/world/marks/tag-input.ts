import type { Marks } from "../../../changes/noted/marks.ts";
import { type EditedText, replaceBetween } from "../../../ui/field/edit.ts";

/** What a typed text asks for. */
export interface TagInput {
	readonly add: readonly string[];
	readonly remove: readonly string[];
	/** Why it is none, in a sentence. */
	readonly mistake?: string;
}

/** Units of a tag at most: more is a sentence, and no row has room for it. */
const LONGEST = 40;

/**
 * Reads tags, parted by blanks or commas: each is put on, or with a "-" before it taken off; a "#" before it is no part of
 * it. A tag that is known in other letters (Wip, wip) is meant, so there are never two of them.
 */
export function parseTags(text: string, known: readonly string[]): TagInput {
	const add = new Set<string>();
	const remove = new Set<string>();
	for (const word of text.normalize("NFC").split(/[\s,]+/u)) {
		const off = word.startsWith("-");
		const typed = (off ? word.slice(1) : word).replace(/^#+/, "");
		if (typed === "") continue;
		if (typed.length > LONGEST) return { add: [], remove: [], mistake: `A tag has at most ${LONGEST} characters` };
		if (typed.includes('"')) return { add: [], remove: [], mistake: "A tag has no quotation marks" };
		const tag = known.find((other) => other.toLowerCase() === typed.toLowerCase()) ?? typed;
		// Of the same tag the last word counts.
		add.delete(tag);
		remove.delete(tag);
		(off ? remove : add).add(tag);
	}
	return { add: [...add], remove: [...remove] };
}

/** All tags that any session has, those of most sessions first. */
export function knownTags({ tags }: Pick<Marks, "tags">): readonly string[] {
	const counts = new Map<string, number>();
	for (const all of tags.values()) for (const tag of all) counts.set(tag, (counts.get(tag) ?? 0) + 1);
	return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([tag]) => tag);
}

/** The word before the cursor, which may be completed. */
function wordBefore({ text, cursor }: EditedText): {
	readonly from: number;
	readonly sign: string;
	readonly typed: string;
} {
	const before = text.slice(0, cursor);
	const [word = ""] = /[^\s,]*$/u.exec(before) ?? [];
	const [sign = ""] = /^-?#*/.exec(word) ?? [];
	return { from: cursor - word.length, sign, typed: word.slice(sign.length) };
}

/**
 * The tags that the word before the cursor may become: after a "-" those that the sessions have (`present`), else those
 * that are known and not typed yet.
 */
export function completions(
	edited: EditedText,
	known: readonly string[],
	present: readonly string[],
): readonly string[] {
	const { from, sign, typed } = wordBefore(edited);
	const others = parseTags(`${edited.text.slice(0, from)} ${edited.text.slice(edited.cursor)}`, known);
	const taken = new Set([...others.add, ...others.remove]);
	const candidates = sign.startsWith("-") ? present : known.filter((tag) => !present.includes(tag));
	const start = typed.normalize("NFC").toLowerCase();
	const begin = candidates.filter((tag) => !taken.has(tag) && tag.toLowerCase().startsWith(start));
	const hold = candidates.filter((tag) => !taken.has(tag) && tag.toLowerCase().indexOf(start) > 0);
	return [...begin, ...hold];
}

/** The text with the word before the cursor replaced by a tag, and a blank behind it. */
export function complete(edited: EditedText, tag: string): EditedText {
	const { from, sign } = wordBefore(edited);
	const to = edited.text[edited.cursor] === " " ? edited.cursor + 1 : edited.cursor;
	return replaceBetween(edited, from, to, `${sign}${tag} `);
}
