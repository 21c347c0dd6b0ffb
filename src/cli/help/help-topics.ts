import { LANGUAGE } from "../../catalog/query/describe.ts";
import type { Pair } from "./help-layout.ts";

/** Words and what they mean, under a heading of their own if they have one. */
interface TopicTable {
	readonly heading?: string;
	readonly rows: readonly Pair[];
}

/** What is not about one command: a page of the help, and a section of the manual. */
export interface Topic {
	readonly title: string;
	/** One line for the first page of the help. */
	readonly about: string;
	/** Paragraphs in Markdown, and tables, in this order. */
	readonly parts: readonly (string | TopicTable)[];
}

/** The topics by the word that `pi-grove help` takes, in the order of the manual. */
export const TOPICS = {
	sessions: {
		title: "How sessions and entries are named",
		about: "What may stand for SESSION and SESSION#ENTRY",
		parts: [
			"Wherever a command takes a SESSION, it may be any of these:",
			{
				rows: [
					["01a1ff89", "the id of a session, or the beginning of one, as long as no other one begins so"],
					[".", "the session of the current directory with the newest activity"],
					["./x.jsonl", "the path of its file: something with a slash, or that ends in .jsonl"],
				],
			},
			"`SESSION#ENTRY` is one entry of it, by its id or the beginning of that. `pi-grove search` prints both. When more than one session begins as typed, they are listed, nothing is done, and the exit code is 2.",
		],
	},
	queries: {
		title: "What can be searched for",
		about: "The language of search, and of the filter in the browser",
		parts: [
			"All words must be found, anywhere in a session. Quote the whole query in a shell, or the shell takes its quotes: `pi-grove search '\"rate limit\" role:user'`. Put `--` before a query that begins with a dash.",
			...LANGUAGE.map(({ title, examples }) => ({ heading: title, rows: examples })),
		],
	},
	scripts: {
		title: "In scripts",
		about: "JSON, exit codes, what is printed where",
		parts: [
			"Results go to standard output and all else to standard error, so output can be piped; a reader that ends early is no error. With `--json` a command prints one JSON value with all that is known, and control characters in it are escaped. Texts on a line of their own are cleaned: no escape sequence of a session reaches the terminal.",
			"A command that changes something asks first, unless `--yes` is given. Where there is no terminal to ask on, it changes nothing, says what it would have done, and ends with 2. What it did can be undone, in the browser too.",
			{
				heading: "Exit codes",
				rows: [
					["0", "done"],
					["1", "nothing was found, or what the command looks for is there (see its own help)"],
					["2", "an argument is wrong, or it could not be done; standard error says why"],
				],
			},
		],
	},
	environment: {
		title: "Environment and files",
		about: "Variables, and where things are kept",
		parts: [
			{
				heading: "Variables",
				rows: [
					["PI_CODING_AGENT_DIR", "pi's own directory, as for pi; default ~/.pi/agent"],
					["PI_CODING_AGENT_SESSION_DIR", "the directory of the sessions, as for pi; --session-dir overrides it"],
					["PI_GROVE_PI", 'what resumes a session instead of pi, as --pi: "pi --model x". Its words may be quoted'],
					["PI_GROVE_LEAVE=1", "as --leave: end when pi starts"],
					["PI_GROVE_NO_MOUSE=1", "as --no-mouse: leave the mouse to the terminal"],
					["PI_GROVE_THEME", "dark or light: our colors for that background, whatever pi's theme is"],
					["PI_GROVE_RG", "the ripgrep to search with, instead of the one that came with pi-grove"],
					[
						"PI_GROVE_HISTORY",
						"whether session_history looks into sessions of other projects: project (never), all, or ask as without it",
					],
					["PI_GROVE_NODE", "the Node that runs /grove inside pi, where pi's own is none, or is too old"],
					["PI_GROVE_LOG", "a file for a debug log of the browser; with PI_GROVE_LOG_TEXT=1 also of texts"],
					["NO_COLOR, FORCE_COLOR", "no colors; colors also where the output is no terminal"],
					["VISUAL, EDITOR, PAGER", "the programs that an entry is opened in"],
				],
			},
			{
				heading: "Files",
				rows: [
					["~/.pi/agent/sessions", "the sessions; nothing is written there by looking"],
					["~/.cache/pi-grove", "what is known of them; may be deleted (XDG_CACHE_HOME)"],
					["~/.local/state/pi-grove", "what was changed, for undo; pins and tags (XDG_STATE_HOME)"],
				],
			},
		],
	},
} as const satisfies Record<string, Topic>;

export type TopicName = keyof typeof TOPICS;

export const TOPIC_NAMES = Object.keys(TOPICS) as readonly TopicName[];

/** A topic with no more than what all of them have in common. */
export function topicOf(name: TopicName): Topic {
	return TOPICS[name];
}
