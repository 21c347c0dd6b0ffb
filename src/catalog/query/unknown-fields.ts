import { nearest } from "../../shared/nearest.ts";
import { fieldsBeginning } from "./field-names.ts";
import { FIELDS } from "./fields.ts";
import { tokenize } from "./tokens.ts";

/** Names that people type for fields with another name. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
	["user", "role:user"],
	["assistant", "role:assistant"],
	["from", "role:user"],
	["by", "role:user"],
	["date", "on:"],
	["day", "on:"],
	["time", "on:"],
	["until", "before:"],
	["year", "on:"],
	["command", "cmd:"],
	["bash", "tool:bash"],
	["price", "cost:"],
	["msgs", "messages:"],
	["dir", "cwd:"],
	["directory", "cwd:"],
	["folder", "cwd:"],
	["filename", "file:"],
	["regex", "re:"],
	["has", "is:"],
	["subagent", "agent:"],
	["child", "runs:"],
	["children", "runs:"],
]);

/**
 * Suggests a field for a part of the query that looks like a field but is not one: "roel: is not a field; did you mean role:?"
 * Such a word is searched as text, so the note is useful only if nothing was found. Undefined for a query without such words.
 */
export function unknownFieldNote(text: string): string | undefined {
	for (const { field, value, quoted } of tokenize(text)) {
		// Not `http://`, `std::x` or the drive in `C:\x`.
		const name =
			field === "" && !quoted
				? /^([a-zA-Z](?=:.)|[a-zA-Z_-]{2,}):(?![/\\:])/.exec(value)?.[1]?.toLowerCase()
				: undefined;
		if (name === undefined) continue;
		const other = OTHER_NAMES.get(name) ?? begunFields(name) ?? nearField(name);
		if (other !== undefined) return `${name}: is not a field and was searched as text; did you mean ${other}?`;
	}
	return undefined;
}

/** Fields that are named in a note. */
const MOST_NAMED = 4;

/** The fields that begin so, if there are only a few: "cmd:, cwd: or cost:". */
function begunFields(name: string): string | undefined {
	const fields = fieldsBeginning(name).map((field) => `${field}:`);
	if (fields.length === 0 || fields.length > MOST_NAMED) return undefined;
	return [fields.slice(0, -1).join(", "), ...fields.slice(-1)].filter((part) => part !== "").join(" or ");
}

/** Skips fields of two letters, which are near too many words. */
function nearField(name: string): string | undefined {
	const fields = [...FIELDS].filter((field) => field.length > 2);
	const near = nearest(name, fields, name.length > 4 ? 2 : 1);
	return near && `${near}:`;
}
