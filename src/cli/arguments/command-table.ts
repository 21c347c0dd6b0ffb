export type OptionKind =
	/** It has no value. */
	| "flag"
	| "text"
	/** A whole number, 1 or greater. */
	| "count"
	/** A file descriptor: a whole number from 0. */
	| "descriptor"
	| "directory"
	| "file"
	/** A session, named as in words of the kind "session". */
	| "session"
	/** A day, as in a query: 2026-11-03, today, monday, 7d. */
	| "date";

interface CommandOption {
	readonly short?: string;
	readonly kind: OptionKind;
	/** Name of its value in the help; absent for a flag. */
	readonly value?: string;
	/** One line for the help. */
	readonly description: string;
}

/** What a word behind a command is, for completion; "command" is what `pi-grove help` takes. */
export type WordKind = "session" | "query" | "text" | "file" | "directory" | "choice" | "command";

interface CommandWords {
	/** As shown in the help: "SESSION…", "[QUERY…]". */
	readonly usage: string;
	/** Kinds of the words in order; the last one holds for all that follow. */
	readonly kinds: readonly WordKind[];
	readonly least: number;
	/** Unlimited if absent. */
	readonly most?: number;
	/** What is missing if there are too few: "a query". */
	readonly missing?: string;
	/** The values of words of the kind "choice". */
	readonly choices?: readonly string[];
}

/** Groups of commands, in the order of the help and the manual. */
export const COMMAND_GROUPS = ["Look", "Find", "Change", "Share and script"] as const;

export interface Command {
	readonly group: (typeof COMMAND_GROUPS)[number];
	/** Whether it is among the commands of the first page of the help, which are those used daily. */
	readonly isDaily?: true;
	/** Absent if the command takes no words. */
	readonly words?: CommandWords;
	/** One line for the help. */
	readonly description: string;
	readonly options: readonly OptionName[];
	/** What options mean for this command, where that is not what `OPTIONS` says. */
	readonly optionMeanings?: Readonly<Partial<Record<OptionName, string>>>;
}

