/** Where a text is in another one. */
export interface FoundText {
	/** Offset of its first occurrence, in UTF-16 units; -1 if there is none. */
	readonly first: number;
	/** Whether there is no second one, also none that overlaps the first. */
	readonly isOnce: boolean;
	/** Whether there is a second one behind the first. */
	readonly isRepeated: boolean;
}

/** From so many texts on, reading the whole text twice takes less time than searching it for each of them. */
const MANY = 64;
/** Texts are recognized by so many UTF-16 units of them, the largest number that they have; those below that by all of them. */
const PIECE_LENGTHS = [8, 4] as const;

/** Finds texts in another one: in time nearly linear in the length of all, if what they have in common is not in it all the time. */
export function findTexts(within: string, texts: readonly string[]): ReadonlyMap<string, FoundText> {
	const patterns = [...new Set(texts)];
	if (patterns.length < MANY) return new Map(patterns.map((text) => [text, findText(within, text)]));
	const byLength = Map.groupBy(patterns, ({ length }) => PIECE_LENGTHS.find((piece) => piece <= length) ?? length);
	return new Map(
		[...byLength].flatMap(([length, some]): readonly (readonly [string, FoundText])[] =>
			length === 0 ? some.map((text) => [text, findText(within, text)]) : [...findByPieces(within, some, length)],
		),
	);
}

function findText(within: string, text: string): FoundText {
	// As `split` counts it.
	if (text === "") return { first: 0, isOnce: false, isRepeated: within.length > 2 };
	const first = within.indexOf(text);
	const isOnce = first !== -1 && !within.includes(text, first + 1);
	return { first, isOnce, isRepeated: first !== -1 && !isOnce && within.includes(text, first + text.length) };
}

/** A text with its piece that is the rarest one in the other text. */
interface Sought {
	readonly text: string;
	/** Where the piece is in it. */
	readonly offset: number;
	first: number;
	isOnce: boolean;
	isRepeated: boolean;
}

/** Number of hashes, as a power of two. */
const HASH_BITS = 18;

function findByPieces(within: string, texts: readonly string[], length: number): ReadonlyMap<string, FoundText> {
	const counts = new Uint32Array(1 << HASH_BITS);
	eachPiece(within, length, (hash) => {
		counts[hash] = (counts[hash] ?? 0) + 1;
	});
	const byHash = new Map<number, Sought[]>();
	const places = new Map<string, FoundText>();
	for (const text of texts) {
		let [rarest, offset, least] = [0, 0, Number.POSITIVE_INFINITY];
		eachPiece(text, length, (hash, at) => {
			const count = counts[hash] ?? 0;
			if (count < least) [rarest, offset, least] = [hash, at, count];
		});
		const sought: Sought = { text, offset, first: -1, isOnce: false, isRepeated: false };
		places.set(text, sought);
		const same = byHash.get(rarest);
		if (same === undefined) byHash.set(rarest, [sought]);
		else same.push(sought);
	}
	// Most pieces are of no text: an array says so faster than a map.
	const isSought = counts.fill(0);
	for (const hash of byHash.keys()) isSought[hash] = 1;
	eachPiece(within, length, (hash, at) => {
		if (isSought[hash] === 0) return;
		const rest = byHash.get(hash)?.filter((sought) => !meet(sought, within, at - sought.offset));
		if (rest !== undefined && rest.length > 0) byHash.set(hash, rest);
		else isSought[hash] = 0;
	});
	return places;
}

/** Notes that a text is at an offset, if it is; returns whether all is known of it. Offsets are ascending. */
function meet(sought: Sought, within: string, at: number): boolean {
	const { text, first } = sought;
	if (at < 0 || !within.startsWith(text, at)) return false;
	if (first === -1) sought.first = at;
	sought.isOnce = first === -1;
	sought.isRepeated = first !== -1 && at >= first + text.length;
	return sought.isRepeated;
}

const FACTOR = 31;

/** Calls `visit` for each piece of a text, with a hash of it. */
function eachPiece(text: string, length: number, visit: (hash: number, at: number) => void): void {
	let highest = 1;
	for (let power = 0; power < length; power++) highest = Math.imul(highest, FACTOR);
	let rolling = 0;
	for (let end = 0; end < text.length; end++) {
		rolling = (Math.imul(rolling, FACTOR) + text.charCodeAt(end)) | 0;
		if (end >= length) rolling = (rolling - Math.imul(text.charCodeAt(end - length), highest)) | 0;
		if (end >= length - 1) visit(Math.imul(rolling, 0x9e3779b1) >>> (32 - HASH_BITS), end - length + 1);
	}
}
