import { eachField } from "../entries/fields.ts";
import { rowText } from "../entries/row-text.ts";
import type { Step } from "../entries/step.ts";
import type { CallFacts } from "../entries/tool-call.ts";
import { joinLines, jsonText } from "./json-parts.ts";

const PATHS = ["path", "file_path"] as const;

/** The arguments of pi's own tools that are drawn as what they are: in the title, as a command, or as a diff. */
const DRAWN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
	Object.entries({
		read: [...PATHS, "offset", "limit"],
		write: [...PATHS, "content"],
		edit: [...PATHS, "edits", "oldText", "newText"],
		bash: ["command"],
		powershell: ["command"],
		grep: [...PATHS, "pattern", "glob"],
		find: [...PATHS, "pattern"],
		ls: PATHS,
		codemode: ["code"],
	}).map(([name, drawn]) => [name, new Set<string>(drawn)]),
);

/** The arguments of a call that are not drawn otherwise, or in its title: text as it is, the rest as JSON. */
export function argumentsText({ name, args }: CallFacts, { argument: title }: Pick<Step, "argument">): string {
	const drawn = DRAWN.get(name);
	const isTitle = (value: unknown): boolean => drawn === undefined && value === title && !title.includes("\n");
	const rest = eachField(args).filter(([argument, value]) => drawn?.has(argument) !== true && !isTitle(value));
	return joinLines(
		rest.map(([argument, value]) => `${rowText(argument)}: ${typeof value === "string" ? value : jsonText(value)}`),
	);
}
