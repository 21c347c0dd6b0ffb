import { type CallWords, callWords } from "../conversation/call-words.ts";
import { textOf } from "../conversation/fields.ts";
import { head } from "../conversation/row-text.ts";
import type { CallFacts } from "../conversation/tool-call.ts";

/** The title above a call's arguments: the summary of a tool that we know, one line of it, else the tool's name. */
export function callTitle(call: CallFacts, home: string): string {
	if (!TITLE_ARGUMENTS.has(call.name)) return oneLine(call.name || "tool");
	const { verb, argument }: CallWords = callWords(call.name, call.args, { cwd: "", home });
	return oneLine(`${verb} ${argument}`);
}

/** The first line of a text, no longer than a row; it ends with "…" when there is more. */
export function oneLine(text: string): string {
	const beginning = head(text);
	const [first = "", ...rest] = (beginning === text ? text.trimEnd() : `${beginning}\n…`).split("\n", 2);
	return rest.length === 0 ? first : `${first} …`;
}

/** Arguments that the title of a tool that we know shows in full; none of another tool's. */
export function titleShows({ name, args }: CallFacts): ReadonlySet<string> {
	const shown = new Set<string>();
	for (const argument of TITLE_ARGUMENTS.get(name) ?? []) {
		if (argument === "file_path" && textOf(args.path) !== "") continue;
		const value = args[argument];
		if (typeof value === "number" || (typeof value === "string" && head(value) === value && !value.includes("\n"))) {
			shown.add(argument);
		}
	}
	return shown;
}

const PATHS = ["path", "file_path"] as const;

/** pi's own tools, and the arguments that stand in their summaries. */
const TITLE_ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
	["read", [...PATHS, "offset", "limit"]],
	["write", PATHS],
	["edit", PATHS],
	["bash", ["command"]],
	["powershell", ["command"]],
	["grep", [...PATHS, "pattern"]],
	["find", [...PATHS, "pattern"]],
	["ls", PATHS],
	["codemode", ["code"]],
]);
