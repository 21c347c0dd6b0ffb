import { isObject } from "../../shared/json.ts";
import { ENTRIES_PER_STEP, runToEnd, type Steps } from "../../shared/steps.ts";
import { timeOf } from "../format/raw-entry.ts";
import type { AgentMessage, CompactionEntry, ContextEditEntry, SessionEntry } from "../format/schema.ts";
import { walkUp } from "./entry-index.ts";

/** What one entry contributes to the context of the model. */
export interface ProjectedSessionEntry {
	sourceEntry: SessionEntry;
	/** After context edits; empty for an entry that the model does not get. */
	messages: AgentMessage[];
}

/** What the model gets, in order. */
export interface SessionContext {
	messages: AgentMessage[];
	/** "off" when never set on the path. */
	thinkingLevel: string;
	/** From the last model change or answer on the path; null before the first. */
	model: { provider: string; modelId: string } | null;
}

/** The context, with the entries that it is made of. */
export interface SessionProjection extends SessionContext {
	entries: ProjectedSessionEntry[];
}

type Index = ReadonlyMap<string, SessionEntry>;

/** The last compaction of the entries, in the order given; null without one. */
export function getLatestCompactionEntry(entries: readonly SessionEntry[]): CompactionEntry | null {
	return entries.findLast((entry) => entry.type === "compaction") ?? null;
}

/** The entries whose content the model gets at an entry, found by going up from it. */
export interface ContextPath {
	/** The last compaction on the path: it stands before all others. */
	readonly compaction: CompactionEntry | undefined;
	/** Entries from before the compaction that the model still gets, in order; without system messages. */
	readonly kept: readonly SessionEntry[];
	/** All entries after the compaction, or of the whole path, in order. */
	readonly after: readonly SessionEntry[];
	/** What changes, for the model, what an earlier entry says: the last edit by the id of its target. */
	readonly edits: ReadonlyMap<string, ContextEditEntry>;
}

/** The context at the end of a path; `pathUp`: its entries from the end up to the root. */
export function* contextPath(pathUp: Iterable<SessionEntry>): Steps<ContextPath> {
	const later: SessionEntry[] = [];
	const keptEntries: SessionEntry[] = [];
	const edits: ContextEditEntry[] = [];
	let editsAfter = 0;
	let compaction: CompactionEntry | undefined;
	let isFound = false;
	let step = 0;
	for (const entry of pathUp) {
		if (step++ % ENTRIES_PER_STEP === 0) yield;
		if (entry.type === "context_edit") edits.push(entry);
		if (compaction !== undefined) {
			// The compaction carries the system prompt of its time: keeping earlier ones would repeat it.
			if (agentMessageOf(entry)?.role !== "system") keptEntries.push(entry);
			isFound = entry.id === compaction.firstKeptEntryId;
		} else if (entry.type === "compaction") {
			compaction = entry;
			editsAfter = edits.length;
			// Its own id: nothing of what was said before is kept.
			if (entry.firstKeptEntryId === entry.id) break;
		} else later.push(entry);
		if (isFound) break;
	}
	if (compaction !== undefined && !isFound) {
		keptEntries.length = 0;
		edits.length = editsAfter;
	}
	// Of several edits of an entry the last one counts.
	const byTarget = new Map(edits.reverse().map((edit) => [edit.targetId, edit]));
	return { compaction, kept: keptEntries.reverse(), after: later.reverse(), edits: byTarget };
}

function contextEntries({ compaction, kept, after }: ContextPath): SessionEntry[] {
	return [...(compaction === undefined ? [] : [compaction]), ...kept, ...after];
}

/**
 * The entries whose content makes up the context: the path from the root to the leaf, or, when there is a compaction
 * on it, the last compaction, the entries of the path from its `firstKeptEntryId` on, and those after it.
 * `leafId`: undefined (or unknown) means the last entry, null means before all entries.
 */
export function buildContextEntries(
	entries: readonly SessionEntry[],
	leafId?: string | null,
	byId?: Index,
): SessionEntry[] {
	return contextEntries(runToEnd(contextPath(pathOf(entries, leafId, byId).reverse())));
}

