import { nameInShell, resolveFrom } from "../shared/paths.ts";
import { rulesOf } from "../shared/system.ts";
import type { ShellToken } from "../store/format/shell-tokens.ts";
import { type FileEffect, mayAny, mayPaths } from "./effects.ts";

/** A simple command: its words behind the name, where it runs, and the text that it is fed with. */
export interface Call {
	readonly name: string;
	readonly args: readonly ShellToken[];
	/** Absolute; undefined: it is not known. */
	readonly directory: string | undefined;
	/** Undefined: it is not known, or there is none. */
	readonly input: string | undefined;
}

/** What a program does to files. */
export type FileProgram = (call: Call) => readonly FileEffect[];

/** What a word means as a name, and whether it is just that path, or something below it; undefined: any file. */
export function placeOfWord({ text, isLiteral }: ShellToken, directory: string | undefined) {
	const special = isLiteral ? -1 : text.search(/[$`*?[{]/);
	if (
		text === "" ||
		(!isLiteral && /^[~$`]/.test(text)) ||
		(special !== -1 && /(?:^|\/)\.\.(?:\/|$)/.test(text.slice(special)))
	)
		return undefined;
	const path = pathOfWord(special === -1 ? text : text.slice(0, text.lastIndexOf("/", special) + 1), directory);
	return path === undefined ? undefined : { path, isExact: special === -1 };
}

/** The absolute path of a name; undefined if the directory that it depends on is not known. Windows paths stay what they are. */
export function pathOfWord(name: string, directory: string | undefined): string | undefined {
	if (directory === undefined) return rulesOf(name).isAbsolute(name) ? rulesOf(name).resolve(name) : undefined;
	return resolveFrom(directory, nameInShell(name, directory));
}

/** A word that means only its text. */
export function plainWord(text: string): ShellToken {
	return { text, isOperator: false, isComputed: false, isLiteral: true, nested: [] };
}

/** The paths that words mean; undefined if one of them is a pattern or has a variable. */
export function pathsOfWords(
	names: readonly ShellToken[],
	directory: string | undefined,
): readonly string[] | undefined {
	const paths = names.flatMap((name) => {
		const place = placeOfWord(name, directory);
		return place?.isExact === true ? place.path : [];
	});
	return paths.length === names.length ? paths : undefined;
}

/** It may change what these words name, or is below it. */
export function mayChange(names: readonly ShellToken[], directory: string | undefined): FileEffect {
	const places = names.map((name) => placeOfWord(name, directory));
	const paths = places.flatMap((place) => place?.path ?? []);
	return paths.length < places.length ? mayAny(paths) : mayPaths(...paths);
}

/** What braces and variables come to may be an option. */
export function mayBeOption({ text, isLiteral }: ShellToken): boolean {
	return !isLiteral && /^-.*[{$]|^[{$]/.test(text);
}

/** The names among some words, and the options before and between them. */
export function split(args: readonly ShellToken[]) {
	const end = args.findIndex(({ text }) => text === "--");
	const head = end === -1 ? args : args.slice(0, end);
	const isOption = ({ text }: ShellToken): boolean => /^-./.test(text);
	const names = [...head.filter((arg) => !isOption(arg)), ...(end === -1 ? [] : args.slice(end + 1))];
	return { names, flags: head.filter(isOption).map(({ text }) => text) };
}

/** What is given to a program whose words are plain: absolute paths, the same as typed, and the options with blanks between them. */
interface Named {
	readonly paths: readonly string[];
	readonly texts: readonly string[];
	readonly flags: string;
}

/** A program that takes options like these, and then names; with other words, or where `effectsOf` says so, it may change what they name. */
export function naming(options: RegExp, effectsOf: (named: Named) => readonly FileEffect[] | undefined): FileProgram {
	return ({ args, directory }) => {
		const { names, flags } = split(args);
		const paths = names.some(mayBeOption) ? undefined : pathsOfWords(names, directory);
		const isPlain = paths !== undefined && paths.length > 0 && flags.every((flag) => options.test(flag));
		const texts = names.map(({ text }) => text);
		const effects = isPlain ? effectsOf({ paths, texts, flags: flags.join(" ") }) : undefined;
		return effects ?? [mayChange(names, directory)];
	};
}

/** The new names of what is moved or copied: into a directory, if there are several, or the last name can only be one. */
export function targetsOf({ paths, texts }: Named): readonly { readonly from: string; readonly to: string }[] {
	const to = paths.at(-1) ?? "";
	const isDirectory = paths.length > 2 || /(?:^|[\\/])\.{0,2}[\\/]*$/.test(texts.at(-1) ?? "");
	const { join, basename } = rulesOf(to);
	return paths.slice(0, -1).map((from) => ({ from, to: isDirectory ? join(to, basename(from)) : to }));
}
