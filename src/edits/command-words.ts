import { posix, win32 } from "node:path";
import type { ShellToken } from "../store/format/shell-tokens.ts";
import type { Effect } from "./effects.ts";

/** A simple command: its words behind the name, where it runs, and the text that it is fed with. */
export interface Call {
	readonly name: string;
	readonly args: readonly ShellToken[];
	/** Absolute; undefined: it is not known. */
	readonly directory: string | undefined;
	/** Undefined: it is not known, or there is none. */
	readonly input: string | undefined;
}

/** What a simple command does. */
export interface Outcome {
	readonly effects: readonly Effect[];
	/** What it prints; undefined: it is not known. */
	readonly output?: string | undefined;
	/** A command line that it runs, as `bash -c` does; `isSure`: with these words. */
	readonly line?: { readonly text: string; readonly isSure: boolean };
	/** Whether it may succeed without these effects. */
	readonly isVague?: boolean;
}

export const NOTHING: Outcome = { effects: [] };

/** A path, and whether it is just that which is meant, or something below it. */
export interface Place {
	readonly path: string;
	readonly isExact: boolean;
}

/** What a word means as a name; undefined: any file. */
export function placeOf({ text, isLiteral }: ShellToken, directory: string | undefined): Place | undefined {
	const special = isLiteral ? -1 : text.search(/[$`*?[{]/);
	if (
		text === "" ||
		(!isLiteral && /^[~$`]/.test(text)) ||
		(special !== -1 && /(?:^|\/)\.\.(?:\/|$)/.test(text.slice(special)))
	)
		return undefined;
	const path = pathOf(special === -1 ? text : text.slice(0, text.lastIndexOf("/", special) + 1), directory);
	return path === undefined ? undefined : { path, isExact: special === -1 };
}

/** The absolute path of a name; undefined if the directory that it depends on is not known. Windows paths stay what they are. */
export function pathOf(name: string, directory: string | undefined): string | undefined {
	if (directory !== undefined && isWindows(directory))
		return win32.resolve(directory, name.replace(/^\/([a-zA-Z])(?=\/|$)/, "$1:/"));
	if (name.startsWith("/")) return posix.resolve(name);
	return directory === undefined ? undefined : posix.resolve(directory, name);
}

export function isWindows(directory: string): boolean {
	return /^[a-zA-Z]:|^\\\\/.test(directory);
}

/** A word that means only its text. */
export function plainWord(text: string): ShellToken {
	return { text, isOperator: false, isComputed: false, isLiteral: true, nested: [] };
}

/** It may change any file, and names these. */
export function mayAny(named: readonly string[] = [], isWide = false): Effect {
	return { kind: "may", paths: undefined, named: [...new Set(named)], isWide };
}

/** It may change what these words name, or is below it. */
export function mayChange(names: readonly ShellToken[], directory: string | undefined): Effect {
	const places = names.map((name) => placeOf(name, directory));
	const paths = places.flatMap((place) => place?.path ?? []);
	return paths.length < places.length ? mayAny(paths) : { kind: "may", paths, named: [], isWide: false };
}

/** What braces and variables come to may be an option. */
export function mayBeOption({ text, isLiteral }: ShellToken): boolean {
	return !isLiteral && /^-.*[{$]|^[{$]/.test(text);
}

/** The options before and among the names; undefined if there is one that is not like these. */
export function split(args: readonly ShellToken[], options: RegExp) {
	const end = args.findIndex(({ text }) => text === "--");
	const head = end === -1 ? args : args.slice(0, end);
	const isOption = ({ text }: ShellToken): boolean => /^-./.test(text);
	const names = [...head.filter((arg) => !isOption(arg)), ...(end === -1 ? [] : args.slice(end + 1))];
	const flags = head.filter(isOption).map(({ text }) => text);
	const isKnown = flags.every((flag) => options.test(flag)) && names.length > 0 && !names.some(mayBeOption);
	return { names, flags: flags.join(" "), isKnown };
}

/** A program that takes options like these, and then names: exact ones, and else it may change them. */
export function naming(
	options: RegExp,
	effectsOf: (names: readonly string[], flags: string, texts: readonly string[]) => readonly Effect[] | undefined,
) {
	return ({ args, directory }: Call): Outcome => {
		const { names, flags, isKnown } = split(args, options);
		const paths = names.flatMap((name) => {
			const place = placeOf(name, directory);
			return place?.isExact === true ? place.path : [];
		});
		const isExact = isKnown && paths.length === names.length;
		const effects = isExact
			? effectsOf(
					paths,
					flags,
					names.map(({ text }) => text),
				)
			: undefined;
		return { effects: effects ?? [mayChange(names, directory)] };
	};
}

/** The new names of what is moved or copied: into a directory, if there are several, or the last name can only be one. */
export function targetsOf(
	paths: readonly string[],
	texts: readonly string[],
): readonly (readonly [from: string, to: string])[] {
	const to = paths.at(-1) ?? "";
	const isDirectory = paths.length > 2 || /(?:^|[\\/])\.{0,2}[\\/]*$/.test(texts.at(-1) ?? "");
	const { join, basename } = isWindows(to) ? win32 : posix;
	return paths.slice(0, -1).map((from) => [from, isDirectory ? join(to, basename(from)) : to]);
}
