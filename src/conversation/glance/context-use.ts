import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { eachField, type Fields, fieldsOf, listOf, textOf } from "../../store/format/fields.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { type ContextPath, contextPath } from "../../store/tree/context.ts";
import { type ModelName, modelIn, type RequestCost, requestCost } from "./usage.ts";

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
	readonly usage: RequestCost;
	readonly model: ModelName | undefined;
	/** When it was sent, or its cache was last kept warm, Unix ms; undefined when no time is known. */
	readonly atMs: number | undefined;
}

/** The context in use at an entry, counted as pi does; null: before the first entry. */
export function* contextUse(session: Session, id: string | null): Steps<ContextUse> {
	let guessed = 0;
	let warmedMs: number | undefined;
	let step = 0;
	for (const entry of session.tree.table.pathUp(id)) {
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
	const tokens = yield* guessAll(yield* contextPath(session.tree.table.pathUp(id)));
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
function countedBy(entry: SessionEntry): RequestCost | undefined {
	if (fieldsOf(fieldsOf(entry).message).role !== "assistant" || isDropped(entry)) return undefined;
	const usage = requestCost(entry);
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

/** pi's own guesses: four characters a token, and as much for any image (pi 1.5.2, core/compaction/compaction.js). */
const CHARACTERS_PER_TOKEN = 4;
const IMAGE_CHARACTERS = 4800;
/** Of a value, or of the blocks of a message, as many as this are looked at: there may be any number. */
const MAX_PARTS = 5000;

/**
 * About how many tokens an entry takes in the context, by the rule with which pi guesses what no answer has counted yet.
 * 0 for what the model does not get. `content`: what a context edit has put in the place of its own.
 */
export function estimateTokens(entry: SessionEntry, content?: unknown): number {
	return Math.ceil(charactersOf(entry, content) / CHARACTERS_PER_TOKEN);
}

function charactersOf(entry: SessionEntry, content: unknown): number {
	const fields = fieldsOf(entry);
	switch (entry.type) {
		case "message":
			return messageCharacters(fieldsOf(fields.message), content);
		case "custom_message":
			return contentCharacters(content ?? fields.content);
		case "branch_summary":
			return textOf(fields.summary).length;
		case "compaction":
			return textOf(fields.summary).length + messageCharacters(fieldsOf(fields.systemMessage), undefined);
		default:
			return 0;
	}
}

function messageCharacters(message: Fields, content: unknown): number {
	switch (message.role) {
		case "user":
		case "custom":
		case "toolResult":
		case "assistant":
			return contentCharacters(content ?? message.content);
		case "bashExecution":
			return message.excludeFromContext === true ? 0 : textOf(message.command).length + textOf(message.output).length;
		case "system":
			return (
				contentCharacters(message.content) +
				sizeOf(message.sections) +
				(message.toolsAdded === undefined ? 0 : sizeOf(message.toolsAdded))
			);
		default:
			return 0;
	}
}

function contentCharacters(content: unknown): number {
	if (typeof content === "string") return content.length;
	let characters = 0;
	for (const block of listOf(content).slice(0, MAX_PARTS)) {
		const { type, text, thinking, name, arguments: given } = fieldsOf(block);
		if (type === "text") characters += textOf(text).length;
		else if (type === "image") characters += IMAGE_CHARACTERS;
		else if (type === "thinking") characters += textOf(thinking).length;
		else if (type === "toolCall") characters += textOf(name).length + sizeOf(given);
	}
	return characters;
}

/** About the length of a value as JSON. */
function sizeOf(value: unknown): number {
	const open: unknown[] = [value];
	let size = 0;
	for (let parts = 0; parts < MAX_PARTS && open.length > 0; parts++) {
		const next = open.pop();
		if (typeof next === "string") size += next.length + 2;
		else if (typeof next !== "object" || next === null) size += String(next).length;
		else if (Array.isArray(next)) {
			size += next.length + 2;
			for (const part of next.slice(0, MAX_PARTS - parts)) open.push(part);
		} else {
			size += 2;
			for (const [name, part] of eachField(next).take(MAX_PARTS - parts)) {
				size += name.length + 4;
				open.push(part);
			}
		}
	}
	return size;
}
