/** An option of the command line. */
export interface CommandOption {
	/** Long name, without the dashes. */
	readonly name: string;
	readonly short?: string;
	/** Name of its value in the help; an option without this takes no value. */
	readonly value?: string;
	/** Whether the value must be a whole number, 1 or greater. */
	readonly counts?: true;
	readonly description: string;
	/** The commands that accept it. */
	readonly commands: readonly CommandName[];
}

/** "browse" is the command without a name. */
export type CommandName = "browse" | "list" | "search" | "stats" | "standup" | "doctor";

/** A command with a name. */
export interface Command {
	readonly name: Exclude<CommandName, "browse">;
	/** The words that follow it, for the help; a command without this takes none. */
	readonly words?: string;
	readonly description: string;
}

/** The commands with a name; none of them needs a terminal. */
export const COMMANDS: readonly Command[] = [
	{ name: "list", description: "Print all sessions, newest activity first" },
	{ name: "search", words: "QUERY…", description: "Print the sessions in which something was said, written or run" },
	{ name: "stats", description: "Print what the sessions cost and weigh, by project, model and month" },
	{ name: "standup", description: "Print what was done in all sessions since yesterday, by project, as Markdown" },
	{
		name: "doctor",
		words: "[SESSION…]",
		description: "Print what is damaged or unusual in all sessions, or in these; nothing is changed",
	},
];

const EVERYWHERE: readonly CommandName[] = ["browse", "list", "search", "stats", "standup", "doctor"];

/** Joins names for a sentence: "list, search and stats". Only here is the format created: it takes 10 ms of a start. */
export function enumerate(names: readonly string[]): string {
	return new Intl.ListFormat("en-GB").format(names);
}

/** All options, in the order of the help. */
export const OPTIONS: readonly CommandOption[] = [
	{
		name: "session-dir",
		value: "DIR",
		description: "Use the sessions directly in DIR, like pi's option of this name",
		commands: EVERYWHERE,
	},
	{ name: "help", short: "h", description: "Print this help", commands: EVERYWHERE },
	{ name: "version", short: "v", description: "Print the version", commands: EVERYWHERE },
	{
		name: "pi",
		value: "COMMAND",
		description: 'Resume with COMMAND instead of pi, which may have arguments: "pi --model x"',
		commands: ["browse"],
	},
	{
		name: "leave",
		description: "End when pi starts, with pi's exit code, instead of coming back after it",
		commands: ["browse"],
	},
	{
		name: "demo",
		description: "Show a small built-in collection, copied into a temporary folder",
		commands: ["browse"],
	},
	{
		name: "no-mouse",
		description: "Leave the mouse to the terminal",
		commands: ["browse"],
	},
	{
		name: "json",
		description: "Print JSON with all that is known: an array, or an object for stats",
		commands: ["list", "search", "stats", "standup", "doctor"],
	},
	{
		name: "cwd",
		value: "DIR",
		description: "Only the sessions of the project in DIR",
		commands: ["list", "standup"],
	},
	{
		name: "since",
		value: "DATE",
		description: "Begin with that day instead of yesterday: 2026-11-03, today, monday, 7d, 2w",
		commands: ["standup"],
	},
	{
		name: "repair-to",
		value: "DIR",
		description: "Write repaired copies of damaged sessions into DIR",
		commands: ["doctor"],
	},
	{
		name: "limit",
		value: "N",
		counts: true,
		description: "Print only the N best results",
		commands: ["search"],
	},
];
