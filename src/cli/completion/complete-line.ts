import {
	COMMANDS,
	type Command,
	type CommandName,
	commandOf,
	isCommand,
	NAMED_COMMANDS,
	type NamedCommand,
	OPTION_NAMES,
	type OptionKind,
	type OptionName,
	optionOf,
	optionPair,
	optionsOf,
	type WordKind,
} from "../arguments/command-table.ts";
import { HELP_NAMES, isTopic, type Pair, TOPICS } from "../help/help-topics.ts";

export interface CompletionRequest {
	/** "first": a command, or a session or a query for the browser; "option": an option; "none": nothing that can be proposed. */
	readonly kind: "first" | "option" | "none" | WordKind | OptionKind;
	/** The part of the word that is completed. */
	readonly typed: string;
	/** The part before it, which every candidate repeats: "--since=". */
	readonly prefix: string;
	readonly command: CommandName;
	readonly sessionDir?: string;
}

/** Whether a word means only itself to a shell. No others are proposed: ids and names may have been written by anybody. */
export function isSafe(word: string): boolean {
	return /^[\p{L}\p{N}_.:@%+,/=#-]+$/u.test(word);
}

/** Finds out what is being typed. `words`: those behind "pi-grove"; the last one, perhaps empty, is the one at the cursor. */
export function completionRequest(words: readonly string[]): CompletionRequest {
	const word = words.at(-1) ?? "";
	let command: NamedCommand | undefined;
	let operands = 0;
	let isPastOptions = false;
	let sessionDir: string | undefined;
	/** The option whose value comes next. */
	let pending: OptionName | undefined;
	for (const earlierWord of words.slice(0, -1)) {
		const option = isPastOptions || pending !== undefined ? undefined : readOption(earlierWord);
		if (pending !== undefined) {
			if (pending === "session-dir") sessionDir = earlierWord;
			pending = undefined;
		} else if (option !== undefined) {
			if (option.name === "session-dir") sessionDir = option.value;
			const takesValue = option.name !== undefined && optionOf(option.name).kind !== "flag";
			if (option.value === undefined && takesValue) pending = option.name;
		} else if (earlierWord === "--" && !isPastOptions) isPastOptions = true;
		else if (isPastOptions || !earlierWord.startsWith("-")) {
			if (operands === 0 && command === undefined && !isPastOptions && isCommand(earlierWord)) command = earlierWord;
			else operands++;
		}
	}
	const request = {
		typed: word,
		prefix: "",
		command: command ?? ("browse" as const),
		...(sessionDir && { sessionDir }),
	};
	if (pending !== undefined) return { ...request, kind: optionOf(pending).kind };
	if (!isPastOptions && word.startsWith("-")) {
		const { name, value } = readOption(word) ?? {};
		if (value === undefined) return { ...request, kind: "option" };
		return {
			...request,
			kind: name === undefined ? "none" : optionOf(name).kind,
			typed: value,
			prefix: word.slice(0, word.length - value.length),
		};
	}
	if (command === undefined && operands === 0 && !isPastOptions) return { ...request, kind: "first" };
	const { words: spec }: Command = commandOf(request.command);
	if (spec === undefined || operands >= (spec.most ?? Number.POSITIVE_INFINITY)) return { ...request, kind: "none" };
	// The last kind stands for all words that follow.
	return { ...request, kind: spec.kinds[Math.min(operands, spec.kinds.length - 1)] ?? "none" };
}

/** A long option, and its value if it is in the same word; undefined for any other word. */
function readOption(word: string): { readonly name?: OptionName; readonly value?: string } | undefined {
	const [, typed, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
	if (typed === undefined) return undefined;
	const name = OPTION_NAMES.find((one) => one === typed);
	return { ...(name !== undefined && { name }), ...(value !== undefined && { value }) };
}

const EXAMPLE_DATES: readonly Pair[] = [
	["today", "since midnight"],
	["yesterday", "the day before"],
	["monday", "the last one, today included; any day of the week"],
	["7d", "seven days ago; any number of days"],
	["2w", "two weeks ago"],
	["3mo", "three months ago"],
];

/** The candidates from the table of commands, with their meanings; empty for kinds that are not in it. */
export function tableCandidates({ kind, command }: CompletionRequest): readonly Pair[] {
	switch (kind) {
		case "first":
			return NAMED_COMMANDS.map((name) => [name, commandOf(name).description]);
		case "option":
			return optionsOf(command).flatMap((name) => {
				const { short } = optionOf(name);
				const [, description] = optionPair(name, commandOf(command));
				return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map((flag): Pair => [flag, description]);
			});
		case "choice":
			return (commandOf(command).words?.choices ?? []).map((choice) => [choice, ""]);
		case "command":
			return HELP_NAMES.map((name) => [name, isTopic(name) ? TOPICS[name].about : COMMANDS[name].description]);
		case "date":
			return EXAMPLE_DATES;
		default:
			return [];
	}
}
