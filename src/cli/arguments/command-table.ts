/** How the value of an option is read. */
export type OptionKind =
	/** It takes no value. */
	| "flag"
	| "text"
	/** A whole number, 1 or greater. */
	| "count"
	/** A file descriptor: a whole number from 0. */
	| "descriptor"
	| "directory"
	| "file"
	/** A session, as the words of the kind "session" name one. */
	| "session"
	/** A day, as in a query: 2026-11-03, today, monday, 7d. */
	| "date";

/** An option of the command line. */
export interface CommandOption {
	readonly short?: string;
	readonly kind: OptionKind;
	/** Name of its value in the help; an option that is a flag has none. */
	readonly value?: string;
	/** One line for the help. */
	readonly description: string;
}

/** What one of the words behind a command is, for the completions; "command" is what `pi-grove help` takes. */
export type WordKind = "session" | "query" | "text" | "file" | "choice" | "command";

/** The words that follow a command. */
interface CommandWords {
	/** As the help has them: "SESSION…", "[QUERY…]". */
	readonly usage: string;
	/** What the first, the second and so on is; the last one stands for all that follow. */
	readonly kinds: readonly WordKind[];
	readonly least: number;
	/** No end without this. */
	readonly most?: number;
	/** What is missing where there are fewer: "a query". */
	readonly missing?: string;
	/** All that a word of the kind "choice" may be. */
	readonly choices?: readonly string[];
}

/** What a command is about; the help and the manual are in this order. */
export const COMMAND_GROUPS = ["Look", "Find", "Change", "Share and script"] as const;

/** A command of the command line. */
export interface Command {
	readonly group: (typeof COMMAND_GROUPS)[number];
	/** A command without this takes no words. */
	readonly words?: CommandWords;
	/** One line for the help. */
	readonly description: string;
	/** What the manual says, paragraph by paragraph, as Markdown; the first line of the help is not repeated. */
	readonly details: readonly string[];
	/** Command lines, without "pi-grove", with what each does. */
	readonly examples: readonly (readonly [line: string, what: string])[];
	/** What its exit codes mean, where they are more than 0 and 2. */
	readonly exitCodes?: readonly (readonly [code: number, meaning: string])[];
	readonly options: readonly OptionName[];
}

