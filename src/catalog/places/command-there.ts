import type { HostPlace } from "./place.ts";

/** A program and its arguments. */
export interface CommandLine {
	readonly command: string;
	readonly args: readonly string[];
}

/** How pi-grove is run on another machine in this terminal, with these words. */
export function commandThere({ host, command = "pi-grove" }: HostPlace, words: readonly string[]): CommandLine {
	const line = [command, ...words.map(quoteForShell)].join(" ");
	return { command: "ssh", args: ["-t", "-o", "ConnectTimeout=5", "--", host, line] };
}

/** A word for the shell of another machine, which takes it as it is: a path from there may have any character. */
function quoteForShell(word: string): string {
	return `'${word.replaceAll("'", "'\\''")}'`;
}
