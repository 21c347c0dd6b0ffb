import { splitWords } from "../../../../shared/split-words.ts";
import { findProgram } from "../../../world/effects/find-program.ts";

/** The program that resumes a session, and what stands before our own arguments. */
export interface PiCommand {
	/** A name that is looked for in the PATH, or a path. */
	readonly program: string;
	readonly args: readonly string[];
}

/**
 * What the person calls pi: `pi --model x`. A program of that very name wins, so that a path with blanks needs no quotes.
 * Why it is no command, as the rest of a sentence about it, where that is so.
 */
export async function readPiCommand(
	text: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<PiCommand | { readonly mistake: string }> {
	if ((await findProgram(text, env)) !== undefined) return { program: text, args: [] };
	const split = splitWords(text);
	if ("mistake" in split) return split;
	const [program = "", ...args] = split.words;
	return program === "" ? { mistake: "it names no program" } : { program, args };
}
