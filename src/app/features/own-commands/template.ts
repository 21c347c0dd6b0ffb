/** What a command may name of a session, or of an entry of it. */
const PLACEHOLDERS = ["path", "id", "entry", "cwd", "title"] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

/** The values for one session. */
export type Values = Readonly<Partial<Record<Placeholder, string>>>;

/** A command with placeholders: pieces of the shell's language, and between them what is put in. */
export type Template = readonly (string | { readonly name: Placeholder })[];

/** A script for `sh -c`, and the arguments that it refers to as "${1}", "${2}", …. */
interface ShellCommand {
	readonly script: string;
	readonly args: readonly string[];
}

const NAME = new RegExp(`^\\{(${PLACEHOLDERS.join("|")})\\}`);

/** How the shell reads a position. "code": commands; a "(" within them leads to commands again. */
type Reading = "code" | "double" | "single" | "backticks";

/**
 * Reads a command. A string is the reason why it cannot be used. A placeholder in quotes is refused: in single ones nothing is put
 * in, and double ones usually hold a command for a second shell ("sh -c", "eval", "ssh"), which would run what a title says.
 */
export function parseTemplate(command: string): Template | string {
	const pieces: (string | { readonly name: Placeholder })[] = [];
	const within: Reading[] = ["code"];
	let begin = 0;
	for (let at = 0; at < command.length; at++) {
		const reading = within.at(-1) ?? "code";
		// "${path}" is a variable of the shell.
		const isVariable = command[at - 1] === "$";
		const name = isVariable ? undefined : (NAME.exec(command.slice(at, at + 8))?.[1] as Placeholder | undefined);
		if (name !== undefined) {
			if (reading === "single" || reading === "double")
				return `{${name}} stands in quotes, but is quoted already: take them away, as in {cwd}/build`;
			if (within.includes("backticks")) return `{${name}} stands in backticks: write $(…) in their place`;
			pieces.push(command.slice(begin, at), { name });
			at += name.length + 1;
			begin = at + 1;
			continue;
		}
		at += step(command, at, reading, within);
	}
	return [...pieces, command.slice(begin)];
}

/** Notes what the character at a position begins or ends; returns how many characters behind it are read as well. */
function step(command: string, at: number, reading: Reading, within: Reading[]): number {
	const character = command[at];
	const ends = { code: ")", double: '"', single: "'", backticks: "`" }[reading];
	if (character === "\\" && reading !== "single") return 1;
	if (character === ends) {
		// The outermost commands do not end, nor does a pattern of "case".
		if (within.length > 1) within.pop();
		return 0;
	}
	if (reading === "single") return 0;
	if (character === "`") within.push("backticks");
	else if (character === "$" && command[at + 1] === "(") {
		within.push("code");
		return 1;
	} else if (reading !== "double" && character === "(") within.push("code");
	else if (reading !== "double" && character === "'") within.push("single");
	else if (character === '"') within.push("double");
	return 0;
}

/** The placeholders that a command has. */
export function namesIn(template: Template): ReadonlySet<Placeholder> {
	return new Set(template.flatMap((piece) => (typeof piece === "string" ? [] : [piece.name])));
}

/**
 * The command for these sessions. No value becomes part of the script: it is an argument of the shell, which is never read as
 * commands, whatever is in it. Each placeholder is all values of its name, as words of their own.
 */
export function fillIn(template: Template, sessions: readonly Values[]): ShellCommand {
	const args: string[] = [];
	const references = new Map<Placeholder, readonly string[]>();
	for (const name of namesIn(template)) {
		const first = args.length;
		for (const values of sessions) args.push(harmless(values[name] ?? ""));
		references.set(
			name,
			sessions.map((_, index) => `"\${${first + index + 1}}"`),
		);
	}
	const script = template.map((piece) => {
		if (typeof piece === "string") return piece;
		return references.get(piece.name)?.join(" ") ?? "";
	});
	return { script: script.join(""), args };
}

/** A program would take a value that begins with a dash for an option; an argument cannot have a NUL. */
function harmless(value: string): string {
	const text = value.replaceAll("\0", "");
	return text.startsWith("-") ? ` ${text}` : text;
}
