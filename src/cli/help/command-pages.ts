import type { CommandName } from "../arguments/command-table.ts";

/** What the help and the manual say of a command beside its line in the table of commands. Loaded when they are wanted. */
export interface CommandPage {
	/** Paragraphs of the manual, as Markdown, which follow the description. */
	readonly details: readonly string[];
	/** Command lines, without "pi-grove", and what each does. */
	readonly examples: readonly (readonly [line: string, what: string])[];
	/** The meanings of its exit codes other than 0 and 2. */
	readonly exitCodes?: readonly (readonly [code: number, meaning: string])[];
}

/** In the order of the table. */
const PAGES: Readonly<Record<CommandName, CommandPage>> = {
	browse: {
		details: [
			"If the first word is a command, it is run. Otherwise, a single word opens the session that it names: `.`, the path of a file (it ends in `.jsonl`, or begins with `/`, `./`, `../` or `~/`), an id, or the beginning of one, of at least four characters and with a digit; `#ENTRY` behind it is where to begin. All other words are a query, typed into the list's filter.",
			"After `--`, no word is taken as a command or an option: `pi-grove -- list` searches for “list”. `--query` takes any text, even one that names a session. Without a terminal, words that are not a command are an error.",
			"The browser needs a terminal. Type to search, move with the arrow keys, resume a session in pi with Enter; `ctrl+k` finds every command by its name. Looking changes nothing, and every change can be undone.",
			"The environment variables `PI_GROVE_PI`, `PI_GROVE_LEAVE=1`, `PI_GROVE_PLAIN=1` and `PI_GROVE_NO_MOUSE=1` are the same as `--pi`, `--leave`, `--plain` and `--no-mouse`. While pi-grove uses the mouse, hold Shift to select text.",
			"`--plain` shows one pane, in rows of words without lines and signs, with numbered menus and the cursor on the selected row. Each key writes the row that is selected then and what has changed, which a screen reader reads; a terminal that takes no escape sequences (`TERM=dumb`) gets these rows one below the other.",
		],
		examples: [
			["", "all sessions"],
			["--query 'is:waiting since:7d'", "sessions of the last week that wait for an answer or stopped midway"],
			["stripe webhook since:7d", "what was said about it in the last week"],
			["01a1ff89", "the tree of the session whose id begins with 01a1ff89"],
			["--last", "the session that was opened last, where it was left"],
		],
	},
	list: {
		details: [
			"On a terminal it prints a table, cut to its width: as much of each id as is unique among all sessions, which other commands take, what the session has cost with its runs, and how many of its steps failed (✗). Otherwise each session is a line of six tab-separated fields: id, path, local time of its last activity, messages, project, title; a title begins with `!` if part of the session is lost.",
			"With a query it lists the sessions in which all of that is, as typed: `search` has the best first, with what was found in them.",
			"Archived sessions are only counted; `--archived` prints only these. Runs of subagents are only counted, too, unless the session that started them is gone; `--runs` prints them among the sessions: on a terminal as ◫ with agent, state and task, otherwise with two more fields on each line, agent and state (`-` for a session).",
			"`--json` answers at once: turns, cost and other numbers that require reading every line of a session are null until the session has been counted. `--counted` waits for them, and shows its progress on a terminal. Without it, a table leaves cost and errors blank where more than 64 MB are not counted yet; the browser counts in the background.",
		],
		examples: [
			["list --cwd .", "the sessions of this project"],
			["list is:reviewed", "the sessions with comments that wait to be sent"],
			["list --since 7d | cut -f 2", "the paths of the sessions of the last week"],
			["list | fzf -d '\\t' --with-nth 3.. --preview 'pi-grove show {1}'", "choose one with another program"],
		],
		exitCodes: [[1, "no session was found for the query"]],
	},
	search: {
		details: [
			"On a terminal each session has two lines, best first: title, SESSION#ENTRY of the best hit, and project; then the matching text. Otherwise it is a line of five tab-separated fields: id, path, entry, title, text. Put `--` before a query that starts with `-`.",
			"If fewer than ten sessions have the words as typed, sessions with other forms of them (`migration` for `migrating`) follow under “also like this”, with the form that was found for each word. Each line then has a sixth field with these forms, `-` if all words are as typed; with `--json` they are in the field `other`. A word in quotes has no other forms.",
			"With `--masked`, everything printed is masked as by `export`, including the matching text; this requires reading each printed session completely.",
		],
		examples: [
			["search '\"rate limit\" role:user since:7d'", "what was asked about it in the last week"],
			["search --place all stripe webhook", "what was said about it, on any of your machines"],
		],
		exitCodes: [
			[1, "everything was searched, and nothing was found"],
			[2, "it failed, or nothing was found and not everything could be searched"],
		],
	},
	prompts: {
		details: [
			'Prompts that were used equally often are in the order of their last use. Copies in forks do not count. QUERY is a query as for `search`: words, `"phrases"` and `re:` match prompts; dates, including that of `--since`, are those of the prompts; `project:` and the like select sessions. Archived sessions are left out unless the query has `is:archived`, and tasks of subagents unless it has `is:run` or `agent:`.',
			"On a terminal each line has the time of the last use, the number of uses, project and text. In a pipe it has five tab-separated fields: SESSION#ENTRY of the last use, time, number of uses, project, text; `--json` has all uses.",
		],
		examples: [
			["prompts refactor --since 7d", "what was asked about refactoring in the last week"],
			["prompts --cwd . --limit 20", "what is asked most in this project"],
		],
		exitCodes: [[1, "nothing was found"]],
	},
	commands: {
		details: [
			"It lists commands typed by the person (`!`) and run by the model, ordered and searched as with `prompts`. Exit code and duration are those of the last use.",
			"In a pipe each line has seven tab-separated fields: SESSION#ENTRY of the last use, time, number of uses, exit code (or how it ended without one, or `-`), duration in milliseconds, project, text.",
		],
		examples: [["commands docker --json", "all uses of commands with docker, with exit code and duration"]],
		exitCodes: [[1, "nothing was found"]],
	},
	stats: {
		details: [
			"With SESSIONs, ids or paths, it sums up only these. Anything else is a query as for `search`: it sums up the sessions that are found as typed, with all of their runs, as the header of the browser does for its list.",
			"The time is that of the model and its tools; that of a run is part of the time of the session that started it.",
			"With `--since` it counts the whole cost of the sessions that were active since then, not only what they cost since; with `--on` only what was spent then.",
			"The cost of a run of a subagent counts once: the cost in its own session, or the cost that the session that started it reports, whichever is greater.",
			"With `--place` each place counts its own sessions, by its own time zone. A session that is in two places counts in the one that `list` shows. Several places get a table of their own, with `--json` in `places`.",
		],
		examples: [
			["stats --cwd .", "what this project has cost"],
			["stats --on this-month", "which project has cost most this month"],
			["stats stripe since:7d", "the sessions of the last week in which something was said about it"],
			["stats --place all --since 30d", "the last month, on all of your machines"],
		],
	},
	blame: {
		details: [
			"`FILE:LINE` is one line, `FILE:FROM-TO` a range, `FILE` all of it. `exact`: this edit or command put the line there, and it has stayed since. `candidates`: what may have written it, and why that is uncertain. `unknown`: no session is known to have written it.",
			"The lines are followed through all that sessions, commits and the disk show of the file, in all worktrees and under all names that it had.",
			"The notes of git-ai (`refs/notes/ai`) and trailers `…-Session` decide where several sessions may have written a line; `--json` has the `source`. [Who wrote a line](files.md#who-wrote-a-line) has snippets for Neovim and Helix.",
			"On a terminal, one line is answered in full, several as a table. Otherwise each line has five tab-separated fields: number, answer, commit, addresses (`session#entry`, separated by commas), text; `-` for none. Lines that a subagent wrote are attributed to its own session; `--json` has the session that started it in `askedBy`.",
		],
		examples: [
			["blame src/parser.ts:120", "who wrote line 120, and why"],
			["blame src/parser.ts --json", "all lines, with all that is known"],
			["blame --porcelain src/parser.ts:120", "the same for an editor, as Git prints it"],
		],
		exitCodes: [[1, "all lines are unknown"]],
	},
	files: {
		details: [
			"Without a SESSION, it lists each file once, by absolute path, the last edited first. A file counts if pi's `edit` or `write` succeeded on it; changes by shell commands are not tracked. `--since` also leaves out earlier edits. An edit that a fork has copied counts in the session in which it was made.",
			"With a SESSION, it lists what was changed on all of its branches; with `SESSION#ENTRY`, what was changed on the path to that entry.",
			"On a terminal it prints a table. Otherwise each file is a line of tab-separated fields: path, with a SESSION the lines added and removed as in `diff` (`-` if only a branch that was left changed it), edits, without one the number of sessions, then local time and address (`session#entry`; with a SESSION only the entry) of the last edit.",
		],
		examples: [
			["files --since 7d", "what was edited in the last week, by any session"],
			["files .", "what the newest session of this directory changed"],
		],
		exitCodes: [[1, "no file was edited"]],
	},
	diff: {
		details: [
			"It compares each file that the active branch changed, by pi's tools or by a plain command such as `mv`, before the first change and at the end. What others changed meanwhile is included, and said. `SESSION#FROM` is only what came after that entry, `SESSION#FROM..TO` up to another one. FILEs are files or directories. `--runs` says above each file who changed it.",
			"Standard error says how sure a file is, unless it is exact: `likely` with the reason; `edit by edit` if its text before or after is not known. Then each edit is a patch of its own. The last line names commands that may have changed more. [What was in a file](files.md) explains all this.",
			"On a terminal the patch is colored, in a pager (`GIT_PAGER`, `core.pager`, delta, or as for `show`). In a pipe its paths begin at the top of the Git repository, else at the session's directory. It has renames and modes. Files outside, and Git's own, are only named on standard error. `--stat` prints a line for each file: in a pipe with five tab-separated fields: path, lines added, lines removed, `exact`, `likely` or `edits`, turns. `--json` has for each file both texts and its former name (or `null`), the answer, the reason, the edits and the patch.",
			"With `--uncommitted` it is the difference between HEAD and the disk now: of a SESSION only the lines that it wrote or removed, with `--by-hand` only those that no session did. Comments name session and turn.",
		],
		examples: [
			["diff .", "what the newest session of this directory changed"],
			["diff . --turn --stat", "the files that its last turn changed"],
			["diff 01a1ff89 src | git apply -R", "take back what a session changed below src"],
			["diff 01a1ff89#5bc21ad0..91ac20fe", "what was changed between two entries"],
			["diff --uncommitted --stat", "who changed what is not committed yet"],
			["diff --uncommitted . | git apply --cached -R", "unstage what the newest session changed"],
		],
		exitCodes: [[1, "no file was changed"]],
	},
	show: {
		details: [
			"Without an entry it prints the active branch; with one, from that entry to the end of its branch. `--turn` and `--entry` without `#ENTRY` print the last turn and the last entry; an answer is printed with the results of its tool calls. On a terminal, standard error says how much is on other branches, and how many places are folded.",
			"On a terminal the output goes through a pager: `PAGER`, or `less -R` if it is installed. As with git, an empty `PAGER` or `cat` disables the pager, and unless `LESS` is set, less exits at once if everything fits on the screen.",
			"The text is as wide as the terminal, or 100 columns. `--markdown` prints what the browser saves, from the first prompt on; `--full` adds the system prompt. `--html` prints the page that `export` writes, masked in the same way. `--json` prints one object with the facts of the session, and all entries as they are in the file, each with its line, its label and whether it is active. `--tree` puts the beginning of each entry's id in front of it, for `SESSION#ENTRY`.",
			"`--digest` prints what the session comes to, without a model: the prompts, the files and lines of `diff`, and the files that only branches that were left edited, the last step that failed and whether the same one succeeded later, the last answer, and what is open: a question or an aborted turn at the end, unchecked boxes and TODOs in the last answer. Each row ends with the id of its entry, for `SESSION#ENTRY`. With `--markdown` it can begin another session; `--max-chars` then leaves out the middle of long lists. `--json` has the same in `digest`.",
			"`--runs` lists the runs of subagents that the session has started, and below each run its own runs: agent, state, duration, answers of its model, cost without its own runs, session, task. In a file or a pipe each run is a line of ten tab-separated fields: level (0, 1, …), agent, state (`done`, `failed`, `stopped`, `timed out`, `turn limit`, `interrupted`, `running`, `queued`), local time of its start, duration in milliseconds, answers, cost in dollars, id and path of its session, task; `-` for none. `--json` also has the session that started the run (`parent`), the `entryId` of the call there, and whether the session of the run is `gone`.",
			"`--file FILE` prints what a file contained when an entry was written (`--at`, or `#ENTRY`), as far as sessions, commits and the disk show it; in a file or a pipe byte for byte. Standard error says how sure that is, and what shows it: `exact`; `likely`, with the reason; or `unknown`. Then the known edits are shown as diffs instead, on a terminal or else on standard error. `--json` has the `text` (or `null`), and these edits in `known`. [What was in a file](files.md) explains the answers.",
			"If `--max-chars` cuts a text, the last line has the address of the rest, `SESSION#ENTRY@OFFSET`: with the same options, it continues with the next character. OFFSET counts UTF-16 units of the entry's text as printed, masks included; with `--turn`, `--branch` and `--entry` those of everything that they print. Without `--markdown` only whole rows are printed, at least one. `--markdown --json` prints one object with the Markdown in `text`, and in `next` the entry, the offset and the address of the rest, or null.",
			"With `--masked`, everything printed is masked as by `export`. With `--cwd`, sessions of other projects are not printed, and files in other places or outside of the session directories are not opened.",
			"Nothing is changed. A large session is held in memory as the bytes of its file; above 256 MB, only the positions of its entries and the entries that are being printed.",
		],
		examples: [
			["show . --turn", "the last prompt in this directory, and everything after it"],
			["show 01a1ff89 --digest", "what was asked, what came of it, and what is open"],
			["show 01a1ff89 --tree", "the tree of a session, with the ids of its entries"],
			["show 01a1ff89#5bc21ad0 --markdown --max-chars 8000", "the conversation from an entry on"],
			["show . --full", "all of it"],
			["show . --runs", "what its subagents did, and where their sessions are"],
			["show 01a1ff89#5bc21ad0 --file src/parser.ts > old.ts", "a file as it was then"],
		],
		exitCodes: [
			[1, "the file's text is not known, there are no runs, or the session belongs to another project than `--cwd`"],
		],
	},
	review: {
		details: [
			'Comments are written in the browser, with `c`, on lines of what a session changed or said. Each is printed with its line where that is now, those around it, and the turn that wrote it. `list is:reviewed` lists the sessions whose comments wait; `pi --session "$(pi-grove path .)" "$(pi-grove review .)"` sends them.',
		],
		examples: [["review .", "the comments that wait in the newest session here"]],
		exitCodes: [[1, "there are none"]],
	},
	path: {
		details: [
			"The path is printed unchanged, for another program; only the existence of the file is checked. `--json` prints the session.",
			"For a session on another machine (`NAME:SESSION`, see `places`) it is `HOST:/path`, as for scp.",
		],
		examples: [["path .", "the path of the newest session of this directory"]],
	},
	standup: {
		details: [],
		examples: [["standup --since monday", "this week"]],
	},
	pick: {
		details: [
			"The browser is drawn on the terminal even if another program reads stdout; only the choice is printed there (or to the descriptor of `--fd`): the path, or with `--json` the session and the `entryId` of the entry, which is null if the session itself was chosen.",
			'`pi --session "$(pi-grove pick)"` resumes it in pi; `s=$(pi-grove pick) && pi --session "$s"` does not start pi if nothing was chosen.',
			"Enter asks nothing and writes nothing. On an entry other than the last it chooses the session, and with `--json` also the entry; if a running pi has the session open, a line on stderr says so.",
		],
		examples: [
			["pick", "the path of the chosen session"],
			["pick --json --cwd . is:named", "a session of this directory that has a name, or an entry of it"],
		],
		exitCodes: [[130, "nothing was chosen"]],
	},
	export: {
		details: [
			"It saves the active branch, or the path to an entry (`SESSION#ENTRY`), in a file named after the session, in this directory or in that of `--out`, and prints its path. Existing files are never overwritten: the new file gets a number.",
			"The Markdown can be put into an issue: what tools returned is folded, and stderr says if it is longer than GitHub accepts. With `--html`, or if the name in `--out` ends in `.html`, it saves one page with tree, conversation and the diffs of each file, which needs no network and runs nothing from the session. `page.html#ENTRY` leads to an entry there, also when it is saved again. With `--runs` the pages of a session and its runs link to each other.",
			"Whatever looks like a key, a token, a password, a mail address, a home directory or its user’s name is listed on stderr first and masked in the file, unless `--allow` names its kind. It is recognized by its form, and then masked wherever it occurs; so are the secrets in the `.env` files of the session's directory, if that is on this machine. Read a file before you share it. Images are not searched.",
		],
		examples: [
			["export . --html", "a page of the newest session of this directory"],
			["export 01a1ff89 --all --out notes/ --allow mail,home", "all branches as Markdown, into a directory"],
			["export 01a1ff89 --runs --out notes/", "the session and the runs of its subagents, a file each"],
			["export . --html --out - | ssh host 'cat >page.html'", "to another program"],
		],
	},
	doctor: {
		details: [
			"With `--repair-to` it writes repaired copies, one for each session in a file, each with an id of its own, and says what they lack; no other file is changed. With `--repair` the copies replace the damaged sessions, which go to the trash; `undo` reverts this as one change.",
		],
		examples: [
			["doctor --repair", "repair all damaged sessions in place, after asking"],
			["doctor --repair-to /tmp/repaired", "write repaired copies of all damaged sessions"],
		],
		exitCodes: [[1, "something is damaged"]],
	},
	resume: {
		details: [
			"With an entry, one line is appended to the session, so that pi continues from there; with a prompt, pi continues before it, and its text is put on the clipboard. It asks first if a running pi seems to have the session open, if its directory is gone, if it is archived, or if pi cannot resume it.",
			"A session of another machine (`NAME:SESSION`, see `places`) is resumed there, by the pi-grove and the pi of that machine, in this terminal.",
			"The exit code is that of pi.",
		],
		examples: [
			["resume .", "the newest session of this directory"],
			['resume 01a1ff89#c2d5 --pi "pi --model opus"', "from an entry, with another model"],
		],
	},
	rename: {
		details: ['An empty name clears the name: `pi-grove rename SESSION ""`.'],
		examples: [['rename . "Import parser"', "the newest session of this directory"]],
		exitCodes: [[1, "you declined"]],
	},
	label: {
		details: ['An empty label removes the label: `pi-grove label SESSION#ENTRY ""`.'],
		examples: [["label 01a1ff89#c2d5 works so far", "found again with label:works"]],
		exitCodes: [[1, "you declined"]],
	},
	forward: {
		details: [
			"pi continues from the last line of a session, whatever it is. If a window that had read only the beginning of the conversation has added a name or a label, pi continues from there and hides the rest: the list says so, `is:rewound` finds such sessions, and `doctor` reports them. This command appends one line, which `undo` reverts.",
			"A session that was rewound on purpose with pi's `/tree` and then named looks the same, so check before you agree.",
		],
		examples: [["forward 01a1ff89", "after asking"]],
		exitCodes: [[1, "it already continues from its end, or you declined"]],
	},
	branch: {
		details: ["The new session is next to the old one, which is not changed."],
		examples: [["branch 01a1ff89#c2d5 --yes", "prints the path of the new session"]],
		exitCodes: [[1, "you declined"]],
	},
	fork: {
		details: ["The new session belongs to the same project, or to the one in `--to`; the old one is not changed."],
		examples: [["fork 01a1ff89 --to .", "a copy for this directory"]],
		exitCodes: [[1, "you declined"]],
	},
	move: {
		details: [
			"Sessions of directories below OLD go to the corresponding directories below NEW. NEW must exist, OLD need not, and may be of another system: `C:\\work\\api`. Sessions that are in use, that pi cannot open, or that already have a fork there are left out and counted. `undo` reverts the whole move as one change.",
			"The runs of subagents stay with the originals, in the archive.",
		],
		examples: [["move ~/work/api ~/code/api", "after a `mv` of the project, asking first"]],
		exitCodes: [[1, "there are no sessions of OLD, or you declined"]],
	},
	checkout: {
		details: [
			"In a Git repository it makes a new worktree beside it, on the commit that was checked out then: by the reflog, else the newest one of the branch before that time. Elsewhere the directory is empty at first. Upon it comes each file that the commit does not have as it was then. All of it is made, or nothing; the session's own directory is never touched. Without `#ENTRY` it is the end of the session.",
			"It first prints each file as `exact` (with what shows it), `likely` (with what may be wrong) or `unknown` (left as the commit has it, or left out) and the commands that may have changed more; then it asks: go on in a new session there, open a shell there, or nothing more. `--yes` only makes it; `--dry-run` only prints, in a pipe three tab-separated fields for each file: answer, file, why.",
			"Nothing is written outside of the new directory, not through links either. `undo` removes the directory again, with the new session, unless something in it was changed since or said in that session.",
			"For a session of another machine (`NAME:SESSION`, see `places`), and where the directory is gone, `--repo` names a clone of the same repository.",
		],
		examples: [
			["checkout 01a1ff89#5bc21ad0 --dry-run", "how much is known of the files at that time"],
			["checkout 01a1ff89#5bc21ad0 --into /tmp/then", "the files, in a new directory"],
			["checkout . --yes", "the files at the end of the newest session here; prints the directory"],
		],
		exitCodes: [[1, "you declined"]],
	},
	revert: {
		details: [
			"As `git revert` would without the commit: a file that is as the session left it becomes what it was before; where something else changed it since, each hunk is taken back whose lines are there in one place. What was created goes to the trash, what was removed comes back, what was moved moves back. Nothing else is touched: not the index, not HEAD, nothing in `.git`, nothing outside of the directory or behind a link that leads out. `SESSION#FROM..TO`, `--turn` and FILEs are those of `diff`.",
			"It first prints what becomes of each file. If something does not fit, nothing is done without `--partly`. All files are changed or none; one `undo` brings every byte back, unless a file was changed since. What commands may have changed beside is named, and stays.",
			"`--repo` names another worktree or clone of the repository. In a pipe, `--dry-run` prints four tab-separated fields for each file: what becomes of it, `exact`, `likely` or `edits`, path, why.",
		],
		examples: [
			["revert . --turn", "take back what the last turn of the newest session here changed"],
			["revert 01a1ff89 src/auth --dry-run", "what would become of these files"],
			["revert 01a1ff89 --hunk src/auth.ts:40", "take back one hunk"],
		],
		exitCodes: [[1, "there is nothing to take back, or you declined"]],
	},
	apply: {
		details: [
			"The other way of `revert`, with the same preview, refusals and undo: for a session that was reverted, a branch that was left (`SESSION#FROM..TO`), a run of a subagent, or a session of another worktree or clone (`--repo`). What is there already is not put there twice.",
		],
		examples: [
			["apply 01a1ff89#5bc21ad0..91ac20fe", "put what a branch that was left had changed here"],
			["apply 01a1ff89 --repo ~/work/other", "into another worktree or clone"],
		],
		exitCodes: [[1, "all of it is there, or you declined"]],
	},
	bring: {
		details: [
			"The copy has all branches, names and labels of the original, a new id, and its origin in the header; the original is not changed. It belongs to the same directory, with the home directory of this machine instead of the other one, or to the directory in `--to`, which is required if there is no such directory here.",
			"Later lines of the original and the sessions of its subagents are not copied. Undo moves the copy to the trash, unless it has been continued here.",
		],
		examples: [
			["bring mini:01a1ff89", "to continue a session of the machine mini here (see `places`)"],
			["bring mini:01a1ff89 --to .", "for this directory"],
		],
		exitCodes: [[1, "you declined"]],
	},
	delete: {
		details: [
			"Sessions in use are not deleted. Those that may be in use, because a pi runs in their directory, are deleted only if a person agrees to that at a terminal; with `--yes` they stay.",
			"The runs of subagents stay in the list on their own, unless `--runs` takes them along.",
			"`undo` and `restore` bring them back.",
		],
		examples: [["delete 01a1ff89 01a1c700", "both, as one undo step"]],
		exitCodes: [[1, "you declined"]],
	},
	restore: {
		details: [
			"Without words it lists the trash; in a pipe, each session is a line of five tab-separated fields: id, the path that it had, local time of its deletion, bytes, title. A SESSION is the id of a session in the trash, the beginning of one, or the path that the file had before or has in the trash. A new file at the old path is never replaced.",
		],
		examples: [
			["restore", "lists what is in the trash"],
			["restore 01a1ff89", "restores a session to where it was"],
		],
		exitCodes: [[1, "you declined, or there is nothing in the trash"]],
	},
	undo: {
		details: [
			"A change of several sessions at once is one step. A CHANGE is an id from `pi-grove history`, or the beginning of one; changes that depend on it must be undone first.",
			"It asks first. If something else has changed the session since, the change is undone only if a person agrees at a terminal, never with `--yes`.",
		],
		examples: [],
		exitCodes: [[1, "there is nothing to undo, or you declined"]],
	},
	history: {
		details: [
			"Each line has the id for `undo`, the time, what was done, and its status, if it is no longer in effect; these are also the tab-separated fields that another program gets. With `--json`, each change has its `session`.",
		],
		examples: [["history --since today", "today's changes"]],
		exitCodes: [[1, "nothing was changed"]],
	},
	tidy: {
		details: [
			"A KIND is one of these; without one, all are listed. `empty`: it has no message. `tiny`: it has at most one prompt, and no answer. `orphaned`: its directory is gone. A session is listed under the first kind that applies.",
			"On a terminal it prints a table by KIND. Otherwise each session is a line of five tab-separated fields: kind, id, path, bytes, title.",
			"Sessions that are in use, damaged, archived, pinned or tagged, or have a name or a label, are never listed. `--delete` moves all listed sessions to the trash, as one undo step.",
		],
		examples: [
			["tidy", "what may be deleted, and why"],
			["tidy empty --delete", "delete all sessions without a message"],
		],
		exitCodes: [[1, "there is nothing to delete, or you declined"]],
	},
	places: {
		details: [
			"VERB is `list` (the default), `add`, `remove` or `check`. `check` connects to all places, or to one, and reports what is there, or why the place cannot be reached. Adding a place with an existing name replaces it.",
			"`--place NAME` lists, searches and sums up the sessions of a place; `--place all` those of all places and of this machine. A session of a place is called `NAME:/path`, `NAME:ID` or `NAME:BEGINNING`; `show`, `export`, `files`, `doctor` and `path` accept such names, and so does `resume` for a machine. All other commands work only on sessions here: nothing is changed in a place.",
			"A machine needs pi-grove, and ssh without a password prompt; it lists and searches its own files with the commands of this program (`pi-grove serve --stdio`).",
			'Places are stored in `places.json` in `$XDG_CONFIG_HOME/pi-grove`, usually `~/.config/pi-grove`: a list of `{ "name", "dir" }` and `{ "name", "ssh", "command" }`, with comments.',
		],
		examples: [
			["places add mini --ssh ada@mini.local", "a machine"],
			["places add old --dir /mnt/backup/.pi/agent", "a mirror of another agent directory"],
			["places check", "which of them answer, and what is there"],
		],
		exitCodes: [[1, "a place cannot be reached"]],
	},
	serve: {
		details: [
			"It is started over ssh, answers lines of JSON from stdin on stdout until its input ends, and listens on no port. It runs only commands that read listed sessions: `list`, `search`, `show`, `stats` and `files`. [docs/machines.md](machines.md) describes the lines.",
		],
		examples: [["serve --stdio", "what `ssh HOST pi-grove serve --stdio` runs"]],
	},
	completions: {
		details: [
			"For bash, put `source <(pi-grove completions bash)` into `~/.bashrc`; for zsh, `source <(pi-grove completions zsh)` into `~/.zshrc`, after `compinit`; for fish, run `pi-grove completions fish >~/.config/fish/completions/pi-grove.fish` once.",
			"Sessions are completed by id, newest first, and listed with their titles; after a `#`, the entries of a session by their ids.",
		],
		examples: [["completions bash", "for ~/.bashrc: source <(pi-grove completions bash)"]],
	},
	help: {
		details: ["Without a word, it prints the first page, which explains the commands used daily and names the others."],
		examples: [
			["help --all", "explains each command in one line"],
			["help search", "explains pi-grove search"],
			["help queries", "explains the language of queries"],
		],
	},
};

export function helpPageOf(name: CommandName): CommandPage {
	return PAGES[name];
}
