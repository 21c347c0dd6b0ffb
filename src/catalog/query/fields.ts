import { maskOf, maskWhere } from "./kinds.ts";

/** All kinds of text, as a bit mask. */
export const ALL_KINDS = maskWhere(() => true);

// Maps, because their keys are looked up as typed: a plain object would know `constructor` too.

/** Fields that search texts of certain kinds: `label:todo`, `file:src/x.ts`. */
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

/** The fields that limit where all other terms are searched, with the kinds of text for each value. */
export const NARROWING: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map([
	["role", ROLES],
	["in", SCOPES],
]);

/** All fields, in lower case, with their meanings in a few words; in the order of the documentation. */
export const FIELD_MEANINGS: ReadonlyMap<string, string> = new Map([
	["project", "the project's folder"],
	["since", "from that day on"],
	["after", "later than that day"],
	["before", "earlier than that day"],
	["on", "on that day"],
	["is", "what the session is"],
	["tag", "a tag of yours"],
	["agent", "a run of that subagent"],
	["name", "the session's name"],
	["title", "name or first message"],
	["label", "a label in it"],
	["file", "a file that a tool was given"],
	["path", "the same as file:"],
	["cmd", "a command that was run"],
	["model", "a model that answered"],
	["cwd", "the session's directory"],
	["role", "all words in what it said"],
	["in", "all words in such text"],
	["tool", "all words in its calls"],
	["re", "a regular expression"],
	["cost", "dollars, as cost:>1"],
	["size", "bytes, as size:>5MB"],
	["messages", "how many, as messages:>100"],
	["tokens", "how many, as tokens:>1M"],
	["turns", "how many, as turns:>10"],
	["errors", "how many, as errors:>0"],
	["runs", "how many of subagents, as runs:>3"],
]);

/** All fields of the language, in lower case. */
export const FIELDS: ReadonlySet<string> = new Set(FIELD_MEANINGS.keys());
