import {
	COMMAND_GROUPS,
	type Command,
	commandOf,
	commandsWith,
	NAMED_COMMANDS,
	type NamedCommand,
	OPTION_NAMES,
	type OptionName,
	optionOf,
	optionsOf,
} from "./command-table.ts";

/** What --help prints. */
export function helpText(): string {
	return `pi-grove shows all sessions of the pi coding agent: find one, read it as a tree, continue it.

Usage: pi-grove [options]            open the browser; ctrl+g in it shows the keys
       pi-grove SESSION [options]    open it in the tree of that session
       pi-grove COMMAND [options]    print on standard output; needs no terminal
       pi-grove COMMAND --help       all about a command

${commandSections()}
${optionSections()}
A query holds words and "phrases", all of which must be found, and re:PATTERN; -word must not be. role: tool: in: limit
where to look; name: title: label: file: cmd: model: cwd: look in one kind of text. project:x since:7d before:2026-11-03
cost:>1 size:>5MB messages:>100 tag:x is:pinned are about the session. Quote the query, or the shell removes its quotes.

SESSION is the path of a session's file, with a / or ending in .jsonl; or the id of a session, or the beginning of one;
or . for the newest of the current directory. SESSION#ENTRY is an entry of it, by its id or the beginning of that.

The exit code is 2 when something cannot be done: an argument is wrong, the session directory does not exist, the output
cannot be written; 1 when nothing was found.

Environment: PI_CODING_AGENT_DIR and PI_CODING_AGENT_SESSION_DIR say where the sessions are, as for pi. With
PI_GROVE_NO_MOUSE=1 the mouse is always left to the terminal; without it, Shift does that while text is selected.
PI_GROVE_PI="pi --model x" and PI_GROVE_LEAVE=1 are --pi and --leave. Words of a COMMAND may be quoted, as in a shell;
nothing else of a shell works in it.
`;
}

/** What `pi-grove COMMAND --help` prints. */
export function helpOf(name: NamedCommand): string {
	const { description, details, examples, exitCodes = [] } = commandOf(name);
	const options = optionsOf(name);
	const parts = [
		`pi-grove ${commandLine(name)}\n\n${description}.\n`,
		...details.map((paragraph) => wrap(paragraph.replaceAll("`", ""))),
		`Options:\n${lines(options.map((option) => [optionWords(option), optionOf(option).description]))}`,
		...(examples.length === 0
			? []
			: [`Examples:\n${lines(examples.map(([line, what]) => [`pi-grove ${line}`, what]))}`]),
		...(exitCodes.length === 0
			? []
			: [
					`Exit codes:\n${lines([["0", "done"], ...exitCodes.map(([code, what]) => [`${code}`, what] as const), ["2", "it could not be done"]])}`,
				]),
	];
	return parts.join("\n");
}

function commandSections(): string {
	return COMMAND_GROUPS.map((group) => {
		const names = NAMED_COMMANDS.filter((name) => commandOf(name).group === group);
		return names.length === 0
			? ""
			: `${group}:\n${names.map((name) => helpLine(commandLine(name), commandOf(name).description)).join("")}`;
	}).join("");
}

/** A command with its words. */
export function commandLine(name: NamedCommand): string {
	const { words }: Command = commandOf(name);
	return words === undefined ? name : `${name} ${words.usage}`;
}

/** The options that all commands take, and those of the browser; those of a command are in its own help. */
function optionSections(): string {
	const everywhere = OPTION_NAMES.filter((name) => commandsWith(name).length > NAMED_COMMANDS.length);
	const browser = optionsOf("browse").filter((name) => !everywhere.includes(name));
	return `${section("Options", everywhere)}${section("Options of the browser", browser)}`;
}

function section(title: string, names: readonly OptionName[]): string {
	return `${title}:\n${names.map((name) => helpLine(optionWords(name), optionOf(name).description)).join("")}`;
}

/** An option with the name of its value. */
export function optionWords(name: OptionName): string {
	const { short, value } = optionOf(name);
	return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

function helpLine(left: string, description: string): string {
	const width = Math.max(
		...[...NAMED_COMMANDS.map(commandLine), ...OPTION_NAMES.map(optionWords)].map(({ length }) => length),
	);
	return `  ${left.padEnd(width)}  ${description}\n`;
}

function lines(pairs: readonly (readonly [string, string])[]): string {
	const width = Math.max(...pairs.map(([left]) => left.length));
	return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

/** Columns of the help. */
const COLUMNS = 120;

function wrap(paragraph: string): string {
	const rows: string[] = [];
	let row = "";
	for (const word of paragraph.split(" ")) {
		if (row !== "" && row.length + 1 + word.length > COLUMNS) {
			rows.push(row);
			row = "";
		}
		row = row === "" ? word : `${row} ${word}`;
	}
	return `${[...rows, row].join("\n")}\n`;
}
