import { printJson } from "../../shared/json.ts";
import { eachField, type Fields, fieldsOf, listOf, numberOf, textOf } from "../../store/format/fields.ts";
import { nestedEnd } from "../../store/format/step-end.ts";
import { nestedCallIn } from "../../store/format/tool-calls.ts";
import { CHANGING_TOOLS, toolChange } from "../../store/format/tool-change.ts";
import { formatCount, formatCounted, formatDuration, formatSize } from "../../ui/text/format.ts";
import { callWords } from "../entries/call-words.ts";
import type { Place } from "../entries/place.ts";
import { joinWords, rowText } from "../entries/row-text.ts";
import type { Step } from "../entries/step.ts";
import type { CallFacts } from "../entries/tool-call.ts";

/** Characters of a value printed as JSON at most: some thousand rows. */
const MAX_JSON = 200_000;
/** Ends what is too large to be shown. */
const CUT = `cut here: ${formatCount(MAX_JSON)} characters of a value are shown`;

/** A value as JSON, "" for none; of a very large one the beginning. */
export function valueText(value: unknown): string {
	if (value === undefined) return "";
	const text = printJson(value, { indent: 2, limit: MAX_JSON + 1 });
	return text.length > MAX_JSON ? `${text.slice(0, MAX_JSON)}\n… ${CUT}` : text;
}

/** Lines below each other; a list of very many is cut. */
function joinLines(lines: Iterable<string>): string {
	let text = "";
	for (const line of lines) {
		if (text.length > MAX_JSON) return `${text}\n… ${CUT}`;
		text += text === "" ? line : `\n${line}`;
	}
	return text;
}

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
	// A change that its tool refuses is drawn nowhere else.
	const isOdd = CHANGING_TOOLS.has(name) && toolChange(name, args) === undefined;
	const drawn = isOdd ? undefined : DRAWN.get(name);
	const isTitle = (value: unknown): boolean => drawn === undefined && value === title && !title.includes("\n");
	const rest = eachField(args).filter(([argument, value]) => drawn?.has(argument) !== true && !isTitle(value));
	return joinLines(
		rest.map(([argument, value]) => `${rowText(argument)}: ${typeof value === "string" ? value : valueText(value)}`),
	);
}

/** What there is to know of a command of the person besides its output and how it ended. */
export function commandFacts({ output, truncated, fullOutputPath, excludeFromContext }: Fields): string {
	const path = rowText(fullOutputPath);
	return [
		textOf(output).trim() === "" ? "(no output)" : "",
		truncated === true ? "the output is truncated" : "",
		path === "" ? "" : `full output: ${path}`,
		excludeFromContext === true ? "the model does not get it (!!)" : "",
	]
		.filter((fact) => fact !== "")
		.join("\n");
}

/** The calls that a tool made to other tools, one on a row: how it ended, the tool, its arguments, how long it took. */
export function nestedCallsText({ calls, complete }: Fields, place: Place): string {
	const all = listOf(calls);
	if (all.length === 0) return "";
	const rows = joinLines(all.values().map((call) => nestedCall(fieldsOf(call), place)));
	const more = complete === false ? "\n(not all was stored)" : "";
	return `${formatCounted(all.length, "call")} of other tools\n${rows}${more}`;
}

/** How a nested call ended that did not succeed: "✗ error", "no match"; "unfinished" is no failure. */
function nestedSign(call: Fields): string {
	const end = nestedEnd(nestedCallIn(call));
	if (end === "failed") return "✗ error";
	return end === "ok" ? rowText(call.status) || "?" : end;
}

function nestedCall(call: Fields, place: Place): string {
	const { status, name, arguments: args, argumentsBytes, durationMs, error } = call;
	const bytes = numberOf(argumentsBytes);
	const ms = numberOf(durationMs);
	const { verb, argument } = callWords(rowText(name), fieldsOf(args), place);
	return joinWords(
		status === "ok" ? "✓" : nestedSign(call),
		verb,
		argument.replaceAll("\n", " ") ||
			(bytes === undefined ? "" : `(${formatSize(bytes)} of arguments were not stored)`),
		ms === undefined ? "" : `· ${formatDuration(ms)}`,
		error === undefined ? "" : `· ${rowText(error)}`,
	);
}
