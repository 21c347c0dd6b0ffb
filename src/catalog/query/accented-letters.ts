import { bare, fold } from "./fold.ts";

let known: ReadonlyMap<string, readonly string[]> | undefined;

/** The letters that are the same as one (folded, bare) without their accents, in either case. */
export function accentedLetters(letter: string): readonly string[] {
	known ??= byBareLetter();
	return known.get(letter) ?? [];
}

function byBareLetter(): Map<string, string[]> {
	const letters = new Map<string, string[]>();
	for (let code = 0x80; code < 0x2000; code++) {
		const folded = fold(String.fromCharCode(code));
		const letter = bare(folded);
		if (letter === folded) continue;
		const others = letters.get(letter);
		if (others) others.push(String.fromCharCode(code));
		else letters.set(letter, [String.fromCharCode(code)]);
	}
	return letters;
}
