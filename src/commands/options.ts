/** An option of the command line. */
export interface CommandOption {
	/** Long name, without the dashes. */
	readonly name: string;
	readonly short?: string;
	/** What its value is, for the help; without one the option takes no value. */
	readonly value?: string;
	readonly description: string;
	/** The commands that take it. */
	readonly commands: readonly CommandName[];
}

/** "browse" is the command that needs no name. */
export type CommandName = "browse" | "list";

/** The commands that have a name, with what they do. */
export const commands: readonly { readonly name: Exclude<CommandName, "browse">; readonly description: string }[] = [
	{ name: "list", description: "Print all sessions, newest activity first; needs no terminal" },
];

/** All options, in the order of the help. */
export const options: readonly CommandOption[] = [
	{
		name: "session-dir",
		value: "DIR",
		description: "Take the sessions directly in DIR, as pi's option of this name",
		commands: ["browse", "list"],
	},
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
		description: "Print one JSON array, with all that is known of each session",
		commands: ["list"],
	},
	{
		name: "cwd",
		value: "DIR",
		description: "Only the sessions of the project in DIR",
		commands: ["list"],
	},
	{ name: "help", short: "h", description: "Print this help", commands: ["browse", "list"] },
	{ name: "version", short: "v", description: "Print the version", commands: ["browse", "list"] },
];
