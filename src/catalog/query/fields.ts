import { CONDITION_FIELDS } from "./conditions.ts";
import { maskOf, maskWhere } from "./kinds.ts";

/** All kinds of text, as a bit mask. */
export const ALL_KINDS = maskWhere(() => true);

// Maps, because what is looked up in them was typed: a plain object would know `constructor` too.

/** Fields that ask for text of certain kinds: `label:todo`, `file:src/x.ts`. */
export const TEXT_FIELDS: ReadonlyMap<string, number> = new Map([
	["name", maskOf(["name"])],
	["title", maskOf(["name", "title"])],
	["label", maskOf(["label"])],
	["file", maskOf(["path"])],
	["path", maskOf(["path"])],
	["cmd", maskOf(["command"])],
	["model", maskOf(["model"])],
	["cwd", maskOf(["cwd"])],
]);

/** Values of `in:`, which limits where all other terms are searched. */
const SCOPES: ReadonlyMap<string, number> = new Map([
	["name", maskOf(["name"])],
	["title", maskOf(["name", "title"])],
	["label", maskOf(["label"])],
	["summary", maskOf(["summary"])],
	["thinking", maskOf(["thinking"])],
	["output", maskOf(["output"])],
	["args", maskOf(["arguments", "command", "path"])],
	["text", maskOf(["title", "user", "assistant"])],
	["custom", maskOf(["custom"])],
	["cmd", maskOf(["command"])],
	["file", maskOf(["path"])],
]);

/** Values of `role:`, which limits all other terms to what that role said. */
const ROLES: ReadonlyMap<string, number> = new Map(
	(["user", "assistant", "tool", "custom"] as const).map((role) => [role, maskWhere((facts) => facts.role === role)]),
);

/** The fields that limit where all other terms are searched, with the kinds of text that each of their values means. */
export const NARROWING: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map([
	["role", ROLES],
	["in", SCOPES],
]);

/** All fields of the language, in lower case. */
export const FIELDS: ReadonlySet<string> = new Set([
	...TEXT_FIELDS.keys(),
	...NARROWING.keys(),
	"tool",
	"re",
	...CONDITION_FIELDS,
]);
