import { eachMatch, type Found } from "./found.ts";
import { KEY_FORMATS, type KeyFormat } from "./key-formats.ts";

/** Entries of the table of the forms that may begin with three characters. */
const SLOTS = 1 << 14;
/** UTF-16 units of a form that may stand before its beginning. */
const BEFORE = 48;

/** For each three characters with which a form begins, where its beginnings are in the list; 0: none does. */
const SLOT_LISTS = new Uint16Array(SLOTS);
const LISTS: Array<Array<readonly [begin: string, format: KeyFormat]>> = [[]];
for (const format of KEY_FORMATS) {
	for (const begin of format.begins) {
		const slot = slotOf(begin.charCodeAt(0), begin.charCodeAt(1), begin.charCodeAt(2));
		if (SLOT_LISTS[slot] === 0) SLOT_LISTS[slot] = LISTS.push([]) - 1;
		LISTS[SLOT_LISTS[slot] ?? 0]?.push([begin, format]);
	}
}

function slotOf(one: number, two: number, three: number): number {
	return ((one << 10) ^ (two << 5) ^ three) & (SLOTS - 1);
}

/** The keys and tokens in a text that have the form of some service. */
export function* findKeys(text: string): Generator<Found> {
	// The forms are many, and most of a text is nothing that any of them begins with.
	for (let at = 0, [one, two] = [0, text.charCodeAt(0)]; at < text.length - 2; at++) {
		one = two;
		two = text.charCodeAt(at + 1);
		const list = SLOT_LISTS[slotOf(one, two, text.charCodeAt(at + 2))] ?? 0;
		if (list === 0) continue;
		const found = keyAt(text, at, LISTS[list] ?? []);
		if (found === undefined) continue;
		yield found;
		at = found.to - 1;
		two = text.charCodeAt(found.to);
	}
	yield* findPrivateKeys(text);
}

/** The longest key that begins here with one of these beginnings. */
function keyAt(
	text: string,
	at: number,
	list: Iterable<readonly [begin: string, format: KeyFormat]>,
): Found | undefined {
	let longest: Found | undefined;
	for (const [begin, { kind, form, before }] of list) {
		if (!text.startsWith(begin, at)) continue;
		form.lastIndex = at;
		if (!form.test(text)) continue;
		const start = before === undefined ? 0 : before.exec(text.slice(Math.max(0, at - BEFORE), at))?.[0].length;
		if (start !== undefined && form.lastIndex > (longest?.to ?? 0))
			longest = { kind, from: at - start, to: form.lastIndex };
	}
	return longest;
}

const PRIVATE_KEY = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----/g;
/** UTF-16 units of a private key at most; where its end is not there, as much of it as looks like one. */
const LONGEST_KEY = 32_768;
const KEY_TEXT = /^(?:[A-Za-z0-9+/=:,.\s-]|\\[nrt])*/;

function* findPrivateKeys(text: string): Generator<Found> {
	let done = 0;
	for (const match of eachMatch(PRIVATE_KEY, text)) {
		if (match.index < done) continue;
		const start = match.index + match[0].length;
		const rest = text.slice(start, start + LONGEST_KEY);
		const end = `-----END ${match[1]}-----`;
		const at = rest.indexOf(end);
		const length = at === -1 ? (KEY_TEXT.exec(rest)?.[0].length ?? 0) : at + end.length;
		done = start + length;
		yield { kind: "key", from: match.index, to: done };
	}
}
