import { commands, options } from "./options.ts";

/** The answer to --help. */
export function helpText(): string {
	const entries = [
		...commands.map(({ name, description }) => ({ kind: "command", left: name, description })),
		...options.map(({ name, short, value, description, commands: only }) => ({
			kind: only.length > 1 ? "all" : (only[0] ?? "all"),
			left: `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
			description,
		})),
	];
	const width = Math.max(...entries.map(({ left }) => left.length));
	const section = (kind: string): string =>
		entries
			.filter((entry) => entry.kind === kind)
			.map(({ left, description }) => `  ${left.padEnd(width)}  ${description}\n`)
			.join("");
	return `pi-grove shows all sessions of the pi coding agent: find one, read it as a tree, go on with it.

Usage: pi-grove [options]        open the browser; press ? in it for the keys
       pi-grove list [options]   print the sessions

Commands:
${section("command")}
Options:
${section("all")}
Options of the browser:
${section("browse")}
Options of list:
${section("list")}
Environment: PI_CODING_AGENT_DIR and PI_CODING_AGENT_SESSION_DIR tell where the sessions are, as for pi.
`;
}
