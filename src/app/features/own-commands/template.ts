import { whySecondShell } from "./second-shell.ts";

/** The placeholders of a command: values of a session or of an entry. */
const PLACEHOLDERS = ["path", "id", "entry", "cwd", "title"] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

export type Values = Readonly<Partial<Record<Placeholder, string>>>;

/** A command with placeholders: pieces of shell source, and the placeholders between them. */
export type Template = readonly (string | { readonly name: Placeholder })[];

/** A script for `sh -c`, and the arguments that it refers to as "${1}", "${2}", …. */
interface ShellCommand {
	readonly script: string;
	readonly args: readonly string[];
}

const ANY_NAME = new RegExp(`(?<!\\$)\\{(${PLACEHOLDERS.join("|")})\\}`);
/** "{name}", but not "${name}" of the shell. */
const BRACES = /(?<!\$)\{([A-Za-z_]+)\}/y;
/** Before braces that mean something to Git ("@{u}"), curl ("%{url}"), tmux ("#{pane}") and others ("{{name}}"). */
const OF_OTHERS = new Set(["@", "%", "#", "{"]);

/** How the shell reads a position. "code": commands; a "(" within them leads to commands again. */
type QuoteKind = "code" | "double" | "single";

/**
 * Reads a command. A string is the reason why it cannot be used: a placeholder must be a word of a command, or a part of one, that this
 * shell alone reads. Where quotes are written in a way that this does not follow, no placeholder is taken.
 */
export function parseTemplate(command: string): Template | string {
	const pieces: (string | { readonly name: Placeholder })[] = [];
	const within: QuoteKind[] = ["code"];
	/** The command without text in single quotes, which the shell does not interpret. */
	let code = "";
	let begin = 0;
	const hasNames = ANY_NAME.test(command);
	for (let at = 0; at < command.length; at++) {
		const reading = within.at(-1) ?? "code";
		BRACES.lastIndex = at;
		const [written, word] = BRACES.exec(command) ?? [];
		const name = PLACEHOLDERS.find((one) => one === word);
		if (written !== undefined && name !== undefined) {
			if (reading !== "code")
				return `${written} stands in quotes: take them away, as in {cwd}/build, or ${adviceFor(name)}`;
			pieces.push(command.slice(begin, at), { name });
			code += written;
			at += written.length - 1;
			begin = at + 1;
			continue;
		}
		const isMeant = reading !== "single" && !OF_OTHERS.has(command[at - 1] ?? "");
		if (written !== undefined && isMeant && !(reading === "double" && command.includes("awk")))
			return `${written} is not known: there are ${PLACEHOLDERS.map((one) => `{${one}}`).join(", ")}; put it in single quotes if it is meant as it stands`;
		const odd = hasNames ? oddAt(command, at, reading) : undefined;
		if (odd !== undefined)
			return `it has ${odd}, in which a value might be read as commands: put that into a script of its own and call it`;
		const length = step(command, at, reading, within);
		const isComment = reading === "code" && command[at] === "#" && length > 1;
		if (!isComment && (reading !== "single" || command[at] === "'")) code += command.slice(at, at + length);
		at += length - 1;
	}
	const why = hasNames ? whySecondShell(code) : undefined;
	if (why !== undefined) return `${why}: ${adviceFor(namesIn(pieces).values().next().value ?? "title")}`;
	return [...pieces, command.slice(begin)];
}

function adviceFor(name: Placeholder): string {
	return `let that shell read the variable "$${variableOf(name)}", in single quotes here`;
}

/** The construct of the shell that begins at a position and whose quotes this reader does not follow, in words. */
function oddAt(command: string, at: number, reading: QuoteKind): string | undefined {
	if (reading === "single") return undefined;
	if (command[at] === "`") return "backticks (write $(…))";
	if (command.startsWith("${", at) && !/^\$\{[\w@*#?!-]+\}/.test(command.slice(at, at + 80)))
		// biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
		return "${…} with more than a name";
	if (reading === "double") return undefined;
	if (command.startsWith("<<", at)) return "a here-document";
	if (command.startsWith("$'", at)) return "$'…'";
	// The ")" of its patterns would end a "$(".
	const isCase = /^case\s/.test(command.slice(at, at + 5)) && !/\w$/.test(command.slice(0, at));
	return isCase && command.includes("$(") ? "case beside $(…)" : undefined;
}

/** Notes what the character at a position begins or ends; returns how many characters are read with it. */
function step(command: string, at: number, reading: QuoteKind, within: QuoteKind[]): number {
	const character = command[at];
	if (character === "\\" && reading !== "single") return 2;
	if (character === { code: ")", double: '"', single: "'" }[reading]) {
		// The outermost commands do not end, nor does a pattern of "case".
		if (within.length > 1) within.pop();
		return 1;
	}
	if (reading === "single") return 1;
	if (command.startsWith("$(", at)) {
		within.push("code");
		return 2;
	}
	if (character === '"') within.push("double");
	if (reading === "double") return 1;
	if (character === "(") within.push("code");
	else if (character === "'") within.push("single");
	else if (character === "#" && /(?:^|[\s;&|(])$/.test(command.slice(0, at)))
		return /^.*/.exec(command.slice(at))?.[0].length ?? 1;
	return 1;
}

export function namesIn(template: Template): ReadonlySet<Placeholder> {
	return new Set(template.flatMap((piece) => (typeof piece === "string" ? [] : [piece.name])));
}

export function variablesIn(command: string): ReadonlySet<Placeholder> {
	return new Set(PLACEHOLDERS.filter((name) => new RegExp(`\\b${variableOf(name)}\\b`).test(command)));
}

/** The variable of the environment that has a value, too. */
function variableOf(name: Placeholder): string {
	return `PI_GROVE_${name.toUpperCase()}`;
}

/**
 * The command for these sessions. No value becomes part of the script: it is an argument of the shell, which is never read as
 * commands, whatever is in it. Each placeholder is all values of its name, as words of their own. Of one session, all values are also
 * variables of the environment.
 */
export function fillIn(template: Template, sessions: readonly Values[]): ShellCommand {
	const args: string[] = [];
	const references = new Map<Placeholder, readonly string[]>();
	const [only] = sessions.length === 1 ? sessions : [];
	const variables = PLACEHOLDERS.filter((name) => only?.[name] !== undefined);
	for (const name of only === undefined ? namesIn(template) : variables) {
		const first = args.length;
		for (const values of sessions) args.push(harmless(values[name] ?? ""));
		references.set(
			name,
			sessions.map((_, index) => `"\${${first + index + 1}}"`),
		);
	}
	const script = template.map((piece) => {
		if (typeof piece === "string") return piece;
		return references.get(piece.name)?.join(" ") ?? '""';
	});
	const exported = variables.map((name) => `${variableOf(name)}=${references.get(name)?.[0]}`);
	return { script: `${exported.length === 0 ? "" : `export ${exported.join(" ")}; `}${script.join("")}`, args };
}

/** A program would take a value that begins with a dash for an option; an argument cannot have a NUL. */
function harmless(value: string): string {
	const text = value.replaceAll("\0", "");
	return text.startsWith("-") ? ` ${text}` : text;
}
