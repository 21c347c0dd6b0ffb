import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { fieldsOf } from "../entries/fields.ts";
import { type ContextPath, contextPath, pathUp } from "./context-path.ts";
import { estimateTokens } from "./message-size.ts";
import { type ModelName, modelIn, type Usage, usageOf } from "./usage.ts";

/** How much of a model's context is in use at an entry, and the request that shows it. */
export interface ContextUse {
	/** Tokens that the next request begins with: all that was said up to here. */
	readonly tokens: number;
	/** The part of them that no answer has counted, guessed as pi does. */
	readonly guessed: number;
	/** The last answer on the path that says what it has used, if the context is still the one that it had. */
	readonly last: LastRequest | undefined;
}

/** A request whose beginning the provider may still have in its cache. */
export interface LastRequest {
	readonly usage: Usage;
	readonly model: ModelName | undefined;
	/** When it was sent, or its cache was last kept warm, Unix ms; undefined when no time is known. */
	readonly atMs: number | undefined;
}

/** The context in use at an entry, counted as pi does; null: before the first entry. */
export function* contextUse(session: Session, id: string | null): Steps<ContextUse> {
	let guessed = 0;
	let warmedMs: number | undefined;
	let step = 0;
	for (const entry of pathUp(session, id)) {
		if (step++ % ENTRIES_PER_STEP === 0) yield;
		// What was counted before an edit or a compaction was the size of another context.
		if (entry.type === "context_edit" || entry.type === "compaction") break;
		const usage = countedBy(entry);
		if (usage !== undefined) {
			const last = { usage, model: modelIn(entry), atMs: warmedMs ?? sentAt(entry) };
			return { tokens: usage.total + guessed, guessed, last };
		}
		warmedMs ??= warmedAt(entry);
		guessed += sizeIn(entry, NO_EDITS);
	}
	const tokens = yield* guessAll(yield* contextPath(session, id));
	return { tokens, guessed: tokens, last: undefined };
}

const NO_EDITS: ContextPath["edits"] = new Map();

/** Without an answer that has counted it, all of the context is guessed. */
function* guessAll({ compaction, kept, after, edits }: ContextPath): Steps<number> {
	let tokens = compaction === undefined ? 0 : sizeIn(compaction, edits);
	for (const entries of [kept, after]) {
		for (const [index, entry] of entries.entries()) {
			if (index % ENTRIES_PER_STEP === 0) yield;
			// The newest summary includes what an older one says.
			if (entry.type !== "compaction") tokens += sizeIn(entry, edits);
		}
	}
	return tokens;
}

function sizeIn(entry: SessionEntry, edits: ContextPath["edits"]): number {
	if (isLeftOut(entry, edits) || isDropped(entry)) return 0;
	const edit = edits.get(entry.id);
	return estimateTokens(entry, edit === undefined ? undefined : fieldsOf(edit.replacement).content);
}

/** Whether a context edit has taken an entry out. */
export function isLeftOut({ id }: SessionEntry, edits: ContextPath["edits"]): boolean {
	const edit = edits.get(id);
	return edit !== undefined && (typeof edit.replacement !== "object" || edit.replacement === null);
}

/** Whether pi does not send an answer since it was not finished (pi 1.5.2, pi-ai/dist/api/transform-messages.js). */
export function isDropped(entry: SessionEntry): boolean {
	const { role, stopReason } = fieldsOf(fieldsOf(entry).message);
	return role === "assistant" && (stopReason === "error" || stopReason === "aborted");
}

/** What an answer has used; undefined where it was not finished, or does not say. */
function countedBy(entry: SessionEntry): Usage | undefined {
	if (fieldsOf(fieldsOf(entry).message).role !== "assistant" || isDropped(entry)) return undefined;
	const usage = usageOf(entry);
	return usage === undefined || usage.total === 0 ? undefined : usage;
}

function sentAt(entry: SessionEntry): number | undefined {
	return timeIn(fieldsOf(fieldsOf(entry).message).timestamp) ?? timeIn(entry.timestamp);
}

/** When pi has kept the cache warm, where that is what the entry says. */
function warmedAt(entry: SessionEntry): number | undefined {
	return entry.type === "usage" && fieldsOf(entry).kind === "cache_warm" ? timeIn(entry.timestamp) : undefined;
}

function timeIn(value: unknown): number | undefined {
	const time = typeof value === "string" ? Date.parse(value) : value;
	return typeof time === "number" && Number.isFinite(time) ? time : undefined;
}
