/** A text as it is looked through, which leads back to the text as it is. */
interface PlainView {
	readonly text: string;
	/** The part of the original from the unit that one of the view was, to the end of that before another one. */
	range(from: number, to: number): readonly [from: number, to: number];
}

/** Controls, and characters that are not seen: no page and no Markdown that is shared has them. */
const UNSEEN = String.raw`\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb`;
/**
 * What a text has beside what it says: escape sequences, also written out; what is not seen; quotes, slashes and line ends as
 * JSON writes them, however often; entities of HTML. Every repetition is bounded.
 */
const BESIDE = new RegExp(
	[
		String.raw`\\{1,15}["'\x60/_nrt]`,
		`&(?:quot|amp|lt|gt|apos|#39|#34|#x27|#x22|#x2F);`,
		String.raw`\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~])?`,
		String.raw`\\{1,4}(?:u001b|x1b|033|e)\[[\d;]{0,32}[A-Za-z]`,
		String.raw`\\{1,8}u00[0-7][0-9a-fA-F]`,
		`[${UNSEEN}]`,
	].join("|"),
	"g",
);
const HAS_BESIDE = new RegExp(String.raw`[\\&\x1b${UNSEEN}]`);

const ENTITIES: Readonly<Record<string, string>> = {
	"&quot;": '"',
	"&#34;": '"',
	"&#x22;": '"',
	"&apos;": "'",
	"&#39;": "'",
	"&#x27;": "'",
	"&amp;": "&",
	"&lt;": "<",
	"&gt;": ">",
	"&#x2F;": "/",
};

/** The text without markup and colors: only what ends a word stands where something else ended it. */
export function plainView(text: string): PlainView {
	if (!HAS_BESIDE.test(text)) return { text, range: (from, to) => [from, to] };
	/** Where each unit of the view is in the original, and where those end that stand for several. */
	const origins = new Int32Array(text.length);
	const ends = new Map<number, number>();
	const pieces: string[] = [];
	let [done, length] = [0, 0];
	const copy = (to: number): void => {
		pieces.push(text.slice(done, to));
		for (; done < to; done++) origins[length++] = done;
	};
	for (const { 0: whole, index } of text.matchAll(BESIDE)) {
		copy(index);
		done = index + whole.length;
		const instead = insteadOf(whole);
		if (instead === "") continue;
		pieces.push(instead);
		for (let at = 0; at < instead.length; at++) {
			origins[length] = index;
			ends.set(length++, done);
		}
	}
	copy(text.length);
	const endOf = (unit: number): number => ends.get(unit) ?? (origins[unit] ?? 0) + 1;
	return { text: pieces.join(""), range: (from, to) => [origins[from] ?? text.length, endOf(to - 1)] };
}

function insteadOf(beside: string): string {
	const last = beside.at(-1) ?? "";
	switch (beside.charAt(0)) {
		case "&":
			return ENTITIES[beside] ?? beside;
		case "\x1b":
			// Of other sequences only the first character is taken away: an address may stand in one.
			return beside.length > 1 ? "" : " ";
		case "\\":
			if (beside.includes("[")) return "";
			if (beside.length > 4 && /u00..$/.test(beside)) return String.fromCharCode(Number.parseInt(beside.slice(-2), 16));
			return last === "t" ? "\t" : last === "n" || last === "r" ? "\n" : last;
		default:
			return "";
	}
}