/** All options, in the order of the help. */
export const OPTIONS = {
	"session-dir": {
		kind: "directory",
		value: "DIR",
		description: "Use the sessions directly in DIR, like pi's option of this name",
	},
	help: { short: "h", kind: "flag", description: "Explain the command; without one, print this page" },
	version: { short: "v", kind: "flag", description: "Print the version" },
	pi: {
		kind: "text",
		value: "COMMAND",
		description: 'Resume with COMMAND instead of pi, which may have arguments: "pi --model x"',
	},
	leave: {
		kind: "flag",
		description: "End when pi starts, with pi's exit code, instead of coming back after it",
	},
	demo: { kind: "flag", description: "Show a small built-in collection, copied into a temporary folder" },
	query: { kind: "text", value: "TEXT", description: "Begin with TEXT in the list's filter" },
	"no-mouse": { kind: "flag", description: "Leave the mouse to the terminal" },
	json: { kind: "flag", description: "Print JSON with all that is known" },
	fd: { kind: "descriptor", value: "N", description: "Write what was chosen to the descriptor N in place of stdout" },
	cwd: { kind: "directory", value: "DIR", description: "Only the sessions of the project in DIR" },
	named: { kind: "flag", description: "Only the sessions that have been given a name" },
	since: {
		kind: "date",
		value: "DATE",
		description: "Only what was last active since then: 2026-11-03, today, monday, 7d, 2w",
	},
	repair: {
		kind: "flag",
		description: "Put repaired copies in the place of damaged sessions, which go to the trash, after asking",
	},
	"repair-to": {
		kind: "directory",
		value: "DIR",
		description: "Write repaired copies of damaged sessions into DIR",
	},
	html: { kind: "flag", description: "One page that needs nothing else" },
	all: { kind: "flag", description: "All branches, not only the one that goes on" },
	out: {
		kind: "file",
		value: "PATH",
		description: "Write into this directory, or to this file; - is stdout",
	},
	allow: {
		kind: "text",
		value: "KIND,…",
		description: "Leave as they are: key, token, password, mail, home, or all",
	},
	masked: { kind: "flag", description: "Mask keys, tokens, passwords, mail addresses and home directories" },
	archived: { kind: "flag", description: "Only the sessions in the archive" },
	except: { kind: "session", value: "SESSION", description: "Leave this session out" },
	markdown: { kind: "flag", description: "Print Markdown" },
	tree: { kind: "flag", description: "Print the tree instead of the conversation" },
	branch: { kind: "flag", description: "All of the branch that the entry is on, from the first prompt on" },
	turn: { kind: "flag", description: "Only the turn of the entry: a prompt with all that followed" },
	entry: { kind: "flag", description: "Only the entry itself" },
	full: { kind: "flag", description: "Fold nothing: print all of every output, diff and thought" },
	width: { kind: "count", value: "N", description: "Print in N columns" },
	"max-chars": {
		kind: "count",
		value: "N",
		description: "Print at most N characters of it, and a line that says where it was cut and goes on",
	},
	file: { kind: "file", value: "FILE", description: "Print FILE as it was at an entry, rebuilt from what was done" },
	at: { kind: "text", value: "ENTRY", description: "That entry, instead of the last one" },
	limit: { kind: "count", value: "N", description: "Print only the first N" },
	yes: { short: "y", kind: "flag", description: "Do it without asking, unless something speaks against it" },
	to: { kind: "directory", value: "DIR", description: "Fork for the project in DIR, instead of the session's own" },
	delete: { kind: "flag", description: "Move all that is proposed to the trash, after asking" },
	days: { kind: "count", value: "N", description: "Old is what was last said more than N days ago, instead of 180" },
} as const satisfies Record<string, CommandOption>;

export type OptionName = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[];

/** Options that every command takes. */
export const OPTIONS_OF_ALL = ["session-dir", "help", "version"] as const satisfies readonly OptionName[];

/** The shells for which there are completions. */
const SHELLS = ["bash", "zsh", "fish"] as const;

