import { COMMANDS, type CommandName, type CommandOption, enumerate, OPTIONS } from "./options.ts";

/** What --help prints. */
export function helpText(): string {
	return `pi-grove shows all sessions of the pi coding agent: find one, read it as a tree, continue it.

Usage: pi-grove [options]            open the browser; ctrl+g in it shows the keys
       pi-grove FILE|ID [options]    open it in the tree of that session
       pi-grove COMMAND [options]    print on standard output; needs no terminal

Commands:
${COMMANDS.map((command) => helpLine(commandWords(command), command.description)).join("")}
${optionSections()}A query holds words and "phrases", all of which must be found, and re:PATTERN; -word must not be. role: tool: in: limit
where to look; name: title: label: file: cmd: model: cwd: look in one kind of text. project:x since:7d before:2026-11-03
cost:>1 size:>5MB messages:>100 tag:x is:pinned are about the session. Quote the query, or the shell removes its quotes.

search prints one session per line, best first: path, title, id of the entry, and the text that was found, separated
by two blanks; on a terminal it prints two lines. Put -- before a query that starts with -.

SESSION is a FILE or an ID. doctor never changes a file: with --repair-to it writes copies, one for each session that
is in the file, each under an id of its own, and says what is not in them.

FILE is the path of a session's file, with a / or ending in .jsonl; ID is the id of a session, or its beginning.

The exit code is 2 when something cannot be done: an argument is wrong, the session directory does not exist, the output
cannot be written. search ends with 1 when it found nothing, doctor when something is damaged.

Environment: PI_CODING_AGENT_DIR and PI_CODING_AGENT_SESSION_DIR say where the sessions are, as for pi. With
PI_GROVE_NO_MOUSE=1 the mouse is always left to the terminal; without it, Shift does that while text is selected.
PI_GROVE_PI="pi --model x" and PI_GROVE_LEAVE=1 are --pi and --leave. Words of a COMMAND may be quoted, as in a shell;
nothing else of a shell works in it.
`;
}

function commandWords({ name, words }: (typeof COMMANDS)[number]): string {
	return words === undefined ? name : `${name} ${words}`;
}

/** The options, grouped by the commands that accept them. */
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
