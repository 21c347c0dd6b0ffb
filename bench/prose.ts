import type { Random } from "./random.ts";

const syllables = (
	"re ad wri te par se tok en ses sion tree leaf bran ch loop ret ry time out err or han dle buf fer stre am " +
	"chun k in dex ca che que ry mat ch sco re pa th fi le di rec tor y sym lin k ma p fil ter re duce sta te ac tion " +
	"ef fect ren der scr een row col umn wid th key bin ding com mit pu ll mer ge con fig op tion de fault val ue sch ema"
).split(" ");

/** A vocabulary of made-up words and the paragraphs, listings and logs that are made of it. */
export interface Prose {
	/** Running text of about this many characters. */
	text(characters: number): string;
	/** Program text or tool output of about this many characters: indented lines, numbers, paths, some rare words. */
	listing(characters: number): string;
	/** A relative file path. */
	path(): string;
}

/** Words are drawn by Zipf's law, as in real text: few words make most of it, and most words are rare. */
export function makeProse(random: Random, vocabulary?: number): Prose {
	const words =
		vocabulary === undefined
			? Array.from({ length: 20_000 }, () =>
					Array.from({ length: random.int(1, 4) }, () => random.pick(syllables)).join(""),
				)
			: rareWords(random, vocabulary);
	const word = () => words[Math.floor(words.length ** random.next()) - 1] ?? "the";
	const sentence = () => {
		const inner = Array.from({ length: random.int(5, 16) }, word).join(" ");
		return `${inner.charAt(0).toUpperCase()}${inner.slice(1)}${random.pick([".", ".", ".", "?", ":", ", “so”."])}`;
	};
	const path = () =>
		`${random.pick(["src", "test", "lib", "docs"])}/${word()}/${word()}.${random.pick(["ts", "tsx", "md", "json"])}`;
	const codeLine = () =>
		`${"\t".repeat(random.int(0, 4))}${random.pick([
			() => `const ${word()} = await ${word()}.${word()}(${word()}, ${random.int(0, 5000)});`,
			() => `export function ${word()}(${word()}: string): ${word()}[] {`,
			() => `if (${word()} === "${word()}") return ${word()};`,
			() => `${path()}:${random.int(1, 900)}: ${word()} ${word()} ${random.hex(7)}`,
			() => `\u001b[32m✓\u001b[39m ${word()} ${word()} (${random.int(1, 900)} ms)`,
			() => `// ${sentence()}`,
		])()}`;
	// Made once and combined afterwards: generating every character would take minutes for a corpus of gigabytes.
	const pieces = vocabulary === undefined ? 1 : 5;
	const paragraphs = Array.from({ length: 3_000 * pieces }, () =>
		Array.from({ length: random.int(2, 6) }, sentence).join(" "),
	);
	const blocks = Array.from({ length: 6_000 * pieces }, () => Array.from({ length: 12 }, codeLine).join("\n"));
	const fill = (pieces: readonly string[], characters: number, separator: string) => {
		let text = "";
		while (text.length < characters) text += (text === "" ? "" : separator) + random.pick(pieces);
		return text.slice(0, Math.max(1, characters));
	};
	return {
		text: (characters) => `${fill(paragraphs, characters, "\n\n")} ${word()} ${random.hex(6)}`,
		listing: (characters) => `${random.hex(7)} ${path()}\n${fill(blocks, characters, "\n")}`,
		path,
	};
}

/** Words of random letters, so that none is part of many others; the common ones are short, as in real text. */
function rareWords(random: Random, count: number): string[] {
	const letters = "etaoinshrdlucmfwypvbgkjqxz";
	const letter = () => letters[Math.floor(26 * random.next() ** 1.7)] ?? "e";
	return Array.from({ length: count }, (_, rank) =>
		Array.from({ length: Math.min(12, 2 + Math.floor(Math.log2(rank + 2) / 2) + random.int(0, 4)) }, letter).join(""),
	);
}