/** All options, in the order of the help. */
export const OPTIONS = {
	"session-dir": {
		kind: "directory",
		value: "DIR",
		description: "Use the sessions directly in DIR, like pi's option of this name",
	},
	porcelain: {
		kind: "flag",
		description: "Print what git blame --porcelain prints: the session as the author, its prompt as the summary",
	},
	"line-porcelain": { kind: "flag", description: "The same with all headers for each line" },
	help: { short: "h", kind: "flag", description: "Explain the command; without one, print this page" },
	version: { short: "v", kind: "flag", description: "Print the version" },
	pi: {
		kind: "text",
		value: "COMMAND",
		description: 'Resume with COMMAND instead of pi; it may have arguments: "pi --model x"',
	},
	leave: {
		kind: "flag",
		description: "Leave when pi starts, with pi's exit code, instead of coming back afterwards",
	},
	last: { kind: "flag", description: "Open the session opened last, where it was left" },
	demo: { kind: "flag", description: "Show a small built-in collection, copied into a temporary directory" },
	query: { kind: "text", value: "TEXT", description: "Start with TEXT in the list's filter" },
	"no-mouse": { kind: "flag", description: "Leave the mouse to the terminal" },
	plain: { kind: "flag", description: "Show plain rows of words, for a screen reader" },
	json: { kind: "flag", description: "Print JSON with all details" },
	fd: { kind: "descriptor", value: "N", description: "Write the choice to file descriptor N instead of stdout" },
	cwd: { kind: "directory", value: "DIR", description: "Only sessions of the project in DIR" },
	named: { kind: "flag", description: "Only sessions with a name" },
	since: {
		kind: "date",
		value: "DATE",
		description: "Only sessions last active on DATE or later: 2026-11-03, today, monday, 7d, 2w",
	},
	on: {
		kind: "date",
		value: "DATE",
		description: "Only what was spent on that day or in that month: today, 2026-11-03, this-month, 2026-11",
	},
	repair: {
		kind: "flag",
		description: "Replace damaged sessions with repaired copies, after asking; the originals go to the trash",
	},
	"repair-to": {
		kind: "directory",
		value: "DIR",
		description: "Write repaired copies of damaged sessions into DIR",
	},
	html: { kind: "flag", description: "One self-contained HTML page" },
	all: { kind: "flag", description: "All branches, not only the active one" },
	out: {
		kind: "file",
		value: "PATH",
		description: "Write into this directory, or to this file; - is stdout",
	},
	allow: {
		kind: "text",
		value: "KIND,…",
		description: "Do not mask these kinds: key, token, password, mail, home, user, or all",
	},
	masked: {
		kind: "flag",
		description: "Mask keys, tokens, passwords, mail addresses, home directories and user names",
	},
	archived: { kind: "flag", description: "Only archived sessions" },
	counted: { kind: "flag", description: "With --json: wait until all sessions are counted, instead of printing null" },
	runs: { kind: "flag", description: "Include the runs of subagents" },
	except: { kind: "session", value: "SESSION", description: "Leave this session out" },
	markdown: { kind: "flag", description: "Print Markdown" },
	tree: { kind: "flag", description: "Print the tree instead of the conversation" },
	digest: { kind: "flag", description: "Print what was asked, changed, failed, answered last and left open" },
	branch: { kind: "flag", description: "The whole branch of the entry, from the first prompt" },
	turn: { kind: "flag", description: "Only the entry's turn: the prompt and everything up to the next one" },
	entry: { kind: "flag", description: "Only the entry itself" },
	full: {
		kind: "flag",
		description: "Fold nothing: print every output, diff and thought in full; with --markdown, the system prompt, too",
	},
	width: { kind: "count", value: "N", description: "Print in N columns" },
	"max-chars": {
		kind: "count",
		value: "N",
		description: "Print at most N characters, then a line that says where it was cut and how to continue",
	},
	file: {
		kind: "file",
		value: "FILE",
		description: "Print FILE as it was at an entry, rebuilt from the session's edits",
	},
	at: { kind: "text", value: "ENTRY", description: "With --file: at this entry instead of the last one" },
	uncommitted: {
		kind: "flag",
		description: "What differs from HEAD in the repository of this directory, and who changed it",
	},
	"by-hand": { kind: "flag", description: "With --uncommitted: only what no session changed" },
	stat: { kind: "flag", description: "Only the files, with the lines added and removed" },
	"no-pager": { kind: "flag", description: "Do not use a pager on a terminal" },
	header: { kind: "flag", description: "In tab-separated output, begin with a line of field names" },
	limit: { kind: "count", value: "N", description: "Print only the first N" },
	yes: { short: "y", kind: "flag", description: "Do it without asking, unless there is a risk" },
	to: {
		kind: "directory",
		value: "DIR",
		description: "Put the new session into the project in DIR, instead of the session's own",
	},
	into: { kind: "directory", value: "DIR", description: "Make this directory, instead of one beside the session's" },
	repo: {
		kind: "directory",
		value: "DIR",
		description: "A clone of the session's repository, if that is elsewhere or gone",
	},
	hunk: { kind: "text", value: "FILE:LINE", description: "Only the hunk of FILE that has this line, as diff shows it" },
	partly: { kind: "flag", description: "Do the rest where something does not fit" },
	"3way": { kind: "flag", description: "Merge what does not fit, with conflict markers as Git makes them" },
	"dry-run": { kind: "flag", description: "Only print what would be done" },
	delete: { kind: "flag", description: "Move all listed sessions to the trash, after asking" },
	place: {
		kind: "text",
		value: "NAME",
		description: "The sessions of another place (see pi-grove places), or of all places and this machine",
	},
	dir: {
		kind: "directory",
		value: "DIR",
		description: "Directory of the place: another agent directory, a mirror, a mounted disk",
	},
	ssh: { kind: "text", value: "HOST", description: "Machine of the place, as ssh reaches it" },
	command: { kind: "text", value: "COMMAND", description: "How to start pi-grove there, if it is not in the PATH" },
	raw: { kind: "flag", description: "Print what another pi-grove reads" },
	offset: { kind: "count", value: "N", description: "With --raw: skip the first N bytes" },
	stdio: { kind: "flag", description: "Answer on stdin and stdout" },
} as const satisfies Record<string, CommandOption>;

export type OptionName = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[];

export const OPTIONS_OF_ALL = ["session-dir", "help", "version"] as const satisfies readonly OptionName[];

const SHELLS = ["bash", "zsh", "fish"] as const;

