import { nearest } from "../../shared/nearest.ts";
import { outputColumns } from "../../terminal/terminal.ts";
import type { Arguments } from "../arguments/arguments.ts";
import {
	COMMAND_GROUPS,
	type Command,
	type CommandName,
	commandOf,
	DAILY_COMMANDS,
	NAMED_COMMANDS,
	type NamedCommand,
	OPTIONS_OF_ALL,
	OTHER_COMMANDS,
	optionPair,
	optionsOf,
	type WordKind,
} from "../arguments/command-table.ts";
import { EXIT, note, printText } from "../print/output.ts";
import { helpPageOf } from "./command-pages.ts";
import {
	HELP_NAMES,
	type HelpName,
	isTopic,
	type Pair,
	TOPIC_NAMES,
	TOPICS,
	type Topic,
	type TopicName,
} from "./help-topics.ts";

/** The most columns of the help, and those without a terminal. */
const COLUMNS = 120;

const ABOUT = "pi-grove shows all sessions of the pi coding agent: find one, read it as a tree, resume it.";

const USAGE: readonly Pair[] = [
	["pi-grove [QUERY…]", "Open the browser, with QUERY typed into its search; ctrl+k finds every command"],
	["pi-grove SESSION", "Open the browser in the tree of a session: its id, the path of its file, or ."],
	["pi-grove COMMAND …", "Print or change something, without the browser"],
	["pi-grove COMMAND --help", "Explain a command, with its options and examples; also pi-grove help COMMAND"],
];

const OTHER_PAGES: readonly Pair[] = [
	["browse", "The browser's own options, such as --demo to try everything on made-up sessions"],
	...TOPIC_NAMES.map((name): Pair => [name, TOPICS[name].about]),
];

/** The first page: the commands used daily, and the names of the others. `columns`: the width of the terminal, undefined without one. */
export function helpText(columns?: number): string {
	const width = roomOf(columns);
	const [usage, commands, ...others] = sections(width, [
		["Usage", USAGE],
		["Commands", DAILY_COMMANDS.map(commandPair)],
		["Options of all commands", OPTIONS_OF_ALL.map((option) => optionPair(option))],
		["More help, with pi-grove help …", OTHER_PAGES],
	]);
	const more = `More commands, with pi-grove help --all\n${wrapWords(OTHER_COMMANDS.join(", "), width, GAP)}`;
	return [wrapWords(ABOUT, width), usage, commands, more, ...others].join("\n");
}

export function allHelp(columns?: number): string {
	const groups = COMMAND_GROUPS.map((group) => {
		return [group, NAMED_COMMANDS.filter((name) => commandOf(name).group === group).map(commandPair)] as const;
	});
	return sections(roomOf(columns), [
		...groups,
		["Options of all commands", OPTIONS_OF_ALL.map((option) => optionPair(option))],
	]).join("\n");
}

/** Titles with pairs below, whose right parts are all in one column. */
function sections(width: number, all: readonly (readonly [title: string, pairs: readonly Pair[]])[]): string[] {
	const nonEmptySections = all.filter(([, pairs]) => pairs.length > 0);
	const columnWidth = leftWidth(nonEmptySections.flatMap(([, pairs]) => pairs));
	return nonEmptySections.map(([title, pairs]) => `${title}\n${pairRows(pairs, width, columnWidth)}`);
}

function commandPair(name: NamedCommand): Pair {
	return [commandLine(name), commandOf(name).description];
}

/** The page printed by `pi-grove help NAME` and `pi-grove NAME --help`. */
export function helpOf(name: HelpName, columns?: number): string {
	const width = roomOf(columns);
	return isTopic(name) ? topicHelp(TOPICS[name], width) : commandHelp(name, width);
}

