import type { Found } from "./finding-kinds.ts";
import { KEY_FORMATS, KEY_GROUPS } from "./key-formats.ts";

/** The keys and tokens in a text that have the form of some service. */
export function* findKeys(text: string): Generator<Found> {
	// The forms are many, and most of a text is nothing that any of them could be.
	for (const [start, end] of regions(text)) {
		for (const match of text.slice(start, end).matchAll(KEY_FORMATS)) {
			const kind = KEY_GROUPS.find((name) => match.groups?.[name] !== undefined) ?? "key";
			const from = start + match.index;
			yield { kind, from, to: from + match[0].length };
		}
	}
	yield* findPrivateKeys(text);
}

/** What every form has: so many letters and digits in a row. */
const LONG_WORD = /[A-Za-z0-9_-]{16,}/g;
/** Names are made of small letters; keys hardly ever of these alone. */
const NAME = /^[a-z_-]+$/;
/** UTF-16 units of a form that may stand before such a word: "discord.com/api/webhooks/1234567890/". */
const BEFORE = 80;
const REST = /[A-Za-z0-9_\-.~+/=%:,]*/y;
const BACKWARD = /(?:\\|[A-Za-z0-9_\-.~+/=%:,])?[A-Za-z0-9_\-.~+/=%:,]*$/;

/** The parts of a text that may have a key in them, each from its start to its end. */
function* regions(text: string): Generator<readonly [start: number, end: number]> {
	let done = 0;
	for (const { 0: word, index } of text.matchAll(LONG_WORD)) {
		if (index < done || NAME.test(word)) continue;
		const before = text.slice(Math.max(done, index - BEFORE), index);
		const start = index - (BACKWARD.exec(before)?.[0].length ?? 0);
		REST.lastIndex = index + word.length;
		done = REST.lastIndex + (REST.exec(text)?.[0].length ?? 0);
		yield [start, done];
	}
}

const PRIVATE_KEY = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----/g;
/** UTF-16 units of a private key at most; where its end is not there, as much of it as looks like one. */
const LONGEST_KEY = 32_768;
const KEY_TEXT = /^(?:[A-Za-z0-9+/=:,.\s-]|\\[nrt])*/;

function* findPrivateKeys(text: string): Generator<Found> {
	let done = 0;
	for (const match of text.matchAll(PRIVATE_KEY)) {
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