/** All commands, in the order of the help; "browse" is the one without a name. */
export const COMMANDS = {
	browse: {
		group: "Look",
		words: { usage: "[SESSION]", kinds: ["session"], least: 0, most: 1 },
		description: "Open the browser, in the list of all sessions or in the tree of one",
		details: [
			"The browser needs a terminal. Type to search, move with the arrows, Enter goes on with a session in pi; `ctrl+g` shows all keys. Looking changes nothing, and every change can be undone.",
			"In the environment, `PI_GROVE_PI`, `PI_GROVE_LEAVE=1` and `PI_GROVE_NO_MOUSE=1` are `--pi`, `--leave` and `--no-mouse`. While the mouse is with pi-grove, Shift selects text as usual.",
		],
		examples: [
			["", "all sessions"],
			["--query 'is:waiting since:7d'", "sessions of the last week that ask or stopped midway"],
			["01a1ff89", "the tree of the session whose id begins so"],
		],
		options: ["query", "pi", "leave", "demo", "no-mouse"],
	},
	list: {
		group: "Look",
		description: "List all sessions, newest activity first",
		details: [
			"On a terminal it is a table, cut to its width. Elsewhere each session is a line of six fields with a tab between them: id, path, local time of its last activity, messages, project, title; a title begins with `!` where something of the session is lost.",
			"Those in the archive are counted; `--archived` prints them, and no others.",
		],
		examples: [
			["list --cwd .", "the sessions of this project"],
			["list --since 7d | cut -f 2", "the paths of the sessions of the last week"],
			["list | fzf -d '\\t' --with-nth 3.. --preview 'pi-grove show {1}'", "choose one with another program"],
		],
		options: ["json", "cwd", "named", "since", "limit", "archived"],
	},
	search: {
		group: "Find",
		words: { usage: "QUERY…", kinds: ["query"], least: 1, missing: "a query" },
		description: "Find the sessions in which something was said, written or run",
		details: [
			"One session a line, best first: path, title, id of the entry, and the text that was found, separated by two blanks; on a terminal it prints two lines. Put `--` before a query that starts with `-`.",
			"With `--masked`, what `export` masks is masked in all that is printed, the text that was found among it; each session that is printed is read whole for that.",
		],
		examples: [["search '\"rate limit\" role:user since:7d'", "what was asked about it in the last week"]],
		exitCodes: [[1, "nothing was found"]],
		options: ["json", "cwd", "named", "since", "except", "limit", "masked"],
	},
	prompts: {
		group: "Find",
		words: { usage: "[QUERY…]", kinds: ["query"], least: 0 },
		description: "List what was asked in all sessions, each prompt once, those used most now first",
		details: [
			'Each time that a prompt was used counts 1, and half as much for every week since; the most comes first. What a fork has copied counts once. QUERY is in the language of the search: words, `"phrases"`, `re:`; dates, `--since` too, are those of the prompts; `project:` and the like are about their sessions. Archived sessions are left out, unless it has `is:archived`.',
			"On a terminal it prints a line each: when it was used last, how often, project, text. Into a pipe it prints five fields, a tab between them: SESSION#ENTRY of the last use, time, how often, project, text; with `--json` all uses.",
		],
		examples: [
			["prompts refactor --since 7d", "what was asked about refactoring in the last week"],
			["prompts --cwd . --limit 20", "what is asked most in this project"],
		],
		exitCodes: [[1, "nothing was found"]],
		options: ["json", "cwd", "named", "since", "limit"],
	},
	commands: {
		group: "Find",
		words: { usage: "[QUERY…]", kinds: ["query"], least: 0 },
		description: "List the shell commands of all sessions, each once, most used first; none is run",
		details: [
			"Those of the person (`!`) and of the model, ordered and searched as with `prompts`. Exit code and time are those of the last use.",
			"Into a pipe it prints seven fields, a tab between them: SESSION#ENTRY of the last use, time, how often, exit code (or how it ended without one, or `-`), milliseconds, project, text.",
		],
		examples: [["commands docker --json", "all uses of such commands, with exit code and time"]],
		exitCodes: [[1, "nothing was found"]],
		options: ["json", "cwd", "named", "since", "limit"],
	},
	stats: {
		group: "Look",
		description: "Sum up what the sessions cost and weigh, by project, model and month",
		details: [
			"With `--since` it is all that the sessions cost which were active since then, not only what they cost since.",
		],
		examples: [["stats --cwd .", "what this project has cost"]],
		options: ["json", "cwd", "named", "since"],
	},
	blame: {
		group: "Find",
		words: { usage: "FILE[:LINE]", kinds: ["file"], least: 1, most: 1, missing: "a file" },
		description: "Find the session that wrote a line of a file, and the commit that Git names for it",
		details: [
			"`FILE:LINE` is one line, `FILE:FROM-TO` some, `FILE` all. There are three answers. `exact`: one session alone added this line to this file, with pi's `edit` or `write`, before the commit, and nothing speaks against it. `candidates`: the sessions that may have written it, and why that is not sure. `unknown`: no edit is known to hold it.",
			"A line that stands more than once in its file, or says as little as a brace, is answered only by a line near it that was added in one piece with it. Edits in all worktrees of the repository count, under the names that the file had. What shell commands changed is not seen, nor what a person typed: where that may be the answer, it is not exact.",
			"On a terminal one line is told in full and many are a table. Elsewhere each line has five fields with a tab between them: number, answer, commit, addresses (`session#entry`, with commas), text; `-` for nothing.",
		],
		examples: [
			["blame src/parser.ts:120", "who wrote line 120, and why"],
			["blame src/parser.ts --json", "all lines, with all that is known"],
		],
		exitCodes: [[1, "of no line anything is known"]],
		options: ["json"],
	},
	files: {
		group: "Find",
		words: { usage: "[SESSION]", kinds: ["session"], least: 0, most: 1 },
		description: "List the files that sessions have edited or written, or those of one session",
		details: [
			"Without a SESSION: each file once, by its absolute path, the one with the last edit first. A file counts when pi's `edit` or `write` succeeded on it; what shell commands changed is not seen. `--since` leaves out earlier edits, too. A copy of an edit in a fork counts in the session that it was made in.",
			"With a SESSION, what it changed on all of its branches; `SESSION#ENTRY` is what was changed on the way to that entry.",
			"On a terminal it is a table. Elsewhere each file is a line with tabs: path, lines added, lines removed, edits, then, without a SESSION, the number of sessions, then local time and address (`session#entry`, with a SESSION the entry alone) of the last edit. Of a file that was written whole, all lines count as added.",
		],
		examples: [
			["files --since 7d", "what was edited in the last week, by any session"],
			["files .", "what the newest session of this directory changed"],
		],
		exitCodes: [[1, "no file was edited"]],
		options: ["json", "cwd", "named", "since", "limit"],
	},
	show: {
		group: "Look",
		words: { usage: "SESSION[#ENTRY]", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Read a session, or a part of it, as text, Markdown, HTML, JSON or a tree",
		details: [
			"Without an entry it is the active branch; with one, from that entry on to the end of the branch that it is on. `--turn` and `--entry` without `#ENTRY` are the last turn and the last entry; an answer is shown with the results of what it called. How much is on other branches, and in how many places something is folded, is said on standard error.",
			"It is as wide as the terminal, or 100 columns. `--markdown` is what the browser saves. `--html` is the page that `export` writes, with the same masked in it. `--json` is one object with the facts of the session, and all entries as they are in the file, each with its line, its label and whether it is active. `--tree` has the beginning of the id of each entry in front, for `SESSION#ENTRY`.",
			"`--file FILE` prints what a file held when an entry was written (`--at`, or `#ENTRY`), rebuilt from the last `write` or whole `read` of it and the edits since; into a file or a pipe every byte as it was. How sure that is, is said on standard error: `exact` where nothing ran since then that may have changed the file unseen, as shell commands; else `candidates`, with the reason. Where nothing fits, or several texts do, none is printed; `--json` has all of them. What a person or another session did meanwhile is not seen.",
			"Where `--max-chars` cuts a text, the last line has the address of the rest, `SESSION#ENTRY@OFFSET`: with the same options it goes on with the next character, nothing twice and nothing left out. OFFSET counts UTF-16 units of what is printed of the entry, masks as they are printed; with `--turn`, `--branch` and `--entry` those of all that they print. Of a text without `--markdown` only whole rows are printed, one at least. `--markdown --json` is one object with the Markdown in `text`, and in `next` the entry, the offset and the address of the rest, or null.",
			"With `--masked`, what `export` masks is masked in all that is printed. With `--cwd`, nothing is printed of a session of another project.",
			"Nothing is changed. Of a large session the bytes of its file are in memory, and above 256 MB only what is being printed and the places of its entries.",
		],
		examples: [
			["show . --turn", "what was asked last in this directory, and what came of it"],
			["show 01a1ff89 --tree", "the tree of a session, with the ids of its entries"],
			["show 01a1ff89#5bc21ad0 --markdown --max-chars 8000", "what was said from an entry on"],
			["show . --full | less -R", "all of it, in a pager"],
			["show 01a1ff89#5bc21ad0 --file src/parser.ts > old.ts", "a file as it was then"],
		],
		exitCodes: [[1, "what the file held is not known, or the session is of another project than `--cwd` asks for"]],
		options: [
			"json",
			"markdown",
			"html",
			"tree",
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
		],
	},
	path: {
		group: "Look",
		words: { usage: "SESSION", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Print the path of a session's file",
		details: ["It is printed as it is, for another program; nothing about it is checked but that it is there."],
		examples: [["path .", "that of the newest session of this directory"]],
		options: ["json"],
	},
	standup: {
		group: "Look",
		description: "Sum up what was done in all sessions since yesterday, by project, as Markdown",
		details: [],
		examples: [["standup --since monday", "this week"]],
		options: ["json", "cwd", "since"],
	},
	pick: {
		group: "Share and script",
		words: { usage: "[QUERY…]", kinds: ["query"], least: 0 },
		description: "Choose a session in the browser, and print its path for another program",
		details: [
			"The browser is drawn on the terminal although stdout is read by another program; nothing but what was chosen goes there (or to the descriptor of `--fd`): the path, or with `--json` one line with `action`, `path`, `entryId` and `cwd`. `entryId` is null where the session itself was chosen.",
			'`pi --session "$(pi-grove pick)"` goes on with it in pi; `s=$(pi-grove pick) && pi --session "$s"` starts no pi where nothing was chosen.',
			"Enter asks nothing and writes nothing. On an entry that is not the last one it chooses the session, and with `--json` also the entry; where a running pi has the session, a line on stderr says so.",
		],
		examples: [
			["pick", "the path of the session that is chosen"],
			["pick --json --cwd . is:named", "a session of this directory that has a name, or an entry of it"],
		],
		exitCodes: [[130, "left without a choice"]],
		options: ["json", "fd", "cwd", "named", "since", "no-mouse"],
	},
	export: {
		group: "Share and script",
		words: { usage: "SESSION…", kinds: ["session"], least: 1, missing: "a session" },
		description: "Save sessions to show them to others, as Markdown or an HTML page, with secrets masked",
		details: [
			"It saves the conversation that goes on, or the one through an entry (`SESSION#ENTRY`), as a file with the name of the session, in this directory or where `--out` says, and prints its path. A file that is there is never written over: the new one gets a number.",
			"With `--html`, or where the file of `--out` ends in `.html`, it is one page, with tree and conversation, that needs no network and runs nothing of the session.",
			"What looks like a key, a token, a password, a mail address or a home directory is listed on stderr first and masked in what is written, unless `--allow` names its kind. It is found by its form, and once found it is masked wherever it stands; so are the secrets in the `.env` files of the session's directory. Read what you share. Pictures are not looked into.",
		],
		examples: [
			["export . --html", "a page of the newest session of this directory"],
			["export 01a1ff89 --all --out notes/ --allow mail,home", "all branches as Markdown, into a directory"],
			["export . --html --out - | ssh host 'cat >page.html'", "to another program"],
		],
		options: ["json", "html", "all", "out", "allow"],
	},
	doctor: {
		group: "Look",
		words: { usage: "[SESSION…]", kinds: ["session"], least: 0 },
		description: "Find what is damaged or unusual in all sessions, or in these; only --repair changes any",
		details: [
			"With `--repair-to` it writes repaired copies, one for each session that is in the file, each under an id of its own, and says what is not in them; no other file is changed. With `--repair` the copies take the place of the damaged sessions, which go to the trash: one change, which `undo` takes back.",
		],
		examples: [
			["doctor --repair", "all that is damaged, in its place, after asking"],
			["doctor --repair-to /tmp/repaired", "repaired copies of all that is damaged"],
		],
		exitCodes: [[1, "something is damaged"]],
		options: ["json", "repair", "repair-to", "yes"],
	},
	resume: {
		group: "Change",
		words: { usage: "SESSION[#ENTRY]", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Go on with a session in pi, in its own directory",
		details: [
			"With an entry, one line is added to the session, so that pi goes on there; of a prompt, from before it, with its text on the clipboard. It asks where a running pi seems to have the session, where its directory is gone, where it is archived, and where pi cannot go on with it.",
			"The exit code is that of pi.",
		],
		examples: [
			["resume .", "the newest session of this directory"],
			['resume 01a1ff89#c2d5 --pi "pi --model opus"', "from an entry, with another model"],
		],
		options: ["pi", "yes"],
	},
	rename: {
		group: "Change",
		words: { usage: "SESSION NAME…", kinds: ["session", "text"], least: 1, missing: "a session and a name" },
		description: "Give a session a name",
		details: ['An empty name clears the name: `pi-grove rename SESSION ""`.'],
		examples: [['rename . "Import parser"', "the newest session of this directory"]],
		exitCodes: [[1, "you did not agree"]],
		options: ["json", "yes"],
	},
	label: {
		group: "Change",
		words: { usage: "SESSION#ENTRY LABEL…", kinds: ["session", "text"], least: 1, missing: "an entry and a label" },
		description: "Label an entry of a session, to find it again",
		details: ['An empty label removes it: `pi-grove label SESSION#ENTRY ""`.'],
		examples: [["label 01a1ff89#c2d5 works so far", "found again with label:works"]],
		exitCodes: [[1, "you did not agree"]],
		options: ["json", "yes"],
	},
	forward: {
		group: "Change",
		words: { usage: "SESSION", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Have pi go on from the end of a session again, where a name or a label has moved that",
		details: [
			"pi goes on from the last line of a session, whatever it is. A name or a label that was added by a window that knew only the beginning of the conversation makes it go on from there, and the rest is hidden: the list says so, `is:rewound` finds such sessions, and `doctor` reports them. One line is added, which `undo` takes back.",
			"A session that was taken back on purpose with pi's `/tree` and then named looks just the same, so check before you agree.",
		],
		examples: [["forward 01a1ff89", "after asking"]],
		exitCodes: [[1, "it goes on from its end already, or you did not agree"]],
		options: ["json", "yes"],
	},
	branch: {
		group: "Change",
		words: { usage: "SESSION#ENTRY", kinds: ["session"], least: 1, most: 1, missing: "an entry" },
		description: "Copy a session up to an entry into a new one, and print where it is",
		details: ["The new session is beside the old one, which stays as it is."],
		examples: [["branch 01a1ff89#c2d5 --yes", "prints the path of the new session"]],
		exitCodes: [[1, "you did not agree"]],
		options: ["json", "yes"],
	},
	fork: {
		group: "Change",
		words: { usage: "SESSION", kinds: ["session"], least: 1, most: 1, missing: "a session" },
		description: "Copy a whole session into a new one, here or for another project, and print where it is",
		details: ["The new session is of the same project, or of the one in `--to`; the old one stays as it is."],
		examples: [["fork 01a1ff89 --to .", "to go on with it in this directory"]],
		exitCodes: [[1, "you did not agree"]],
		options: ["json", "to", "yes"],
	},
	delete: {
		group: "Change",
		words: { usage: "SESSION…", kinds: ["session"], least: 1, missing: "a session" },
		description: "Move sessions to the trash, from which they can be restored",
		details: [
			"Sessions that are in use are left where they are. What may be in use, because a pi runs in its directory, is deleted only where a person agrees to that at a terminal; with `--yes` it stays.",
			"`undo` and `restore` bring them back.",
		],
		examples: [["delete 01a1ff89 01a1c700", "both, as one step for undo"]],
		exitCodes: [[1, "you did not agree"]],
		options: ["json", "yes"],
	},
	restore: {
		group: "Change",
		words: { usage: "[SESSION…]", kinds: ["text"], least: 0 },
		description: "Bring sessions back from the trash, or list what is in it",
		details: [
			"Without words it prints what is there. A SESSION is the id of a session in the trash, the beginning of one, or the path that the file had or has in the trash. A file that is in its place by now is never replaced.",
		],
		examples: [
			["restore", "what is in the trash"],
			["restore 01a1ff89", "back to where it was"],
		],
		exitCodes: [[1, "you did not agree, or there is nothing in the trash"]],
		options: ["json", "limit", "yes"],
	},
	undo: {
		group: "Change",
		words: { usage: "[CHANGE]", kinds: ["text"], least: 0, most: 1 },
		description: "Take back the last change, of any window, or one of the history",
		details: [
			"What was done to several sessions at once is one step. A CHANGE is an id of `pi-grove history`, or the beginning of one; what depends on it is taken back with it.",
			"It asks first. What somebody else has changed since is taken back only where a person agrees to that at a terminal; with `--yes` it stays.",
		],
		examples: [],
		exitCodes: [[1, "there is nothing to undo, or you did not agree"]],
		options: ["json", "yes"],
	},
	history: {
		group: "Change",
		description: "List what was changed, here and in the browser, newest first",
		details: [
			"A line has the id for `undo`, the time, what was done, and what became of it, if it is not as it was made.",
		],
		examples: [["history --since today", "what was changed today"]],
		exitCodes: [[1, "nothing was changed"]],
		options: ["json", "since", "limit"],
	},
	tidy: {
		group: "Change",
		words: {
			usage: "[KIND]",
			kinds: ["choice"],
			least: 0,
			most: 1,
			choices: ["duplicates", "empty", "tiny", "orphaned", "old"],
		},
		description: "List the sessions that may be deleted, and why; only --delete moves them to the trash",
		details: [
			"A KIND is one of these; without one, all are printed. `duplicates`: all of it stands in another session. `empty`: there is no message. `tiny`: at most one prompt, and no answer. `orphaned`: its directory is gone. `old`: nothing was said for 180 days, or for those of `--days`. A session stands under the first of these that holds.",
			"What is in use, damaged, archived, pinned or tagged is never proposed; what has a name or a label only as a duplicate, since those stand in the other session, too. With `--delete` all that is proposed goes to the trash, as one step for undo.",
		],
		examples: [
			["tidy", "what may be deleted, and why"],
			["tidy empty --delete", "all sessions without a message"],
		],
		exitCodes: [[1, "nothing is proposed, or you did not agree"]],
		options: ["json", "cwd", "days", "delete", "yes"],
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
		description: "Print completions for bash, zsh or fish, with sessions and queries among them",
		details: [
			"For bash, put `source <(pi-grove completions bash)` into `~/.bashrc`; for zsh, `source <(pi-grove completions zsh)` into `~/.zshrc`, behind `compinit`; for fish, run `pi-grove completions fish >~/.config/fish/completions/pi-grove.fish` once, and again after an update.",
			"Sessions are completed by their ids, newest first, with their titles; behind a `#`, the entries of a session by theirs.",
		],
		examples: [["completions bash", "for ~/.bashrc: source <(pi-grove completions bash)"]],
		options: [],
	},
	help: {
		group: "Share and script",
		words: { usage: "[COMMAND|TOPIC]", kinds: ["command"], least: 0, most: 1 },
		description: "Explain a command, with its options and examples, or a topic",
		details: ["Without a word, it prints the first page, which names all commands and topics."],
		examples: [
			["help search", "all about pi-grove search"],
			["help queries", "what can be searched for"],
		],
		options: [],
	},
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;

/** A command with a name. */
export type NamedCommand = Exclude<CommandName, "browse">;

/** The commands with a name, in the order of the help. */
export const NAMED_COMMANDS: readonly NamedCommand[] = COMMAND_GROUPS.flatMap((group) => {
	const names = Object.keys(COMMANDS).filter((name): name is NamedCommand => name !== "browse");
	return names.filter((name) => COMMANDS[name].group === group);
});

/** The options that a command takes, its own first. */
export function optionsOf(command: CommandName): readonly OptionName[] {
	return [...COMMANDS[command].options, ...OPTIONS_OF_ALL];
}

/** The commands that take an option. */
export function commandsWith(option: OptionName): readonly CommandName[] {
	return (Object.keys(COMMANDS) as CommandName[]).filter((command) => optionsOf(command).includes(option));
}

/** A command, or an option, with no more than what all of them have in common. */
export function commandOf(name: CommandName): Command {
	return COMMANDS[name];
}

export function optionOf(name: OptionName): CommandOption {
	return OPTIONS[name];
}
