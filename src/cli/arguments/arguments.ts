import { parseArgs } from "node:util";
import { isDate } from "../../catalog/query/dates.ts";
import { nearest } from "../../shared/nearest.ts";
import { enumerate } from "../print/output.ts";
import {
	type CommandName,
	commandOf,
	commandsWith,
	isCommand,
	NAMED_COMMANDS,
	type NamedCommand,
	OPTION_NAMES,
	type OPTIONS,
	type OptionName,
	optionOf,
	optionsOf,
} from "./command-table.ts";

type Request =
	| { readonly kind: "browse"; readonly args: Arguments }
	| { readonly kind: "command"; readonly command: NamedCommand; readonly args: Arguments }
	/** The help of a command or topic, which may not exist, or the first page. */
	| { readonly kind: "help"; readonly args: Arguments }
	| { readonly kind: "version" }
	/** A wrong command line; the message is one line without the program's name. */
	| { readonly kind: "mistake"; readonly message: string; readonly command?: NamedCommand };

/**
 * Reads the arguments that follow the program's name, with Node's own parser and without a framework: with commander every
 * start took 6 ms longer (39 instead of 33), and the check of which command takes which option would remain here.
 */
export function readArguments(args: readonly string[]): Request {
	// Not strict, because Node's own messages neither fit on one line nor suggest the nearest option.
	const { tokens } = parseArgs({
		args: [...args],
		strict: false,
		tokens: true,
		allowPositionals: true,
		options: Object.fromEntries(
			OPTION_NAMES.map((name) => {
				const { kind, short } = optionOf(name);
				return [name, { type: kind === "flag" ? "boolean" : "string", ...(short !== undefined && { short }) } as const];
			}),
		),
	});
	const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
	const typedOptions = tokens.flatMap((token) => (token.kind === "option" ? [token] : []));
	const [word] = words;
	if (typedOptions.some((option) => option.name === "help")) {
		const isAll = word === undefined && typedOptions.some((option) => option.name === "all");
		return { kind: "help", args: { words: words.slice(0, 1), ...(isAll && { all: true }) } };
	}
	if (typedOptions.some((option) => option.name === "version")) return { kind: "version" };

	// Behind "--" a word is not a command, so that any word can be searched for.
	const first = tokens.find(({ kind }) => kind !== "option");
	const command = first?.kind === "positional" && isCommand(first.value) ? first.value : "browse";
	const mistakeOf = (message: string): Request => {
		return { kind: "mistake", message, ...(command !== "browse" && { command }) };
	};
	// Checked before the words, because the value of an unknown option looks like one.
	const unknown = typedOptions.find((option) => !isOption(option.name));
	if (unknown) {
		// A single letter is near to every short name.
		const name = unknown.rawName.startsWith("--") ? unknown.name : "";
		const hint =
			suggestion(name, optionsOf(command), "--") ||
			suggestion(name, OPTION_NAMES, "--") ||
			// A word behind the command may begin with a dash.
			(word !== undefined && commandOf(command).words?.kinds.includes("query") ? AFTER_DASHES : "");
		return mistakeOf(`unknown option ${unknown.rawName}${hint}`);
	}
	const operands = command === "browse" ? words : words.slice(1);
	const mistake = command === "browse" ? undefined : checkMost(command, operands);
	if (mistake !== undefined) return mistakeOf(mistake);
	const values = new Map<OptionName, string>();
	for (const option of typedOptions) {
		const wrong = checkOption(option, command);
		// With an option of another command, the first word was meant as a command.
		if (wrong !== undefined) return mistakeOf((command === "browse" && whyNoCommand(operands, option)) || wrong);
		if (isOption(option.name)) values.set(option.name, option.value ?? "");
	}
	const missing = command === "browse" ? undefined : checkLeast(command, operands);
	if (missing !== undefined) return mistakeOf(missing);
	const all = argumentsOf(operands, values);
	return command === "browse" ? { kind: "browse", args: all } : { kind: "command", command, args: all };
}

const AFTER_DASHES = "; to search for words that start with -, put -- before them";

function isOption(name: string): name is OptionName {
	return OPTION_NAMES.some((one) => one === name);
}

