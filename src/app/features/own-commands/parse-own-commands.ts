import type { z } from "zod";
import { elementPlaces, lineOfMistake, printJson } from "../../../shared/json.ts";
import { OUTPUTS, type OwnCommand, SUBJECTS, type Subject } from "./feature.ts";
import { namesIn, parseTemplate } from "./template.ts";

/** The commands of a file, and what of it cannot be used, in sentences that begin with the line. */
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

/** Reads the text of commands.json: a list of objects. What is wrong with one leaves the others. Never throws. */
export function parseOwnCommands(text: string, zod: typeof z): ParsedOwnCommands {
	const json = text.replace(/^\uFEFF/, "");
	let content: unknown;
	try {
		content = JSON.parse(json);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const line = lineOfMistake(json, error);
		return none(`Line ${line} is not JSON: ${reason}. Correct it; until then there are no commands of your own.`);
	}
	if (!Array.isArray(content))
		return none('It must be a list such as [{"name": "Log", "command": "git -C {cwd} log", "output": "page"}].');
	const schema = schemaWith(zod);
	const places = elementPlaces(json);
	const commands: OwnCommand[] = [];
	const problems: string[] = [];
	for (const [index, value] of content.entries()) {
		const { line = 1, fields } = places[index] ?? {};
		const lineOf = (field: unknown): number => fields?.get(String(field)) ?? line;
		const checked = schema.safeParse(value);
		if (!checked.success) {
			const [issue] = checked.error.issues;
			problems.push(`Line ${lineOf(issue?.path[0])}: ${whatIsWrong(issue, value)} This command is left out.`);
			continue;
		}
		const made = commandOf(checked.data, lineOf);
		if ("problem" in made) problems.push(made.problem);
		else if (commands.some(({ name }) => name === made.name))
			problems.push(
				`Line ${lineOf("name")}: an earlier command is called ${printJson(made.name)}. This one is left out.`,
			);
		else commands.push(made);
	}
	return { commands, problems };
}

function none(problem: string): ParsedOwnCommands {
	return { commands: [], problems: [problem] };
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
	const names = namesIn(template);
	const least: Subject = names.has("entry") ? "entry" : names.size > 0 ? "session" : "nothing";
	const subject = on ?? least;
	if (names.has("entry") && subject !== "entry")
		return wrong("on", `{entry} is there only for a command on an entry, and this one is on ${printJson(subject)}`);
	if (subject === "nothing" && names.size > 0)
		return wrong("on", "a command on nothing has no session for its placeholders");
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
			const known = "name, command, on, output, key and synonyms";
			return `there is no field ${issue.keys.map((key) => printJson(key, { limit: 40 })).join(", ")}; there are ${known}.`;
		}
		return `a command is an object with a name and a command, and not ${printJson(value, { limit: 40 })}.`;
	}
	if (issue.code === "invalid_value")
		return `${String(field)} must be ${issue.values.map((each) => printJson(each)).join(", ")}.`;
	if (issue.code === "too_big") return `${String(field)} has more than ${issue.maximum} characters.`;
	return `${String(field)} must be a text that is not empty.`;
}
