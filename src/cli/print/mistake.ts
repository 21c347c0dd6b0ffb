import { EXIT } from "./exit-code.ts";
import { note, remark } from "./output.ts";

/** A word that names nothing, or more than one thing. */
export interface Mistake {
	/** One line for stderr. */
	readonly mistake: string;
	/** What the word may mean, where that is more than one thing: one line each; made only when it is told. */
	readonly candidates?: () => readonly string[];
}

/** How many of the things that a word may mean are told. */
export const MOST_CANDIDATES = 10;

/** Tells a mistake on stderr, and below it what the word may mean. */
export function noteMistake({ mistake, candidates }: Mistake): void {
	note(mistake);
	for (const candidate of candidates?.() ?? []) remark(`  ${candidate}`);
}

/** The same as the end of a command: returns its exit code. */
export function endWith(mistake: Mistake): number {
	noteMistake(mistake);
	return EXIT.failed;
}
