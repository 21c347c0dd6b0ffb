import { LANGUAGE } from "../../catalog/query/describe.ts";
import { type CommandName, NAMED_COMMANDS } from "../arguments/command-table.ts";
import { SESSION_FIELDS } from "../find/session-json.ts";

interface TopicTable {
	readonly heading?: string;
	readonly rows: readonly Pair[];
}

/** A subject other than a command: a page of the help, and a section of the manual. */
export interface Topic {
	readonly title: string;
	/** One line for the first page of the help. */
	readonly about: string;
	/** Paragraphs in Markdown, and tables, in order. */
	readonly parts: readonly (string | TopicTable)[];
}

/** Commands of one's own that are of use to many. */
export const OWN_COMMAND_EXAMPLES = [
	{
		what: "the last changes in the directory of the session, as a page",
		command: { name: "Git log", command: "git -C {cwd} log --stat -20", output: "page" },
	},
	{
		what: "the address of the entry, for other commands, on the clipboard",
		command: { name: "Address", command: "printf %s {id}#{entry}", output: "clipboard" },
	},
	{
		what: "a copy of all marked sessions in a directory, with a key",
		command: { name: "Keep", command: "cp {path} ~/kept", on: "marked", key: "alt+f5" },
	},
] as const;

/** The topics by the word that `pi-grove help` takes, in the order of the manual. */
export const TOPICS = {
	sessions: {
		title: "How sessions and entries are named",
		about: "What SESSION and SESSION#ENTRY may be",
		parts: [
			"A SESSION may be any of these:",
			{
				rows: [
					["01a1ff89", "the id of a session, or the beginning of one, if no other id begins with it"],
					[
						".",
						"the session of the current directory with the newest activity, else that of the nearest one above it in the repository",
					],
					["./x.jsonl", "the path of its file: a word with a slash, or one that ends in .jsonl"],
				],
			},
			"`SESSION#ENTRY` is an entry of the session, named by its id or the beginning of the id. `pi-grove search` prints both ids. If several ids begin with the typed word, they are listed, nothing is done, and the exit code is 2.",
		],
	},
	queries: {
		title: "What can be searched for",
		about: "The query language of search and of the browser",
		parts: [
			"All words must occur somewhere in a session. In a shell, quote the whole query, or the shell removes its quotes: `pi-grove search '\"rate limit\" role:user'`. Put `--` before a query that begins with a dash.",
			...LANGUAGE.map(({ title, examples }) => ({ heading: title, rows: examples })),
		],
	},
	scripts: {
		title: "In scripts",
		about: "JSON, exit codes, and where output goes",
		parts: [
			"Results go to standard output and everything else to standard error, so output can be piped; a reader that ends early is not an error. Counts and hints are printed only if standard error is a terminal; a note that something was cut off (`--limit`) or could not be read is always printed. With `--json` a command prints one JSON value with all details, in which control characters are escaped. Tables for another program have tab-separated fields, which are never shortened; `--header` names them. Text is sanitized: no escape sequence of a session reaches the terminal.",
			"A command that changes something asks first, unless `--yes` is given. If there is no terminal to ask at, it changes nothing, says what it would have done, and exits with 2. Its changes can be undone in the shell and in the browser.",
			{
				heading: "A session in JSON, the same in all commands",
				rows: Object.entries(SESSION_FIELDS),
			},
			"Fields that a command adds follow these. A session that is only mentioned, such as that of an edited file, has only the first four. Times are in UTC (ISO 8601); numbers that could not be counted are null. `entryId` is always the id of an entry, `line` its line in the file, from 1.",
			{
				heading: "Exit codes",
				rows: [
					["0", "done"],
					[
						"1",
						"nothing was found although everything was read, or the command found what it checks for (see its own help)",
					],
					["2", "an argument is wrong, or the command failed; standard error says why"],
					["70", "an unexpected error: please report it, with the text of standard error when PI_GROVE_LOG is set"],
				],
			},
		],
	},
	"own-commands": {
		title: "Commands of your own, in ~/.config/pi-grove/commands.json (XDG_CONFIG_HOME)",
		about: "Commands of your own for the browser's ctrl+k",
		parts: [
			"The file is a JSON list of objects, with comments and trailing commas allowed; it is read again whenever it is saved. Each command appears in ctrl+k under its name, and is run by sh in the directory of the session. Mistakes in the file are listed under Problems, with their lines; the other commands still work.",
			{
				heading: "Fields",
				rows: [
					["name", "its name in ctrl+k, unique, at most 50 characters"],
					[
						"command",
						"a command line for sh, with {path}, {id}, {cwd} and {title} of the session, and {entry}, the id of the entry",
					],
					[
						"on",
						"what it acts on: session, entry, marked (all marked sessions at once) or nothing; by default, what its {…} need",
					],
					[
						"output",
						"where its output goes: message (the default), page, terminal (it gets the terminal), clipboard or nothing",
					],
					["key", "a key that nothing else uses, such as ctrl+alt+g"],
					["synonyms", "other words that find it in ctrl+k"],
				],
			},
			"Each {…} is one word, whatever it contains, and is never run as a command: write it without quotes, as in {cwd}/build. A value that begins with a dash gets a blank before it, so that it is not taken for an option. For a single session, the values are also in PI_GROVE_PATH, PI_GROVE_ID, PI_GROVE_CWD, PI_GROVE_TITLE and PI_GROVE_ENTRY, for scripts and for a second shell: `sh -c 'less \"$PI_GROVE_PATH\"'`. Where a second shell would interpret a value (sh -c, ssh, eval, a here-document), {…} is refused. Escape stops a running command; if a command fails, its exit code and the end of its output are shown.",
			{
				heading: "Examples",
				rows: OWN_COMMAND_EXAMPLES.map(({ command, what }) => [JSON.stringify(command), what] as const),
			},
		],
	},
	environment: {
		title: "Environment and files",
		about: "Environment variables, and where files are",
		parts: [
			{
				heading: "Variables",
				rows: [
					["PI_CODING_AGENT_DIR", "pi's own directory, as for pi; default ~/.pi/agent"],
					["PI_CODING_AGENT_SESSION_DIR", "the directory of the sessions, as for pi; --session-dir overrides it"],
					["PI_GROVE_PI", 'the command that resumes a session, as --pi: "pi --model x"; its words may be quoted'],
					["PI_GROVE_LEAVE=1", "as --leave: end when pi starts"],
					["PI_GROVE_PLAIN=1", "as --plain: plain rows of words; TERM=dumb is the same"],
					["PI_GROVE_NO_MOUSE=1", "as --no-mouse: leave the mouse to the terminal"],
					["PI_GROVE_THEME", "dark or light: pi-grove's own colors for that background, whatever pi's theme is"],
					["PI_GROVE_RG", "the ripgrep to search with, instead of the one that is installed with pi-grove"],
					[
						"PI_GROVE_HISTORY",
						"whether session_history may read sessions of other projects, places and directories: project (never), all, or ask (the default)",
					],
					["PI_GROVE_NODE", "the Node that runs /grove inside pi, if pi runs on something else or on an older Node"],
					["PI_GROVE_LOG", "a file for a debug log of the browser; PI_GROVE_LOG_TEXT=1 includes text from sessions"],
					["NO_COLOR, FORCE_COLOR", "no colors; colors even if the output is not a terminal"],
					["VISUAL, EDITOR, PAGER", "the programs that open an entry; PAGER also shows the output of show"],
				],
			},
			{
				heading: "Files",
				rows: [
					["~/.pi/agent/sessions", "the sessions; looking never writes there"],
					[
						"~/.config/pi-grove/commands.json",
						"commands of your own; see pi-grove help own-commands (XDG_CONFIG_HOME)",
					],
					["~/.cache/pi-grove", "the index of the sessions; may be deleted (XDG_CACHE_HOME)"],
					["~/.local/state/pi-grove", "the journal of changes, for undo; pins and tags (XDG_STATE_HOME)"],
				],
			},
		],
	},
} as const satisfies Record<string, Topic>;

export type TopicName = keyof typeof TOPICS;

export const TOPIC_NAMES = Object.keys(TOPICS) as readonly TopicName[];

/** A topic as the general type, which all of them share. */
export function topicOf(name: TopicName): Topic {
	return TOPICS[name];
}

/** What is typed, and what it means. */
export type Pair = readonly [left: string, right: string];

/** The argument of `pi-grove help`: a command, the browser, or a topic. */
export type HelpName = CommandName | TopicName;

/** All arguments of `pi-grove help`, commands first. */
export const HELP_NAMES: readonly HelpName[] = [...NAMED_COMMANDS, "browse", ...TOPIC_NAMES];

export function isTopic(name: HelpName): name is TopicName {
	return Object.hasOwn(TOPICS, name);
}
