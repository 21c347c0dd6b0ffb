import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Marks } from "../../../changes/noted/marks.ts";
import { type EditedText, replaceBetween } from "../../../ui/field/edit.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { textWidth } from "../../../ui/text/width.ts";

/** Precedes the title of a pinned session. */
const PIN = "★ ";

/** "#idea #wip" */
export function drawTags(tags: readonly string[]): Line {
	return tags.map((tag, index): Span => span(`${index === 0 ? "" : " "}#${tag}`, "label"));
}

/** The pin before the title of a session, if it is pinned. */
export function pinOf({ id }: Pick<SessionRow, "id">, { pinned }: Pick<Marks, "pinned">): Line {
	return pinned.has(id) ? [span(PIN, "label")] : [];
}

/** The tags after its title, as many as fit into `room` cells. */
export function tagsOf({ id }: Pick<SessionRow, "id">, { tags }: Pick<Marks, "tags">, room: number): Line {
	const all = tags.get(id) ?? [];
	const line: Span[] = [];
	let left = room - GAP;
	for (const tag of drawTags(all)) {
		left -= textWidth(tag.text);
		if (left >= 0) line.push(tag);
	}
	return line.length === 0 ? [] : [span(" ".repeat(GAP)), ...line];
}

/** Cells between a title and its tags. */
const GAP = 2;

/** The tags to add and to remove. */
export interface TagInput {
	readonly add: readonly string[];
	readonly remove: readonly string[];
	/** Why the text is not valid, in a sentence. */
	readonly mistake?: string;
}

/** Characters of a tag: anything longer is a sentence, and does not fit into a row. */
const MAX_LENGTH = 40;

/**
 * Parses tags separated by blanks or commas: each is added, or removed if it begins with "-"; a leading "#" is ignored. A
 * known tag in a different case (Wip, wip) is used as it is known, so there are never both.
 */
export function parseTags(text: string, known: readonly string[]): TagInput {
	const add = new Set<string>();
	const remove = new Set<string>();
	for (const word of text.normalize("NFC").split(/[\s,]+/u)) {
		const isRemoved = word.startsWith("-");
		const typed = (isRemoved ? word.slice(1) : word).replace(/^#+/, "");
		if (typed === "") continue;
		if (typed.length > MAX_LENGTH)
			return { add: [], remove: [], mistake: `A tag has at most ${MAX_LENGTH} characters` };
		if (typed.includes('"')) return { add: [], remove: [], mistake: "A tag has no quotation marks" };
		const tag = known.find((other) => other.toLowerCase() === typed.toLowerCase()) ?? typed;
		// If a tag is given twice, the last one counts.
		add.delete(tag);
		remove.delete(tag);
		(isRemoved ? remove : add).add(tag);
	}
	return { add: [...add], remove: [...remove] };
}

/** All tags in use, the most used first. */
export function knownTags({ tags }: Pick<Marks, "tags">): readonly string[] {
	const counts = new Map<string, number>();
	for (const all of tags.values()) for (const tag of all) counts.set(tag, (counts.get(tag) ?? 0) + 1);
	return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([tag]) => tag);
}

/** The word before the cursor, to be completed. */
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
 * Completions of the word before the cursor: after a "-" the tags that the sessions have (`present`), otherwise known tags
 * that they do not have; in both cases without those already typed.
 */
export function completions(
	edited: EditedText,
	known: readonly string[],
	present: readonly string[],
): readonly string[] {
	const { from, sign, typed } = wordBefore(edited);
	const others = parseTags(`${edited.text.slice(0, from)} ${edited.text.slice(edited.cursor)}`, known);
	const typedTags = new Set([...others.add, ...others.remove]);
	const candidates = sign.startsWith("-") ? present : known.filter((tag) => !present.includes(tag));
	const start = typed.normalize("NFC").toLowerCase();
	const positionIn = (tag: string): number => (typedTags.has(tag) ? -1 : tag.toLowerCase().indexOf(start));
	return [...candidates.filter((tag) => positionIn(tag) === 0), ...candidates.filter((tag) => positionIn(tag) > 0)];
}

/** Replaces the word before the cursor by a tag and a blank. */
export function complete(edited: EditedText, tag: string): EditedText {
	const { from, sign } = wordBefore(edited);
	const to = edited.text[edited.cursor] === " " ? edited.cursor + 1 : edited.cursor;
	return replaceBetween(edited, from, to, `${sign}${tag} `);
}
