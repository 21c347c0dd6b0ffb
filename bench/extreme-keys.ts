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
const MARK_ALL = "\x1bu";
const MARK_NONE = "\x1bU";
const ORDERS = "\x13";
const MOVES = [DOWN, DOWN, UP, PAGE_DOWN, PAGE_UP, END, UP, DOWN, PAGE_UP, HOME] as const;

/** In the list of many sessions. */
export const KEYS_IN_LISTS: readonly KeyRow[] = [
	["moves in the list", MOVES],
	["a letter, and back", ["t", BACKSPACE, "t", "e", "x", BACKSPACE, BACKSPACE, BACKSPACE]],
	["words, moves in what is found", ["w", "h", "a", "t", END, HOME, PAGE_DOWN, ESCAPE], "let it end"],
	["a condition", [..."is:fork", END, HOME, ESCAPE]],
	["a mark", [MARK, MARK, HOME, MARK]],
	["all marks, only those marked, none", [MARK_ALL, "\x1bs", END, HOME, "\x1bs", MARK_ALL, MARK_ALL, MARK_NONE]],
	["the other way round, and back", ["\x1br", END, HOME, "\x1br"]],
	...Array.from({ length: 14 }, (_, at): KeyRow => {
		return [`order ${at + 1}`, [ORDERS, ...Array<string>(at).fill(DOWN), ENTER, END, HOME, "\x1br", "\x1br"]];
	}),
	["the first order", [ORDERS, ENTER]],
	["only those with a name, and all", ["\x0e", "\x0e"]],
	["paths, and columns", ["\x10", "\x10"]],
	["sections hidden, and shown", ["\x1bt", "\x1bt"]],
	["scopes", ["\t", "\t", "\t"]],
	["this project, and all", ["\x1bp", END, HOME, "\x1bp"]],
	["projects", ["\x1bo", "p", DOWN, ESCAPE]],
	["columns", ["\x1bw", DOWN, ESCAPE]],
	["the tree, the text, and back", [RIGHT, RIGHT, LEFT, LEFT]],
	["compared with the disk", ["\x0c"], "let it end"],
];

/** In the only session. */
export const KEYS_IN_ONE: readonly KeyRow[] = [
	["into the tree", [RIGHT], "let it end"],
	["moves in the tree", MOVES],
	["a letter in the tree, and back", ["t", "e", END, HOME, BACKSPACE, BACKSPACE], "let it end"],
	["the tree's filters", ["\x0f", END, HOME, "\x0f", "\x0f", "\x0f", "\x0f", "\x0f", "\x04"], "let it end"],
	["to prompts, errors, labels, branches", ["\x1b[1;3B", "\x1b[1;3A", "\x1be", "\x1bm", "\x1bM", "\x1bj", "\x1bk"]],
	["all branches opened, and folded", ["\x1bu", "\x1bu"], "let it end"],
	["the branches of the session", ["\x1by", END, HOME, ESCAPE], "let it end"],
	["into the text", [END, RIGHT], "let it end"],
	["moves in the text", [...MOVES, "}", "{", "e", "%", "]", "["]],
	["on the whole screen", ["\x06", ...MOVES, "t", "t", "h", "h", "\x06"]],
	["looked for in the text", ["/", "z", "q", ENTER, "n", "N", ESCAPE], "let it end"],
	["back to the list", [LEFT, LEFT], "let it end"],
];

/** Where something is damaged. */
export const KEYS_OF_PROBLEMS: readonly KeyRow[] = page("problems", "\x1b!", ESCAPE);

/** Everywhere: the pages. */
export const KEYS_IN_ALL: readonly KeyRow[] = (
	[
		["statistics", "\x14"],
		["prompts", "\x1b'", ESCAPE],
		["commands", "\x1b$", ESCAPE],
		["history", "\x1bOR"],
		["trash", "\x1b[21~"],
		["tidy", "\x1bc"],
		["moved projects", "\x1be"],
		["doctor", "\x1bk"],
	] as const
).flatMap(([name, open, close = open]) => page(name, open, close));

function page(name: string, open: string, close: string): readonly KeyRow[] {
	return [
		[`${name} opened`, [open]],
		[`${name} complete`, [DOWN], "let it end"],
		[`moves in ${name}`, MOVES],
		[`${name} closed`, [close]],
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
