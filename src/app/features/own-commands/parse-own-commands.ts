import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { z } from "zod";
import { lineAt, printJson } from "../../../shared/json.ts";
import { type CommandSubject, OUTPUTS, type OwnCommand, SUBJECTS } from "./feature.ts";
import { namesIn, parseTemplate, variablesIn } from "./template.ts";

/** The commands of a file, and its mistakes, in sentences that begin with the line. */
interface ParsedOwnCommands {
	readonly commands: readonly OwnCommand[];
	readonly problems: readonly string[];
}

/** Cells of the longest name: the box of commands is 72 wide. */
const LONGEST_NAME = 50;

const schemaWith = (zod: typeof z) => {
	const text = zod.string().trim().min(1);
	return zod.strictObject({
		name: text.max(LONGEST_NAME),
		synonyms: zod.string().optional(),
		command: text,
		on: zod.enum(SUBJECTS).optional(),
		key: text.optional(),
		output: zod.enum(OUTPUTS).optional(),
	});
};

/** What to do about a mistake in the JSON, by the parser's name for it. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
	CommaExpected: "put a comma before this",
	ColonExpected: "put a colon between the field and its value",
	PropertyNameExpected: "a field in double quotes is missing here",
	ValueExpected: "a value is missing here; texts are in double quotes",
	CloseBraceExpected: "a } is missing",
	CloseBracketExpected: "a ] is missing",
	InvalidSymbol: "put this text in double quotes",
	UnexpectedEndOfString: "a double quote is missing at the end of the text",
	InvalidEscapeCharacter: "write a backslash as two",
	InvalidCharacter: "write a tab in a text as \\t, and the end of a line as \\n",
	EndOfFileExpected: "remove what follows the list",
};

/**
 * Reads the text of commands.json: a list of objects, perhaps with comments and a trailing comma. A mistake in one command
 * does not affect the others. Never throws.
 */
export function parseOwnCommands(text: string, zod: typeof z): ParsedOwnCommands {
	try {
		return parseList(text, zod);
	} catch (error) {
		// The parser is recursive. Nothing that a person writes nests so deeply.
		if (!(error instanceof RangeError)) throw error;
		return { commands: [], problems: ["It nests too deeply to be read. No command of it is used."] };
	}
}

function parseList(text: string, zod: typeof z): ParsedOwnCommands {
	const json = text.replace(/^\uFEFF/, " ");
	// An editor may empty the file before it writes.
	if (json.trim() === "") return { commands: [], problems: [] };
	const mistakes: ParseError[] = [];
	const list = parseTree(json, mistakes, { allowTrailingComma: true });
	const mistakeSentence = ({ error, offset }: ParseError): string =>
		`Line ${lineAt(json, offset)}: ${WHAT_TO_DO[printParseErrorCode(error)] ?? "this is not JSON"}.`;
	if (list?.type !== "array") {
		const [first] = list === undefined ? mistakes : [];
		const what = 'It must be a list such as [{"name": "Log", "command": "git -C {cwd} log", "output": "page"}].';
		return { commands: [], problems: [first === undefined ? what : `${mistakeSentence(first)} ${what}`] };
	}
	const schema = schemaWith(zod);
	const commands: OwnCommand[] = [];
	const problems: string[] = [];
	const { children: elements = [] } = list;
	const isUnclosed = ({ error }: ParseError): boolean => printParseErrorCode(error) === "CloseBraceExpected";
	const elementOf = (mistake: ParseError): Node | undefined =>
		isUnclosed(mistake)
			? elements.at(-1)
			: elements.find(({ offset, length }) => mistake.offset > offset && mistake.offset < offset + length);
	const between = mistakes.find((mistake) => elementOf(mistake) === undefined);
	// The unclosed list is a consequence of the mistake before it.
	if (between !== undefined && !mistakes.some(isUnclosed))
		problems.push(`${mistakeSentence(between)} The commands before and behind it are used.`);
	for (const element of elements) {
		const mistake = mistakes.find((one) => elementOf(one) === element);
		if (mistake !== undefined) {
			problems.push(`${mistakeSentence(mistake)} This command is left out.`);
			continue;
		}
		const value: unknown = getNodeValue(element);
		const line = lineAt(json, element.offset);
		const lineOf = (field: unknown): number => {
			const fields = element.type === "object" ? (element.children ?? []) : [];
			const property = fields.findLast(({ children }) => children?.[0]?.value === field);
			return property === undefined ? line : lineAt(json, property.offset);
		};
		const checked = schema.safeParse(value);
		if (!checked.success) {
			const [issue] = checked.error.issues;
			problems.push(`Line ${lineOf(issue?.path[0])}: ${whatIsWrong(issue, value)} This command is left out.`);
			continue;
		}
		const parsedCommand = commandOf(checked.data, lineOf);
		if ("problem" in parsedCommand) problems.push(parsedCommand.problem);
		else if (commands.some(({ name }) => name === parsedCommand.name))
			problems.push(
				`Line ${lineOf("name")}: an earlier command is called ${printJson(parsedCommand.name)}. This one is left out.`,
			);
		else commands.push(parsedCommand);
	}
	return { commands, problems };
}

type Fields = z.infer<ReturnType<typeof schemaWith>>;

function commandOf(
	{ name, synonyms = "", command, on, key, output = "message" }: Fields,
	lineOf: (field: string) => number,
): OwnCommand | { readonly problem: string } {
	const wrong = (field: string, what: string) => ({
		problem: `Line ${lineOf(field)}: ${what}. ${printJson(name)} is left out.`,
	});
	const template = parseTemplate(command);
	if (typeof template === "string") return wrong("command", template);
	const names = new Set([...namesIn(template), ...variablesIn(command)]);
	const least: CommandSubject = names.has("entry") ? "entry" : names.size > 0 ? "session" : "nothing";
	const subject = on ?? least;
	if (names.has("entry") && subject !== "entry")
		return wrong("on", `the entry is there only for a command on an entry, and this one is on ${printJson(subject)}`);
	if (subject === "nothing" && names.size > 0) return wrong("on", "a command on nothing has no session for its values");
	return {
		name,
		synonyms,
		written: command,
		template,
		on: subject,
		output,
		...(key !== undefined && { key: { written: key, line: lineOf("key") } }),
	};
}

/** What zod found, in a sentence. */
function whatIsWrong(issue: z.core.$ZodIssue | undefined, value: unknown): string {
	const [field] = issue?.path ?? [];
	if (issue === undefined || field === undefined) {
		if (issue?.code === "unrecognized_keys") {
			const fieldNames = "name, command, on, output, key and synonyms";
			return `there is no field ${issue.keys.map((key) => printJson(key, { limit: 40 })).join(", ")}; there are ${fieldNames}.`;
		}
		return `a command is an object with a name and a command, and not ${printJson(value, { limit: 40 })}.`;
	}
	if (issue.code === "invalid_value")
		return `${String(field)} must be ${issue.values.map((each) => printJson(each)).join(", ")}.`;
	if (issue.code === "too_big") return `${String(field)} has more than ${issue.maximum} characters.`;
	return `${String(field)} must be a text that is not empty.`;
}