/** All commands, in the order of the help; "browse" is what runs without a command's name. */
export const COMMANDS = {
	browse: {
		group: "Look",
		words: { usage: "[SESSION | QUERY…]", kinds: ["session", "query"], least: 0 },
		description: "Open the browser, in the list of all sessions, in the tree of one, or with a query typed",
		options: ["query", "last", "pi", "leave", "demo", "plain", "no-mouse"],
	},
	list: {
		group: "Look",
		isDaily: true,
		words: { usage: "[QUERY…]", kinds: ["query"], least: 0 },
		description: "List all sessions, or those with something in them, newest activity first",
		options: ["json", "header", "cwd", "named", "since", "limit", "archived", "runs", "counted", "raw", "place"],
		optionMeanings: {
			counted:
				"Wait until all sessions are counted; else numbers that are not known are null in JSON, and blank in a table",
			raw: "Every session, including archived ones and runs, as lines of JSON, for another pi-grove",
		},
	},
	search: {
		group: "Find",
		isDaily: true,
		words: { usage: "QUERY…", kinds: ["query"], least: 1, missing: "a query" },
		description: "Find the sessions in which something was said, written or run",
		options: ["json", "header", "cwd", "named", "since", "except", "limit", "masked", "counted", "raw", "place"],
		optionMeanings: { raw: "Only the results, as lines of JSON, for another pi-grove" },
	},
	prompts: {
		group: "Find",
		words: { usage: "[QUERY…]", kinds: ["query"], least: 0 },
		description: "List the prompts of all sessions, each once, the most used first",
		options: ["json", "header", "cwd", "named", "since", "limit"],
		optionMeanings: { since: "Only prompts used on DATE or later: 2026-11-03, today, monday, 7d, 2w" },
	},
	commands: {
		group: "Find",
		words: { usage: "[QUERY…]", kinds: ["query"], least: 0 },
		description: "List the shell commands of all sessions, each once, the most used first",
		options: ["json", "header", "cwd", "named", "since", "limit"],
		optionMeanings: { since: "Only commands run on DATE or later: 2026-11-03, today, monday, 7d, 2w" },
	},
	stats: {
		group: "Look",
		isDaily: true,
		words: { usage: "[SESSION… | QUERY…]", kinds: ["session", "query"], least: 0 },
		description: "Sum up cost, tokens, time and sizes of the sessions, by project, model, agent and month",
		options: ["json", "cwd", "named", "since", "on", "place"],
	},
	blame: {
		group: "Find",
		isDaily: true,
		words: { usage: "FILE[:LINE]", kinds: ["file"], least: 1, most: 1, missing: "a file" },
		description: "Find the session that wrote a line of a file, and the commit that Git names for it",
		options: ["json", "porcelain", "line-porcelain", "header"],
	},
	files: {
		group: "Find",
		words: { usage: "[SESSION]", kinds: ["session"], least: 0, most: 1 },
		description: "List the files that sessions, or one session, have edited or written",
		options: ["json", "header", "cwd", "named", "since", "limit"],
	},
	diff: {
		group: "Find",
		isDaily: true,
		words: {
			usage: "[SESSION] [FILE…]",
			kinds: ["session", "file"],
			least: 0,
		},
		description: "Show what a session changed, as a patch that git apply takes",
		options: ["json", "uncommitted", "by-hand", "stat", "turn", "runs", "header", "no-pager"],
		optionMeanings: {
			turn: "Only the turn of the entry, or the last one",
			runs: "Also what its subagents changed",
		},
	},
	show: {
		group: "Look",
		isDaily: true,
		words: { usage: "SESSION[#ENTRY]", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Read a session, or a part of it, as text, Markdown, HTML, JSON or a tree",
		options: [
			"json",
			"markdown",
			"html",
			"digest",
			"tree",
			"runs",
			"header",
			"all",
			"branch",
			"turn",
			"entry",
			"full",
			"width",
			"max-chars",
			"masked",
			"cwd",
			"file",
			"at",
			"allow",
			"raw",
			"offset",
			"no-pager",
		],
		optionMeanings: {
			runs: "The runs of subagents that it started, instead of the conversation",
			raw: "The bytes of its file, in a file or a pipe",
		},
	},
	review: {
		group: "Look",
		words: { usage: "SESSION", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Print the comments on lines of a session as a prompt for its agent",
		options: ["json", "all"],
		optionMeanings: { all: "Also those that were sent" },
	},
	path: {
		group: "Look",
		words: { usage: "SESSION", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Print the path of a session's file",
		options: ["json"],
	},
	standup: {
		group: "Look",
		description: "Summarize what was done in all sessions since yesterday, by project, as Markdown",
		options: ["json", "cwd", "since"],
		optionMeanings: { since: "What was done on DATE or later: 2026-11-03, today, monday, 7d, 2w" },
	},
	pick: {
		group: "Share and script",
		isDaily: true,
		words: { usage: "[QUERY…]", kinds: ["query"], least: 0 },
		description: "Choose a session in the browser, and print its path for another program",
		options: ["json", "fd", "cwd", "named", "since", "plain", "no-mouse"],
	},
	export: {
		group: "Share and script",
		isDaily: true,
		words: { usage: "SESSION…", kinds: ["session"], least: 1, missing: "a session" },
		description: "Save sessions for sharing, as Markdown or an HTML page, with secrets masked",
		options: ["json", "html", "markdown", "all", "out", "allow", "runs"],
		optionMeanings: {
			markdown: "Markdown, also into a file whose name ends in .html",
			runs: "Include their runs of subagents, each in a file",
		},
	},
	doctor: {
		group: "Look",
		words: { usage: "[SESSION…]", kinds: ["session"], least: 0 },
		description: "Find damaged or unusual sessions, among all or these; only --repair changes any",
		options: ["json", "repair", "repair-to", "yes"],
	},
	resume: {
		group: "Change",
		isDaily: true,
		words: { usage: "SESSION[#ENTRY]", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Resume a session in pi, in its own directory",
		options: ["pi", "yes"],
	},
	rename: {
		group: "Change",
		isDaily: true,
		words: { usage: "SESSION NAME…", kinds: ["session", "text"], least: 1, missing: "a session and a name" },
		description: "Give a session a name",
		options: ["json", "yes"],
	},
	label: {
		group: "Change",
		words: { usage: "SESSION#ENTRY LABEL…", kinds: ["session", "text"], least: 1, missing: "an entry and a label" },
		description: "Label an entry of a session",
		options: ["json", "yes"],
	},
	forward: {
		group: "Change",
		words: { usage: "SESSION", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Make pi continue from the end of a session again, after a name or a label has rewound it",
		options: ["json", "yes"],
	},
	branch: {
		group: "Change",
		words: { usage: "SESSION#ENTRY", kinds: ["session"], least: 1, most: 1, missing: "an entry" },
		description: "Copy a session up to an entry into a new one, and print its path",
		options: ["json", "yes"],
	},
	fork: {
		group: "Change",
		words: { usage: "SESSION", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Copy a whole session into a new one, here or for another project, and print its path",
		options: ["json", "to", "yes"],
	},
	move: {
		group: "Change",
		words: { usage: "OLD NEW", kinds: ["directory", "directory"], least: 2, most: 2, missing: "two directories" },
		description: "Fork the sessions of a moved directory into its new path, and archive the originals",
		options: ["json", "yes"],
	},
	checkout: {
		group: "Change",
		words: { usage: "SESSION[#ENTRY]", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Make a directory with the files as they were when an entry was written",
		options: ["json", "into", "repo", "dry-run", "pi", "header", "yes"],
	},
	revert: {
		group: "Change",
		words: { usage: "SESSION [FILE…]", kinds: ["session", "file"], least: 1, missing: "a session" },
		description: "Take back what a session changed in the files of its directory",
		options: ["json", "turn", "hunk", "runs", "repo", "partly", "dry-run", "header", "yes"],
		optionMeanings: { turn: "Only the turn of the entry, or the last one", runs: "Also what its subagents changed" },
	},
	apply: {
		group: "Change",
		words: { usage: "SESSION [FILE…]", kinds: ["session", "file"], least: 1, missing: "a session" },
		description: "Put what a session, a turn or a branch changed into the files of its directory",
		options: ["json", "turn", "hunk", "runs", "repo", "partly", "3way", "dry-run", "header", "yes"],
		optionMeanings: { turn: "Only the turn of the entry, or the last one", runs: "Also what its subagents changed" },
	},
	bring: {
		group: "Change",
		words: { usage: "NAME:SESSION", kinds: ["session"], least: 1, most: 1, missing: "a session of another place" },
		description: "Copy a session of another place into a new one on this machine, and print its path",
		options: ["json", "to", "yes"],
	},
	delete: {
		group: "Change",
		isDaily: true,
		words: { usage: "SESSION…", kinds: ["session"], least: 1, missing: "a session" },
		description: "Move sessions to the trash, from which they can be restored",
		options: ["json", "runs", "yes"],
		optionMeanings: { runs: "Include their runs of subagents" },
	},
	restore: {
		group: "Change",
		words: { usage: "[SESSION…]", kinds: ["text"], least: 0 },
		description: "Restore sessions from the trash, or list what is in it",
		options: ["json", "header", "limit", "yes"],
	},
	undo: {
		group: "Change",
		isDaily: true,
		words: { usage: "[CHANGE]", kinds: ["text"], least: 0, most: 1 },
		description: "Undo the last change made in any window, or one from the history",
		options: ["json", "yes"],
	},
	history: {
		group: "Change",
		description: "List the changes made here and in the browser, newest first",
		options: ["json", "header", "since", "limit"],
		optionMeanings: { since: "Only changes made on DATE or later: 2026-11-03, today, monday, 7d, 2w" },
	},
	tidy: {
		group: "Change",
		words: {
			usage: "[KIND]",
			kinds: ["choice"],
			least: 0,
			most: 1,
			choices: ["empty", "tiny", "orphaned"],
		},
		description: "List the sessions that may be deleted, and why; only --delete moves them to the trash",
		options: ["json", "header", "cwd", "delete", "yes"],
	},
	places: {
		group: "Share and script",
		words: {
			usage: "[VERB [NAME]]",
			kinds: ["choice", "text"],
			least: 0,
			most: 2,
			choices: ["list", "add", "remove", "check"],
		},
		description: "List and edit places: other directories and machines with sessions",
		options: ["json", "dir", "ssh", "command"],
	},
	serve: {
		group: "Share and script",
		description: "Answer another pi-grove's requests about the sessions of this machine, for places",
		options: ["stdio"],
	},
	completions: {
		group: "Share and script",
		words: {
			usage: "SHELL",
			kinds: ["choice"],
			least: 1,
			most: 1,
			missing: "the name of a shell, bash, zsh or fish",
			choices: SHELLS,
		},
		description: "Print a script that completes commands, options, sessions and queries in bash, zsh or fish",
		options: [],
	},
	help: {
		group: "Share and script",
		words: { usage: "[COMMAND|TOPIC]", kinds: ["command"], least: 0, most: 1 },
		description: "Explain a command, with its options and examples, or a topic",
		options: ["all"],
		optionMeanings: { all: "The list of all commands" },
	},
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;

export type NamedCommand = Exclude<CommandName, "browse">;

export function isCommand(word: string): word is NamedCommand {
	return word !== "browse" && Object.hasOwn(COMMANDS, word);
}

/** The commands with a name, in the order of the help. */
export const NAMED_COMMANDS: readonly NamedCommand[] = COMMAND_GROUPS.flatMap((group) => {
	return Object.keys(COMMANDS).filter(
		(name): name is NamedCommand => isCommand(name) && COMMANDS[name].group === group,
	);
});

/** The commands of the first page of the help, and the others. */
export const DAILY_COMMANDS: readonly NamedCommand[] = NAMED_COMMANDS.filter((name) => commandOf(name).isDaily);
export const OTHER_COMMANDS: readonly NamedCommand[] = NAMED_COMMANDS.filter((name) => !commandOf(name).isDaily);

/** The options that a command takes, its own first. */
export function optionsOf(command: CommandName): readonly OptionName[] {
	return [...COMMANDS[command].options, ...OPTIONS_OF_ALL];
}

export function commandsWith(option: OptionName): readonly CommandName[] {
	return (Object.keys(COMMANDS) as CommandName[]).filter((command) => optionsOf(command).includes(option));
}

/** A command as the general type, which all of them share. */
export function commandOf(name: CommandName): Command {
	return COMMANDS[name];
}

export function optionOf(name: OptionName): CommandOption {
	return OPTIONS[name];
}

/** An option as it is typed, and what it means, also for one command. */
export function optionPair(name: OptionName, command?: Command): readonly [option: string, meaning: string] {
	const { short, value, description } = optionOf(name);
	const option = `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
	return [option, command?.optionMeanings?.[name] ?? description];
}
