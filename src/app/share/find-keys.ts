import type { Found } from "./finding-kinds.ts";
import { KEY_FORMATS, KEY_GROUPS, KEY_RUNS } from "./key-formats.ts";

/** The keys and tokens in a text that have the form of some service. */
export function* findKeys(text: string): Generator<Found> {
	// The forms are many, and most of a text is nothing that any of them could be.
	for (const { 0: run, index } of text.matchAll(KEY_RUNS)) {
		// A line end may stand before the run as "\n".
		const start = text[index - 1] === "\\" ? index - 1 : index;
		const shown = start === index ? run : `\\${run}`;
		for (const match of shown.matchAll(KEY_FORMATS)) {
			const kind = KEY_GROUPS.find((name) => match.groups?.[name] !== undefined) ?? "key";
			const from = start + match.index;
			yield { kind, from, to: from + match[0].length };
		}
	}
	yield* findPrivateKeys(text);
}

const PRIVATE_KEY = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----/g;
/** UTF-16 units of a private key at most; where its end is not there, as much of it as looks like one. */
const LONGEST_KEY = 32_768;
const KEY_TEXT = /^(?:[A-Za-z0-9+/=:,.\s-]|\\[nrt])*/;

function* findPrivateKeys(text: string): Generator<Found> {
	for (const match of text.matchAll(PRIVATE_KEY)) {
		const start = match.index + match[0].length;
		const rest = text.slice(start, start + LONGEST_KEY);
		const end = `-----END ${match[1]}-----`;
		const at = rest.indexOf(end);
		const length = at === -1 ? (KEY_TEXT.exec(rest)?.[0].length ?? 0) : at + end.length;
		yield { kind: "key", from: match.index, to: start + length };
	}
}
