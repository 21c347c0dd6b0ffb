import { contentBlocks } from "../../store/format/message-text.ts";
import type { Session } from "../../store/read/read-session.ts";
import { shortenHome } from "../text/format.ts";
import { type Fields, fieldsOf, numberOf, textOf } from "./fields.ts";

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

/** A call in a few words, as in pi's tree: what was read, run or searched for. */
export function callSummary({ name, args }: CallFacts, home: string): string {
	const path = shortenHome(textOf(args.path) || textOf(args.file_path), home);
	switch (name) {
		case "read":
			return `read ${path}${lineRange(args)}`;
		case "write":
		case "edit":
			return `${name} ${path}`;
		case "bash":
			return `$ ${textOf(args.command)}`;
		case "grep":
			return `grep /${textOf(args.pattern)}/ in ${path || "."}`;
		case "find":
			return `find ${textOf(args.pattern)} in ${path || "."}`;
		case "ls":
			return `ls ${path || "."}`;
		default:
			return `${name || "tool"} ${JSON.stringify(args)}`;
	}
}

function lineRange(args: Fields): string {
	const offset = numberOf(args.offset);
	const limit = numberOf(args.limit);
	if (offset === undefined && limit === undefined) return "";
	const start = offset ?? 1;
	return limit === undefined ? `:${start}` : `:${start}-${start + limit - 1}`;
}
