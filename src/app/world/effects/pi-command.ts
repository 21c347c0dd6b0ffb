import { splitWords } from "../../../shared/split-words.ts";
import { findProgram } from "./find-program.ts";

/** The program that resumes a session, and the arguments before our own. */
export interface PiCommand {
	/** A name to find in PATH, or a path. */
	readonly program: string;
	readonly args: readonly string[];
}

/**
 * Reads a command line that starts pi, such as `pi --model x`. A program of exactly that name wins, so that a path with
 * spaces needs no quotes. `mistake`: why it is not a command, as the predicate of a sentence about it.
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
