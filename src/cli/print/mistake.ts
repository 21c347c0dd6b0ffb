import { EXIT } from "./exit-code.ts";
import { note, remark } from "./output.ts";

/** Why a word of the command line cannot be used: it names nothing, or is ambiguous. */
export interface Mistake {
	/** One line for stderr. */
	readonly mistake: string;
	/** Of an ambiguous word: what it may mean, one line each. Called only when they are printed. */
	readonly candidates?: () => readonly string[];
}

/** The most candidates that are printed. */
export const MOST_CANDIDATES = 10;

/** Prints a mistake on stderr, with its candidates below. */
export function noteMistake({ mistake, candidates }: Mistake): void {
	note(mistake);
	for (const candidate of candidates?.() ?? []) remark(`  ${candidate}`);
}

/** Prints a mistake that ends a command; returns the exit code. */
export function failWith(mistake: Mistake): number {
	noteMistake(mistake);
	return EXIT.failed;
}

/** Joins names for a sentence: "list, search and stats". The formatter is created only here: it takes 10 ms. */
export function enumerate(names: readonly string[]): string {
	return new Intl.ListFormat("en-GB").format(names);
}
