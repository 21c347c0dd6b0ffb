import {
	COMMAND_GROUPS,
	type Command,
	type CommandName,
	commandOf,
	NAMED_COMMANDS,
	OPTIONS_OF_ALL,
	type OptionName,
	optionOf,
	optionsOf,
	type WordKind,
} from "../arguments/command-table.ts";
import { leftWidth, type Pair, pairRows, wrapWords } from "./help-layout.ts";
import { TOPIC_NAMES, TOPICS, type Topic, type TopicName } from "./help-topics.ts";

/** The argument of `pi-grove help`: a command, the browser, or a topic. */
export type HelpName = CommandName | TopicName;

/** All arguments of `pi-grove help`, commands first. */
export const HELP_NAMES: readonly HelpName[] = [...NAMED_COMMANDS, "browse", ...TOPIC_NAMES];

/** The most columns of the help, and those without a terminal. */
const COLUMNS = 120;

/** The first page, an overview. `columns`: the width of the terminal, undefined without one. */
export function helpText(columns?: number): string {
	const width = roomOf(columns);
	const usage: readonly Pair[] = [
		["pi-grove [SESSION]", "Open the browser, with all sessions or in the tree of one; ctrl+k finds every command"],
		["pi-grove COMMAND …", "Print or change something, without the browser"],
		["pi-grove help COMMAND", "Explain a command, with its options and examples; also pi-grove COMMAND --help"],
	];
	const groups = COMMAND_GROUPS.map((group) => {
		const names = NAMED_COMMANDS.filter((name) => commandOf(name).group === group);
		return [group, names.map((name): Pair => [commandLine(name), commandOf(name).description])] as const;
	}).filter(([, pairs]) => pairs.length > 0);
	const options = OPTIONS_OF_ALL.map(optionPair);
	const topics: readonly Pair[] = [
		["browse", "The browser's own options, such as --demo to try everything on made-up sessions"],
		...TOPIC_NAMES.map((name): Pair => [name, TOPICS[name].about]),
	];
	const left = leftWidth([...usage, ...groups.flatMap(([, pairs]) => pairs), ...options, ...topics]);
	const section = (title: string, pairs: readonly Pair[]): string => `${title}\n${pairRows(pairs, width, left)}`;
	return [
		wrapWords("pi-grove shows all sessions of the pi coding agent: find one, read it as a tree, resume it.", width),
		section("Usage", usage),
		...groups.map(([group, pairs]) => section(group, pairs)),
		section("Options of all commands", options),
		section("More, with pi-grove help …", topics),
	].join("\n");
}

/** The page printed by `pi-grove help NAME` and `pi-grove NAME --help`. */
export function helpOf(name: HelpName, columns?: number): string {
	const width = roomOf(columns);
	return isTopic(name) ? topicHelp(TOPICS[name], width) : commandHelp(name, width);
}

function commandHelp(name: CommandName, width: number): string {
	const { description, details, examples } = commandOf(name);
	const sections: readonly (readonly [string, readonly Pair[]])[] = [
		["Options", optionsOf(name).map(optionPair)],
		["Examples", examples.map(([line, what]) => [`pi-grove ${line}`.trimEnd(), what])],
		["Exit codes", exitCodesOf(name)],
		["See also", seeAlso(name)],
	];
	return [
		`${usageOf(name)}\n`,
		wrapWords(`${description}.`, width),
		...details.map((paragraph) => plainWords(paragraph, width)),
		...sections.flatMap(([title, pairs]) => (pairs.length === 0 ? [] : [`${title}\n${pairRows(pairs, width)}`])),
	].join("\n");
}

function topicHelp({ title, parts }: Topic, width: number): string {
	const sections = parts.map((part) => {
		if (typeof part === "string") return plainWords(part, width);
		return `${part.heading === undefined ? "" : `${part.heading}\n`}${pairRows(part.rows, width)}`;
	});
	return [wrapWords(title, width), ...sections].join("\n");
}

/** The topics that explain the words of a command. */
function seeAlso(name: CommandName): readonly Pair[] {
	const { words }: Command = commandOf(name);
	const topics: Readonly<Partial<Record<WordKind, TopicName>>> = { session: "sessions", query: "queries" };
	const names = new Set(words?.kinds.flatMap((kind) => topics[kind] ?? []));
	return [...names].map((topic) => [`pi-grove help ${topic}`, TOPICS[topic].about]);
}

/** A command line with its words: "pi-grove search QUERY…". */
export function usageOf(name: CommandName): string {
	return ["pi-grove", name === "browse" ? "" : name, commandOf(name).words?.usage ?? ""].filter(Boolean).join(" ");
}

/** The same without "pi-grove". */
export function commandLine(name: CommandName): string {
	const { words }: Command = commandOf(name);
	return words === undefined ? name : `${name} ${words.usage}`;
}

/** The meanings of a command's exit codes; empty if it has only the usual ones. */
export function exitCodesOf(name: CommandName): readonly Pair[] {
	const { exitCodes = [] } = commandOf(name);
	if (exitCodes.length === 0) return [];
	const own = exitCodes.map(([code, meaning]): Pair => [`${code}`, meaning]);
	const has = (code: string): boolean => own.some(([one]) => one === code);
	const usual: readonly Pair[] = [
		["0", "done"],
		["2", "it failed"],
	];
	return [...own, ...usual.filter(([code]) => !has(code))].sort(([one], [other]) => Number(one) - Number(other));
}

/** An option with the name of its value, and its description. */
export function optionPair(name: OptionName): Pair {
	const { short, value, description } = optionOf(name);
	return [`${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`, description];
}

export function isTopic(name: HelpName): name is TopicName {
	return Object.hasOwn(TOPICS, name);
}

/** Wraps a paragraph of Markdown as plain text. */
function plainWords(paragraph: string, width: number): string {
	return wrapWords(paragraph.replaceAll("`", ""), width);
}

function roomOf(columns = COLUMNS): number {
	return Math.min(columns, COLUMNS);
}