/** "there is no command lst; did you mean list?", if the word looks like a misspelled command. */
export function misspelled(word: string): string | undefined {
	// A path or an id is not a misspelled command.
	const hint = /^[a-z]+$/.test(word) ? suggestion(word, NAMED_COMMANDS, "") : "";
	return hint === "" ? undefined : `there is no command ${word}${hint}`;
}

function whyNoCommand([word]: readonly string[], { name }: TypedOption): string | undefined {
	if (word === undefined || !isOption(name) || optionsOf("browse").includes(name)) return undefined;
	return misspelled(word);
}

/** Returns an error message for wrong or surplus words behind a command; missing ones are checked last. */
function checkMost(command: NamedCommand, operands: readonly string[]): string | undefined {
	const { words } = commandOf(command);
	const extra = operands[words === undefined ? 0 : (words.most ?? operands.length)];
	if (extra !== undefined) return `${command} takes no argument ${extra}; options start with --`;
	const [choice] = operands;
	if (words?.choices === undefined || choice === undefined || words.choices.includes(choice)) return undefined;
	return `${command} takes ${enumerate(words.choices)}, not ${choice}${suggestion(choice, words.choices, "")}`;
}

function checkLeast(command: NamedCommand, operands: readonly string[]): string | undefined {
	const { words } = commandOf(command);
	if (words === undefined || operands.filter((word) => word.trim() !== "").length >= words.least) return undefined;
	return `${command} needs ${words.missing}: pi-grove ${command} ${words.usage}`;
}

interface TypedOption {
	readonly name: string;
	readonly rawName: string;
	readonly value?: string | undefined;
}

function checkOption({ name, rawName, value }: TypedOption, command: CommandName): string | undefined {
	if (!isOption(name)) return undefined;
	if (!optionsOf(command).includes(name)) {
		return `option ${rawName} is not for ${command === "browse" ? "the browser" : command}, only for ${takersOf(commandsWith(name))}`;
	}
	const option = optionOf(name);
	if (option.kind === "flag") return value === undefined ? undefined : `option ${rawName} takes no value`;
	if (value === undefined || value === "") return `option ${rawName} needs a value: ${option.value}`;
	if (option.kind === "count" && !/^0*[1-9]\d{0,14}$/.test(value)) {
		return `option ${rawName} needs a whole number of at least 1, not ${value}`;
	}
	if (option.kind === "descriptor" && !/^\d{1,6}$/.test(value)) {
		return `option ${rawName} needs a file descriptor, a whole number from 0, not ${value}`;
	}
	if (option.kind === "date" && !isDate(value))
		return `option ${rawName} needs a date, not ${value}; there are 2026-11-03, today, yesterday, monday, 7d, 2w and 3mo`;
	return undefined;
}

/** The most commands that are named in the message about an option. */
const MOST_NAMED = 5;

function takersOf(names: readonly CommandName[]): string {
	if (names.includes("browse")) return "the browser";
	return `pi-grove ${enumerate(names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED - 1), "others"] : names)}`;
}

function suggestion(word: string, names: readonly string[], prefix: string): string {
	const name = nearest(word, names);
	return name === undefined ? "" : `; did you mean ${prefix}${name}?`;
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
	? `${First}${Capitalize<CamelCase<Rest>>}`
	: Name;

type ValueOf<Name extends OptionName> = (typeof OPTIONS)[Name]["kind"] extends "flag"
	? boolean
	: (typeof OPTIONS)[Name]["kind"] extends "count" | "descriptor"
		? number
		: string;

/** The checked words and options of a command line; options that were not given are absent. */
export type Arguments = { readonly words: readonly string[] } & {
	readonly [Name in OptionName as CamelCase<Name>]?: ValueOf<Name>;
};

/** Converts the texts of options to values; the text of a flag is not used. */
function argumentsOf(words: readonly string[], values: ReadonlyMap<OptionName, string>): Arguments {
	const options = [...values].map(([name, value]) => {
		const camelCase = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
		return [camelCase, read(name, value)] as const;
	});
	return { words, ...Object.fromEntries(options) };
}

function read(name: OptionName, value: string): true | number | string {
	const { kind } = optionOf(name);
	if (kind === "flag") return true;
	return kind === "count" || kind === "descriptor" ? Number(value) : value;
}
