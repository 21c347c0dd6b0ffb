import { join } from "../../shared/paths.ts";
import { removePath } from "../../store/files/while-busy.ts";

/** A place where sessions are, besides the directory that pi uses here. */
export type SessionsPlace = DirectoryPlace | HostPlace;

/** A directory: another agent directory, a mirror, a mounted disk. */
export interface DirectoryPlace {
	readonly kind: "dir";
	readonly name: string;
	/** Absolute. */
	readonly path: string;
}

export interface HostPlace {
	readonly kind: "ssh";
	readonly name: string;
	/** As `ssh` takes it: a name of `~/.ssh/config`, or user@host. */
	readonly host: string;
	/** How pi-grove is started there, for the shell of that machine. @default "pi-grove" */
	readonly command?: string;
}

export interface Machine {
	/** Home directory there; undefined for this machine, or if it is not known. */
	readonly home: string | undefined;
	/** The place by which another machine is reached; undefined for this machine, on which the session's directory is, too. */
	readonly place: string | undefined;
}

export const THIS_MACHINE: Machine = { home: undefined, place: undefined };

/** Texts of a session in a line of `list --raw`, at most, in UTF-16 units: what no list shows is not printed. No path is longer, either. */
export const MAX_TEXT = 4000;
/** Diagnostics of a session in such a line; the others are in the file. */
export const MAX_DIAGNOSTICS = 50;

/** "mini:/home/ada/….jsonl", as scp writes it: identifies a session of another place among all. Without a place the path itself. */
export function placedPath(place: string | undefined, path: string): string {
	return place === undefined ? path : `${place}:${path}`;
}

/** The place and the rest of "mini:01a1ff89"; undefined for a word that names no place, such as a path on a drive of Windows. */
export function splitPlaced(word: string): { readonly place: string; readonly rest: string } | undefined {
	const [, place, rest] = /^([^:/\\]{2,}):(.+)$/s.exec(word) ?? [];
	return place === undefined || rest === undefined ? undefined : { place, rest };
}

/** Why a place cannot be asked, as a sentence that names it. It may have texts from another machine: sanitize it. */
export class PlaceError extends Error {
	constructor(message: string) {
		super(message);
		this.name = "PlaceError";
	}
}

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

/** Where the last list of a place is kept. Names of places are safe as names of files. */
export function keptPath(cacheDir: string, name: string): string {
	return join(cacheDir, "places", `${name}.jsonl`);
}

/** Deletes the cached lines of a place that was removed. */
export async function forgetKept(cacheDir: string, name: string): Promise<void> {
	await removePath(keptPath(cacheDir, name), { force: true });
}
