import { enumerate } from "./enumerate.ts";
import { COMMANDS, type CommandName, type CommandOption, OPTIONS } from "./options.ts";

/** The answer to --help. */
export function helpText(): string {
	return `pi-grove shows all sessions of the pi coding agent: find one, read it as a tree, go on with it.

Usage: pi-grove [options]            open the browser; press ? in it for the keys
       pi-grove COMMAND [options]    print on standard output; needs no terminal

Commands:
${COMMANDS.map((command) => helpLine(commandWords(command), command.description)).join("")}
${optionSections()}A query holds words and "phrases", all of which must be found, and re:PATTERN. role: tool: in: limit where to look;
name: title: label: file: cmd: model: cwd: look in one kind of text. Quote it, or the shell takes the quotes away.

search prints a session a line, the best first: path, title, id of the entry, and what was found in it, with two
blanks between; on a terminal two lines. It ends with 0 when something was found, with 1 when nothing was, and with
2 when the query cannot be read. Words that start with - follow after --.

Environment: PI_CODING_AGENT_DIR and PI_CODING_AGENT_SESSION_DIR tell where the sessions are, as for pi.
`;
}

function commandWords({ name, words }: (typeof COMMANDS)[number]): string {
	return words === undefined ? name : `${name} ${words}`;
}

/** The options by the commands that take them. */
function optionSections(): string {
	const sections = Map.groupBy(OPTIONS, (option) => sectionTitle(option.commands));
	return [...sections]
		.map(
			([title, inIt]) =>
				`${title}:\n${inIt.map((option) => helpLine(optionWords(option), option.description)).join("")}\n`,
		)
		.join("");
}

function sectionTitle(takenBy: readonly CommandName[]): string {
	if (takenBy.length > COMMANDS.length) return "Options";
	return `Options of ${enumerate(takenBy.map((name) => (name === "browse" ? "the browser" : name)))}`;
}

function optionWords({ name, short, value }: CommandOption): string {
	return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

function helpLine(left: string, description: string): string {
	const width = Math.max(...[...COMMANDS.map(commandWords), ...OPTIONS.map(optionWords)].map(({ length }) => length));
	return `  ${left.padEnd(width)}  ${description}\n`;
}
