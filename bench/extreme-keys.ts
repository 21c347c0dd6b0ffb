import { command } from "./screen-terminal.ts";

/** Keys that are pressed one after the other, and whether all that each has begun ends before the next. */
export type KeyRow = readonly [name: string, keys: readonly string[], how?: "let it end"];

const UP = "\x1b[A";
const DOWN = "\x1b[B";
const RIGHT = "\x1b[C";
const LEFT = "\x1b[D";
const PAGE_UP = "\x1b[5~";
const PAGE_DOWN = "\x1b[6~";
const HOME = "\x1b[H";
const END = "\x1b[F";
const ENTER = "\r";
const ESCAPE = "\x1b";
const BACKSPACE = "\x7f";
const MARK = "\x1b[2~";
const MARK_ALL = command("Mark all listed");
const MARK_NONE = command("Unmark all");
const ONLY_MARKED = command("Show only marked");
const REVERSED = "\x13\x1b[F\x1b[A\x1b[A\x1b[A\r";
const NAMED = command("Named only");
const PATHS = command("Show paths");
const ONE_PROJECT = command("Show only this project");
const ALL_BRANCHES = command("Fold or unfold all branches");
const ORDERS = "\x13";
const MOVES = [DOWN, DOWN, UP, PAGE_DOWN, PAGE_UP, END, UP, DOWN, PAGE_UP, HOME] as const;

/** In the list of many sessions. */
export const KEYS_IN_LISTS: readonly KeyRow[] = [
	["moves in the list", MOVES],
	["a letter, and back", ["t", BACKSPACE, "t", "e", "x", BACKSPACE, BACKSPACE, BACKSPACE]],
	["words, moves in what is found", ["w", "h", "a", "t", END, HOME, PAGE_DOWN, ESCAPE], "let it end"],
	["a condition", [..."is:fork", END, HOME, ESCAPE]],
	["a mark", [MARK, MARK, HOME, MARK]],
	[
		"all marks, only those marked, none",
		[MARK_ALL, ONLY_MARKED, END, HOME, ONLY_MARKED, MARK_ALL, MARK_ALL, MARK_NONE],
	],
	["the other way round, and back", [REVERSED, END, HOME, REVERSED]],
	...Array.from({ length: 14 }, (_, at): KeyRow => {
		return [`order ${at + 1}`, [ORDERS, ...Array<string>(at).fill(DOWN), ENTER, END, HOME, REVERSED, REVERSED]];
	}),
	["the first order", [ORDERS, ENTER]],
	["only those with a name, and all", [NAMED, NAMED]],
	["paths, and columns", [PATHS, PATHS]],
	["the commands, looked through and away", ["\x0b", END, HOME, "t", ESCAPE]],
	["scopes", ["\t", "\t", "\t"]],
	["this project, and all", [ONE_PROJECT, END, HOME, ONE_PROJECT]],
	["projects", [command("Show one project"), "p", DOWN, ESCAPE]],
	["the tree, the text, and back", [RIGHT, RIGHT, LEFT, LEFT]],
];

/** In the only session. */
export const KEYS_IN_ONE: readonly KeyRow[] = [
	["into the tree", [RIGHT], "let it end"],
	["moves in the tree", MOVES],
	["a letter in the tree, and back", ["t", "e", END, HOME, BACKSPACE, BACKSPACE], "let it end"],
	["the tree's filters", ["\x0f", END, HOME, "\x0f", "\x0f", "\x0f", "\x0f", "\x0f", "\x04"], "let it end"],
	[
		"to prompts, errors, labels, branches",
		["\x1b[1;3B", "\x1b[1;3A", command("Next error"), command("Next label"), command("Next branch")],
	],
	["all branches opened, and folded", [ALL_BRANCHES, ALL_BRANCHES], "let it end"],
	["the branches of the session", ["\t", END, HOME, ESCAPE], "let it end"],
	["into the text", [END, RIGHT], "let it end"],
	["moves in the text", [...MOVES, "}", "{", "e", "%", "]", "["]],
	["on the whole screen", [RIGHT, ...MOVES, "t", "t", "h", "h", LEFT]],
	["looked for in the text", ["/", "z", "q", ENTER, "n", "N", ESCAPE], "let it end"],
	["back to the list", [LEFT, LEFT], "let it end"],
];

/** Where something is damaged. */
export const KEYS_OF_PROBLEMS: readonly KeyRow[] = page("problems", command("Problems"));

/** Everywhere: the pages. */
export const KEYS_IN_ALL: readonly KeyRow[] = (
	[
		["statistics", "Statistics"],
		["prompts", "Prompts"],
		["commands", "Shell commands"],
		["history", "History"],
		["trash", "Trash"],
		["maintenance", "Maintenance"],
		["directories that are gone", "Directories that are gone"],
		["damage", "Check for damage"],
	] as const
).flatMap(([name, called]) => page(name, command(called)));

function page(name: string, open: string): readonly KeyRow[] {
	return [
		[`${name} opened`, [open]],
		[`${name} complete`, [DOWN], "let it end"],
		[`moves in ${name}`, MOVES],
		[`${name} closed`, [ESCAPE]],
	];
}

const COMMANDS_OF_ALL = [
	...[
		"list --json",
		"list",
		"tidy",
		"standup",
		"stats",
		"search what",
		"search zebra",
		"prompts",
		"commands",
		"doctor",
	],
	...["moved", "blame src/api.ts", "__complete query is:", "__complete session 0"],
];
const COMMANDS_OF_ONE = [
	...["show FILE", "show --json FILE", "show --tree FILE", "show --entry FILE", "show --turn FILE"],
	...[
		"show --markdown --max-chars 8000 FILE",
		"export --out /dev/null FILE",
		"export --html --out - FILE",
		"files FILE",
	],
	...["path FILE", "__complete session FILE#0"],
];

/** Commands in the shell; `inOne`: of one session's file. */
export const SHELL_COMMANDS: readonly { readonly args: (file: string) => readonly string[]; readonly inOne?: true }[] =
	[
		...COMMANDS_OF_ALL.map((command) => ({ args: () => command.split(" ") })),
		...COMMANDS_OF_ONE.map((command) => ({
			args: (file: string) => command.replace("FILE", file).split(" "),
			inOne: true as const,
		})),
		{ args: (file) => ["label", file, "end"], inOne: true },
		{ args: (file) => ["rename", file, "a name"], inOne: true },
	];
