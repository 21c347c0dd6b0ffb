import { contentBlocks } from "../format/message-text.ts";
import { isObject, type RawEntry } from "../format/parse.ts";

/**
 * Results of tools whose call is not before them on their path: providers refuse them, and with them all that follows
 * (https://github.com/earendil-works/pi/issues/6558). Between a call and its result only other results, and entries that are
 * no message, may stand. `entries`: with text as ids, parents that are there, and no cycles.
 */
export function orphanedResults(entries: readonly RawEntry[]): ReadonlySet<RawEntry> {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	/** By entry: the answer whose calls may be answered there; undefined where there is none. */
	const answers = new Map<RawEntry, RawEntry | undefined>();
	const orphans = new Set<RawEntry>();
	for (const entry of entries) {
		const message = messageOf(entry);
		if (message?.role !== "toolResult") continue;
		const answer = answerAbove(entry, byId, answers);
		const calls = contentBlocks(messageOf(answer)?.content);
		if (!calls.some((block) => block.type === "toolCall" && block.id === message.toolCallId)) orphans.add(entry);
	}
	return orphans;
}

function answerAbove(
	entry: RawEntry,
	byId: ReadonlyMap<unknown, RawEntry>,
	known: Map<RawEntry, RawEntry | undefined>,
): RawEntry | undefined {
	const passed: RawEntry[] = [entry];
	let at = byId.get(entry.parentId);
	while (at !== undefined && !known.has(at)) {
		const role = messageOf(at)?.role;
		if (role === "assistant" || role === "user") break;
		passed.push(at);
		at = byId.get(at.parentId);
	}
	const found =
		at === undefined ? undefined : known.has(at) ? known.get(at) : messageOf(at)?.role === "assistant" ? at : undefined;
	for (const one of passed) known.set(one, found);
	return found;
}

function messageOf(entry: RawEntry | undefined): RawEntry | undefined {
	return entry?.type === "message" && isObject(entry.message) ? entry.message : undefined;
}