function commandHelp(name: CommandName, width: number): string {
	const { description } = commandOf(name);
	const { details, examples } = helpPageOf(name);
	const sections: readonly (readonly [string, readonly Pair[]])[] = [
		["Options", optionsOf(name).map((option) => optionPair(option, commandOf(name)))],
		["Examples", examples.map(([line, what]) => [`pi-grove ${line}`.trimEnd(), what])],
		["Exit codes", exitCodesOf(name)],
		["See also", seeAlso(name)],
	];
	return [
		`${commandUsage(name)}\n`,
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

function seeAlso(name: CommandName): readonly Pair[] {
	const { words }: Command = commandOf(name);
	const topics: Readonly<Partial<Record<WordKind, TopicName>>> = { session: "sessions", query: "queries" };
	const names = new Set(words?.kinds.flatMap((kind) => topics[kind] ?? []));
	return [...names].map((topic) => [`pi-grove help ${topic}`, TOPICS[topic].about]);
}

/** A command line with its words: "pi-grove search QUERY…". */
export function commandUsage(name: CommandName): string {
	return ["pi-grove", name === "browse" ? "" : name, commandOf(name).words?.usage ?? ""].filter(Boolean).join(" ");
}

/** The same without "pi-grove". */
export function commandLine(name: CommandName): string {
	const { words }: Command = commandOf(name);
	return words === undefined ? name : `${name} ${words.usage}`;
}

/** The meanings of a command's exit codes; empty if it has only the usual ones. */
export function exitCodesOf(name: CommandName): readonly Pair[] {
	const { exitCodes = [] } = helpPageOf(name);
	if (exitCodes.length === 0) return [];
	const ownCodes = exitCodes.map(([code, meaning]): Pair => [`${code}`, meaning]);
	const has = (code: string): boolean => ownCodes.some(([one]) => one === code);
	const usual: readonly Pair[] = [
		["0", "done"],
		["2", "it failed"],
	];
	return [...ownCodes, ...usual.filter(([code]) => !has(code))].sort(([one], [other]) => Number(one) - Number(other));
}

/** Wraps a paragraph of Markdown as plain text. */
function plainWords(paragraph: string, width: number): string {
	const text = paragraph.replaceAll("`", "").replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
	return wrapWords(text, width);
}

function roomOf(columns = COLUMNS): number {
	return Math.min(columns, COLUMNS);
}

/** Prints the first page of the help, the list of all commands (`all`), or the page of a command or topic; returns the exit code. */
export async function help({ words: [word], all }: Arguments): Promise<number> {
	const name = HELP_NAMES.find((one) => one === word);
	if (word !== undefined && name === undefined) {
		const near = nearest(word, HELP_NAMES);
		const hint = near === undefined ? "pi-grove help --all lists them" : `did you mean ${near}?`;
		note(`there is no command or topic ${word}; ${hint}`);
		return EXIT.failed;
	}
	const columns = outputColumns();
	await printText(name === undefined ? (all ? allHelp(columns) : helpText(columns)) : helpOf(name, columns));
	return EXIT.ok;
}

/** Wraps words into rows of at most `columns`, indented by `indent`. Only for texts in which every UTF-16 unit takes one column. */
export function wrapWords(text: string, columns: number, indent = 0): string {
	const blanks = " ".repeat(indent);
	const rows: string[] = [];
	let row = "";
	for (const word of text.split(" ")) {
		if (row !== "" && indent + row.length + 1 + word.length > columns) {
			rows.push(row);
			row = "";
		}
		row = row === "" ? word : `${row} ${word}`;
	}
	return [...rows, row].map((one) => `${blanks}${one}\n`).join("");
}

/** Blanks before a pair, and between its parts. */
const GAP = 2;
/** A wider left part gets a row of its own, so that it does not push the right column far out. */
const WIDEST = 30;

function leftWidth(pairs: readonly Pair[]): number {
	return Math.max(0, ...pairs.map(([left]) => left.length).filter((width) => width <= WIDEST));
}

/** Pairs in two columns; the right one is wrapped. */
function pairRows(pairs: readonly Pair[], columns: number, width = leftWidth(pairs)): string {
	const at = GAP + width + GAP;
	return pairs
		.map(([left, right]) => {
			if (right === "") return `${" ".repeat(GAP)}${left}\n`;
			const rows = wrapWords(right, columns, at);
			const head = `${" ".repeat(GAP)}${left.padEnd(width + GAP)}`;
			return left.length > width ? `${head.trimEnd()}\n${rows}` : `${head}${rows.slice(at)}`;
		})
		.join("");
}
