import {
	COMMAND_GROUPS,
	COMMANDS,
	type CommandName,
	commandOf,
	NAMED_COMMANDS,
	OPTIONS_OF_ALL,
	type OptionName,
	optionPair,
} from "../src/cli/arguments/command-table.ts";
import { helpPageOf } from "../src/cli/help/command-pages.ts";
import { commandLine, exitCodesOf } from "../src/cli/help/help.ts";
import { type Pair, TOPIC_NAMES, topicOf } from "../src/cli/help/help-topics.ts";

/** The man page pi-grove(1), from the table that the program itself is made from; `version` is that of the package. */
export function manPage(version: string): string {
	return `${[
		`.TH PI-GROVE 1 "" "pi-grove ${version}" "User Commands"`,
		// No word is divided or spaced out: what is typed must be seen as it is typed.
		".nh",
		".ad l",
		".SH NAME",
		words("pi-grove - browse, search and continue the sessions of the pi coding agent"),
		".SH SYNOPSIS",
		bold("pi-grove"),
		words(`${COMMANDS.browse.words.usage} [options]`),
		".br",
		bold("pi-grove"),
		words("COMMAND [words] [options]"),
		".SH DESCRIPTION",
		...paragraphs([`${commandOf("browse").description}.`, ...helpPageOf("browse").details]),
		".SH OPTIONS OF THE BROWSER",
		...options(commandOf("browse").options),
		".SH OPTIONS OF ALL COMMANDS",
		...options(OPTIONS_OF_ALL),
		".SH COMMANDS",
		...COMMAND_GROUPS.flatMap(group),
		...TOPIC_NAMES.flatMap(topic),
	].join("\n")}\n`;
}

function group(name: (typeof COMMAND_GROUPS)[number]): readonly string[] {
	const names = NAMED_COMMANDS.filter((command) => commandOf(command).group === name);
	return names.length === 0 ? [] : [`.SS ${words(name)}`, ...names.flatMap(command)];
}

function command(name: CommandName): readonly string[] {
	const { description, options: own } = commandOf(name);
	const { details, examples } = helpPageOf(name);
	const indented = [
		...details.flatMap((paragraph) => [".PP", marked(paragraph)]),
		...(own.length === 0 ? [] : [".PP", "Options:", ...options(own)]),
		...(examples.length === 0 ? [] : [".PP", "Examples:"]),
		...examples.flatMap(([line, what]) => pair([`pi-grove ${line}`.trimEnd(), what])),
		...(exitCodesOf(name).length === 0 ? [] : [".PP", "Exit codes:", ...exitCodesOf(name).flatMap(pair)]),
	];
	return [".PP", bold(`pi-grove ${commandLine(name)}`), ".RS", words(`${description}.`), ...indented, ".RE"];
}

function topic(name: (typeof TOPIC_NAMES)[number]): readonly string[] {
	const { title, parts } = topicOf(name);
	const texts = parts.flatMap((part) => {
		if (typeof part === "string") return [".PP", marked(part)];
		return [...(part.heading === undefined ? [] : [`.SS ${words(part.heading)}`]), ...part.rows.flatMap(pair)];
	});
	return [`.SH ${words(title.toUpperCase())}`, ...texts];
}

function paragraphs(texts: readonly string[]): readonly string[] {
	return texts.flatMap((text) => [".PP", marked(text)]);
}

function options(names: readonly OptionName[]): readonly string[] {
	return names.flatMap((name) => pair(optionPair(name)));
}

function pair([left, right]: Pair): readonly string[] {
	return [".TP", bold(left), words(right)];
}

function bold(text: string): string {
	return `\\fB${escaped(text)}\\fR`;
}

/** A paragraph of Markdown: what is between backticks is bold. */
function marked(text: string): string {
	const parts = text.split("`").map((part, index) => (index % 2 === 1 ? bold(part) : escaped(part)));
	return guarded(parts.join(""));
}

function words(text: string): string {
	return guarded(escaped(text));
}

/** A line that begins with a dot or an apostrophe would be a request. */
function guarded(line: string): string {
	return /^[.']/.test(line) ? `\\&${line}` : line;
}

/** As roff has it: a hyphen that can be copied, and only ASCII. */
function escaped(text: string): string {
	const signs: Readonly<Record<string, string>> = {
		"\\": "\\e",
		"-": "\\-",
		"'": "\\(aq",
		"`": "\\(ga",
		"^": "\\(ha",
		"~": "\\(ti",
	};
	return text.replaceAll(/[^ -~]|[\\\-'`^~]/gu, (sign) => {
		return signs[sign] ?? `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
	});
}
