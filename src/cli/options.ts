/** An option of the command line. */
export interface CommandOption {
	/** Long name, without the dashes. */
	readonly name: string;
	readonly short?: string;
	/** What its value is, for the help; without one the option takes no value. */
	readonly value?: string;
	/** Whether the value is a whole number from 1 on. */
	readonly counts?: true;
	readonly description: string;
	/** The commands that take it. */
	readonly commands: readonly CommandName[];
}

/** "browse" is the command that needs no name. */
export type CommandName = "browse" | "list" | "search" | "stats";

/** A command that has a name. */
export interface Command {
	readonly name: Exclude<CommandName, "browse">;
	/** The words that follow it, for the help; without them it takes none. */
	readonly words?: string;
	readonly description: string;
}

/** The commands that have a name, with what they do; none of them needs a terminal. */
export const COMMANDS: readonly Command[] = [
	{ name: "list", description: "Print all sessions, newest activity first" },
	{ name: "search", words: "QUERY…", description: "Print the sessions in which something was said, written or run" },
	{ name: "stats", description: "Print what the sessions cost and weigh, by project, model and month" },
];

const EVERYWHERE: readonly CommandName[] = ["browse", "list", "search", "stats"];

/** All options, in the order of the help. */
export const OPTIONS: readonly CommandOption[] = [
	{
		name: "session-dir",
		value: "DIR",
		description: "Take the sessions directly in DIR, as pi's option of this name",
		commands: EVERYWHERE,
	},
	{ name: "help", short: "h", description: "Print this help", commands: EVERYWHERE },
	{ name: "version", short: "v", description: "Print the version", commands: EVERYWHERE },
	{
		name: "pi",
		value: "COMMAND",
		description: "Resume with COMMAND instead of pi",
		commands: ["browse"],
	},
	{
		name: "demo",
		description: "Show a small built-in collection, copied into a temporary folder",
		commands: ["browse"],
	},
	{
		name: "json",
		description: "Print JSON, with all that is known: an array, for stats an object",
		commands: ["list", "search", "stats"],
	},
	{
		name: "cwd",
		value: "DIR",
		description: "Only the sessions of the project in DIR",
		commands: ["list"],
	},
	{
		name: "limit",
		value: "N",
		counts: true,
		description: "Print the N best results only",
		commands: ["search"],
	},
];
