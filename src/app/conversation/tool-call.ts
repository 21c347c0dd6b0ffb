import { contentBlocks } from "../../store/format/message-text.ts";
import type { Session } from "../../store/read/read-session.ts";
import { shortenHome } from "../text/format.ts";
import { type Fields, fieldsOf, numberOf, textOf } from "./fields.ts";
import { compactJson, head, joinWords, rowText } from "./row-text.ts";

/** A tool call of the model. */
export interface CallFacts {
	readonly name: string;
	readonly args: Fields;
}

interface CollectedCalls {
	readonly byId: Map<string, CallFacts>;
	/** How many entries have been looked at. */
	entries: number;
}

/** By the list of a session's entries, which stays the same list when the session grows. */
const collected = new WeakMap<Session["entries"], CollectedCalls>();

/** All tool calls of a session by call id, so that a result can be shown with what was asked. */
export function toolCalls({ entries }: Session): ReadonlyMap<string, CallFacts> {
	const calls = collected.get(entries) ?? { byId: new Map(), entries: 0 };
	if (calls.entries < entries.length) {
		collectCalls(entries.slice(calls.entries), calls.byId);
		calls.entries = entries.length;
		collected.set(entries, calls);
	}
	return calls.byId;
}

function collectCalls(entries: Session["entries"], calls: Map<string, CallFacts>): void {
	for (const entry of entries) {
		if (entry.type !== "message") continue;
		for (const block of contentBlocks(fieldsOf(entry.message).content)) {
			if (block.type !== "toolCall") continue;
			const { id, name, arguments: args } = fieldsOf(block);
			if (typeof id === "string") calls.set(id, { name: textOf(name), args: fieldsOf(args) });
		}
	}
}

/** A call in a few words, as in pi's tree: what was read, run or searched for. Not longer than a row can show. */
export function callSummary(call: CallFacts, home: string): string {
	return head(knownSummary(call, home) ?? joinWords(head(call.name) || "tool", compactJson(call.args)));
}

/** The title above a call's arguments: the summary of a tool that we know, one line of it, else the tool's name. */
export function callTitle(call: CallFacts, home: string): string {
	return oneLine(knownSummary(call, home) ?? (call.name || "tool"));
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

function knownSummary({ name, args }: CallFacts, home: string): string | undefined {
	const path = shortenHome(rowText(args.path) || rowText(args.file_path), home);
	switch (name) {
		case "read":
			return `read ${path}${lineRange(args)}`;
		case "write":
		case "edit":
			return `${name} ${path}`;
		case "bash":
			return `$ ${rowText(args.command)}`;
		case "powershell":
			return `PS> ${rowText(args.command)}`;
		case "grep":
			return `grep /${rowText(args.pattern)}/ in ${path || "."}`;
		case "find":
			return `find ${rowText(args.pattern)} in ${path || "."}`;
		case "ls":
			return `ls ${path || "."}`;
		case "codemode":
			return `codemode ${rowText(args.code)}`;
		default:
			return undefined;
	}
}

function lineRange(args: Fields): string {
	const offset = numberOf(args.offset);
	const limit = numberOf(args.limit);
	if (offset === undefined && limit === undefined) return "";
	const start = offset ?? 1;
	return limit === undefined ? `:${start}` : `:${start}-${start + limit - 1}`;
}