/** The context, with the entry behind each of its messages. Parameters as for `buildContextEntries`. */
export function buildSessionProjection(
	entries: readonly SessionEntry[],
	leafId?: string | null,
	byId?: Index,
): SessionProjection {
	const path = pathOf(entries, leafId, byId);
	const context = runToEnd(contextPath(path.toReversed()));
	const projected = contextEntries(context).map((sourceEntry, index) => ({
		sourceEntry,
		// An older compaction may be among the kept entries; the newest summary includes it.
		messages:
			sourceEntry.type === "compaction" && index > 0 ? [] : edited(sourceEntry, context.edits.get(sourceEntry.id)),
	}));
	return {
		entries: projected,
		messages: projected.flatMap((entry) => entry.messages),
		...settingsOf(path),
	};
}

/** What the model gets at the leaf. Parameters as for `buildContextEntries`. */
export function buildSessionContext(
	entries: readonly SessionEntry[],
	leafId?: string | null,
	byId?: Index,
): SessionContext {
	const { messages, thinkingLevel, model } = buildSessionProjection(entries, leafId, byId);
	return { messages, thinkingLevel, model };
}

/** The messages that one entry contributes, before context edits. Missing content becomes empty content. */
export function sessionEntryToContextMessages(entry: SessionEntry): AgentMessage[] {
	const timestamp = timeOf(entry.timestamp);
	switch (entry.type) {
		case "message":
			return contentful(agentMessageOf(entry));
		case "custom_message": {
			const { customType, content, display, details } = entry;
			return [{ role: "custom", customType, content: content ?? [], display, details, timestamp }];
		}
		case "branch_summary": {
			const { summary, fromId } = entry;
			return summary ? [{ role: "branchSummary", summary, fromId, timestamp }] : [];
		}
		case "compaction": {
			const { summary, tokensBefore, systemMessage } = entry;
			const message: AgentMessage = { role: "compactionSummary", summary, tokensBefore, timestamp };
			return systemMessage ? [systemMessage, message] : [message];
		}
		default:
			return [];
	}
}

function pathOf(entries: readonly SessionEntry[], leafId: string | null | undefined, byId?: Index): SessionEntry[] {
	if (leafId === null) return [];
	const index = byId ?? new Map(entries.map((entry) => [entry.id, entry]));
	const leaf = (leafId ? index.get(leafId) : undefined) ?? entries.at(-1);
	return leaf === undefined ? [] : walkUp(leaf, index);
}

function settingsOf(path: readonly SessionEntry[]): Pick<SessionContext, "thinkingLevel" | "model"> {
	let thinkingLevel = "off";
	let model: SessionContext["model"] = null;
	for (const entry of path) {
		const message = agentMessageOf(entry);
		if (entry.type === "thinking_level_change") thinkingLevel = entry.thinkingLevel;
		else if (entry.type === "model_change") model = { provider: entry.provider, modelId: entry.modelId };
		else if (message?.role === "assistant") model = { provider: message.provider, modelId: message.model };
	}
	return { thinkingLevel, model };
}

function edited(entry: SessionEntry, edit: ContextEditEntry | undefined): AgentMessage[] {
	const messages = sessionEntryToContextMessages(entry);
	if (edit === undefined) return messages;
	// Null leaves the target out; so does anything else that is not an object, as a damaged file may hold.
	const replacement: unknown = edit.replacement;
	return !isObject(replacement) ? [] : messages.map((message) => withContent(message, replacement.content));
}

function withContent(message: AgentMessage, content: unknown): AgentMessage {
	const { role } = message;
	if (role !== "user" && role !== "assistant" && role !== "toolResult" && role !== "custom") return message;
	const needsBlocks = role === "assistant" || role === "toolResult";
	const fitting = needsBlocks && typeof content === "string" ? [{ type: "text", text: content }] : content;
	// An edit may put any content into any message; that it fits the role was checked when it was written.
	return { ...message, content: fitting } as AgentMessage;
}

function contentful(message: AgentMessage | undefined): AgentMessage[] {
	if (message === undefined) return [];
	const content: unknown = "content" in message ? message.content : undefined;
	if (content !== undefined && content !== null) return [message];
	if (message.role === "system") return [{ ...message, content: "" }];
	if (message.role === "user" || message.role === "assistant" || message.role === "toolResult") {
		return [{ ...message, content: [] }];
	}
	return [message];
}

/** The message of a message entry; undefined for other entries, and for a message entry without one. */
export function agentMessageOf(entry: SessionEntry): AgentMessage | undefined {
	if (entry.type !== "message") return undefined;
	// A SessionManager has its entries as they are in the file; in a damaged one the message may be missing.
	return isObject(entry.message) ? entry.message : undefined;
}
