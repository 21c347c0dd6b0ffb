/** A text as it is looked through, which leads back to the text as it is. */
export interface PlainView {
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
/** Whether a text has any of that. */
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
	const same: PlainView = { text, range: (from, to) => [from, to] };
	if (!HAS_BESIDE.test(text)) return same;
	const edits = new Edits();
	const pieces: string[] = [];
	let [done, end] = [0, 0];
	BESIDE.lastIndex = 0;
	for (let match = BESIDE.exec(text); match !== null; match = BESIDE.exec(text)) {
		const [whole] = match;
		const instead = insteadOf(whole);
		pieces.push(text.slice(done, match.index), instead);
		end += match.index - done + instead.length;
		done = match.index + whole.length;
		edits.add(end, done, instead.length, whole.length);
	}
	if (done === 0) return same;
	pieces.push(text.slice(done));
	return {
		text: pieces.join(""),
		range: (from, to) => [edits.original(from), edits.original(to - 1) + edits.widthAt(to - 1)],
	};
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

/** Where a view and its original differ. */
class Edits {
	/** For each: where it ends in the view, and in the original, and how long it is in both. */
	readonly #ends: number[] = [];
	readonly #originals: number[] = [];
	readonly #lengths: number[] = [];
	readonly #widths: number[] = [];

	add(end: number, original: number, length: number, width: number): void {
		this.#ends.push(end);
		this.#originals.push(original);
		this.#lengths.push(length);
		this.#widths.push(width);
	}

	/** Where a unit of the view begins in the original. */
	original(at: number): number {
		const edit = this.#before(at);
		if (this.#isIn(edit + 1, at)) return (this.#originals[edit + 1] ?? 0) - (this.#widths[edit + 1] ?? 0);
		return edit < 0 ? at : (this.#originals[edit] ?? 0) + at - (this.#ends[edit] ?? 0);
	}

	/** Units of the original that a unit of the view was. */
	widthAt(at: number): number {
		const next = this.#before(at) + 1;
		return this.#isIn(next, at) ? (this.#widths[next] ?? 1) : 1;
	}

	#isIn(edit: number, at: number): boolean {
		const end = this.#ends[edit];
		return end !== undefined && at >= end - (this.#lengths[edit] ?? 0) && at < end;
	}

	/** The last edit that ends before a unit of the view; -1: none. */
	#before(at: number): number {
		let [low, high] = [0, this.#ends.length];
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.#ends[middle] ?? 0) <= at) low = middle + 1;
			else high = middle;
		}
		return low - 1;
	}
}
