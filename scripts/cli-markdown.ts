import {
	COMMAND_GROUPS,
	type CommandName,
	commandOf,
	NAMED_COMMANDS,
	OPTIONS_OF_ALL,
	type OptionName,
	optionPair,
} from "../src/cli/arguments/command-table.ts";
import { helpPageOf } from "../src/cli/help/command-pages.ts";
import { commandLine, commandUsage, exitCodesOf, wrapWords } from "../src/cli/help/help.ts";
import { type Pair, TOPIC_NAMES, topicOf } from "../src/cli/help/help-topics.ts";

/** Columns of a paragraph, as in the other pages. */
const COLUMNS = 120;

/** The manual of the command line as a page of Markdown, from the table that the program itself is made from. */
export function cliMarkdown(): string {
	return [
		"# The command line",
		"Made from `src/cli/arguments/command-table.ts`, as the help, the completions and the man page are. `npm test` fails when this page\nis out of date; `npm run docs` writes it anew.",
		"`pi-grove` opens the browser; with a command it prints or changes something and needs no terminal. `pi-grove --help` is\nthe short form of this page, `pi-grove help COMMAND` that of a section.",
		"## Commands",
		...COMMAND_GROUPS.map(overview).filter(Boolean),
		table(
			"Options of all commands",
			OPTIONS_OF_ALL.map((option) => optionPair(option)),
			"option",
		),
		section("browse"),
		...COMMAND_GROUPS.flatMap(commandsOf).map(section),
		...TOPIC_NAMES.map(topic),
	]
		.join("\n\n")
		.concat("\n");
}

function commandsOf(group: (typeof COMMAND_GROUPS)[number]): readonly CommandName[] {
	return NAMED_COMMANDS.filter((name) => commandOf(name).group === group);
}

/** The commands of a group; "" where there are none. */
function overview(group: (typeof COMMAND_GROUPS)[number]): string {
	const pairs = commandsOf(group).map((name): Pair => {
		return [commandLine(name), `[${commandOf(name).description}](#${anchor(titleOf(name))})`];
	});
	return pairs.length === 0 ? "" : table(group, pairs, "command");
}

function titleOf(name: CommandName): string {
	return name === "browse" ? "The browser" : `pi-grove ${name}`;
}

/** The anchor that a heading has on the usual sites. */
function anchor(title: string): string {
	return title.toLowerCase().replaceAll(" ", "-");
}

function section(name: CommandName): string {
	const { description } = commandOf(name);
	const { details, examples } = helpPageOf(name);
	const own = commandOf(name).options.map((option: OptionName) => optionPair(option, commandOf(name)));
	const width = Math.max(0, ...examples.map(([line]) => line.length));
	const lines = examples.map(([line, what]) => `pi-grove ${line.padEnd(width)}  # ${what}`.trimEnd());
	return [
		`## ${titleOf(name)}`,
		`\`${commandUsage(name)}\``,
		`${description}.`,
		...details.map(paragraph),
		...(own.length === 0 ? [] : [table(undefined, own, "option")]),
		...(lines.length === 0 ? [] : [`\`\`\`sh\n${lines.join("\n")}\n\`\`\``]),
		...(exitCodesOf(name).length === 0 ? [] : [table(undefined, exitCodesOf(name), "exit code")]),
	].join("\n\n");
}

function topic(name: (typeof TOPIC_NAMES)[number]): string {
	const { title, parts } = topicOf(name);
	const texts = parts.map((part) => (typeof part === "string" ? paragraph(part) : table(part.heading, part.rows, "")));
	return [`## ${title}`, ...texts].join("\n\n");
}

function paragraph(text: string): string {
	return wrapWords(text, COLUMNS).trimEnd();
}

function table(heading: string | undefined, pairs: readonly Pair[], left: string): string {
	const rows = pairs.map(([typed, what]) => `| ${cell(`\`${typed}\``)} | ${cell(what)} |`);
	const head = heading === undefined ? "" : `### ${heading}\n\n`;
	return `${head}| ${left} | |\n|---|---|\n${rows.join("\n")}`;
}

function cell(text: string): string {
	return text.replaceAll("|", "\\|");
}
