/** Commands that are of use to many, for the help and the documentation. */
export const EXAMPLES = [
	{
		what: "the last changes in the directory of the session, as a page",
		command: { name: "Git log", command: "git -C {cwd} log --stat -20", output: "page" },
	},
	{
		what: "the address of the entry, as other commands take it, on the clipboard",
		command: { name: "Address", command: "printf %s {id}#{entry}", output: "clipboard" },
	},
	{
		what: "a copy of all marked sessions in a directory, with a key",
		command: { name: "Keep", command: "cp {path} ~/kept", on: "marked", key: "alt+f5" },
	},
] as const;
