import { isObject, type RawEntry } from "./parse.ts";
import type { SessionEntry } from "./schema.ts";

/** A copy that the types tell the truth about, and what had to be put right for it, in words. */
export interface SoundEntry {
	readonly entry: SessionEntry;
	readonly problems: readonly string[];
}

type Kind = "string" | "number" | "boolean" | "object" | "content" | "blocks" | "optional-string";

/** `must`: its absence is a problem. `may`: seeds and old files leave it out; a harmless value takes its place silently. */
interface Field {
	readonly kind: Kind;
	readonly need: "must" | "may";
}

const must = (kind: Kind): Field => ({ kind, need: "must" });
const may = (kind: Kind): Field => ({ kind, need: "may" });

const ENTRY_FIELDS: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
	message: { message: must("object") },
	model_change: { provider: must("string"), modelId: must("string") },
	thinking_level_change: { thinkingLevel: must("string") },
	compaction: { summary: must("string"), firstKeptEntryId: may("string"), tokensBefore: may("number") },
	branch_summary: { summary: must("string"), fromId: may("string") },
	custom: { customType: must("string") },
	custom_message: { customType: must("string"), content: must("content"), display: may("boolean") },
	label: { targetId: must("string"), label: may("optional-string") },
	session_info: { name: may("optional-string") },
	usage: { kind: must("string"), provider: may("string"), model: may("string"), usage: must("object") },
	context_edit: { targetId: must("string") },
};

const MESSAGE_FIELDS: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
	user: { content: must("content") },
	assistant: {
		content: must("blocks"),
		api: may("string"),
		provider: may("string"),
		model: may("string"),
		stopReason: may("string"),
		errorMessage: may("optional-string"),
		usage: may("object"),
	},
	toolResult: { toolCallId: may("string"), toolName: may("string"), content: must("blocks"), isError: may("boolean") },
	bashExecution: {
		command: must("string"),
		output: must("string"),
		cancelled: may("boolean"),
		truncated: may("boolean"),
		fullOutputPath: may("optional-string"),
	},
	custom: { customType: may("string"), content: must("content"), display: may("boolean") },
	branchSummary: { summary: must("string") },
	compactionSummary: { summary: must("string"), tokensBefore: may("number") },
	system: { content: must("content") },
};

const BLOCK_FIELDS: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
	text: { text: must("string") },
	thinking: { thinking: must("string") },
	image: { data: must("string"), mimeType: must("string") },
	toolCall: { id: may("string"), name: must("string"), arguments: may("object") },
};

const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/**
 * Makes an entry safe to show: each field that its type promises is there and of the promised kind. The entry itself
 * is not changed, and is returned as it is when nothing was wrong. Unknown types, roles and fields are left alone.
 */
export function soundEntry(raw: RawEntry): SoundEntry {
	const problems: string[] = [];
	let entry = soundBase(raw, problems);
	const type = String(entry.type);
	entry = soundFields(entry, ENTRY_FIELDS[type], "its", problems);
	if (type === "message" && isObject(entry.message)) {
		entry = withField(entry, "message", soundMessage(entry.message, entry.timestamp, problems));
	} else if (type === "usage") {
		entry = withField(entry, "usage", soundUsage(entry.usage));
	} else if (type === "context_edit" && entry.replacement !== null && !isReplacement(entry.replacement)) {
		problems.push("its `replacement` is neither null nor content; it is shown as leaving the target out");
		entry = withField(entry, "replacement", null);
	}
	// Every field that the type promises was checked or put right above.
	return { entry: entry as unknown as SessionEntry, problems };
}

function soundBase(raw: RawEntry, problems: string[]): RawEntry {
	let entry = raw;
	if (typeof entry.type !== "string") {
		problems.push("it has no `type`");
		entry = withField(entry, "type", "");
	}
	if (typeof entry.timestamp !== "string") {
		if (entry.timestamp !== undefined) problems.push("its `timestamp` is no text");
		const date = new Date(typeof entry.timestamp === "number" ? entry.timestamp : Number.NaN);
		entry = withField(entry, "timestamp", Number.isNaN(date.getTime()) ? "" : date.toISOString());
	}
	if (entry.parentId !== null && typeof entry.parentId !== "string") {
		if (entry.parentId !== undefined) problems.push("its `parentId` is neither text nor null; it is shown as a root");
		entry = withField(entry, "parentId", null);
	}
	return entry;
}

function soundMessage(raw: RawEntry, entryTimestamp: unknown, problems: string[]): RawEntry {
	let message = raw;
	if (typeof message.role !== "string") {
		problems.push("its message has no `role`");
		message = withField(message, "role", "");
	}
	message = soundFields(message, MESSAGE_FIELDS[String(message.role)], "its message's", problems);
	if (typeof message.timestamp !== "number") {
		const time = Date.parse(String(message.timestamp ?? entryTimestamp));
		message = withField(message, "timestamp", Number.isNaN(time) ? 0 : time);
	}
	if (message.role === "assistant") message = withField(message, "usage", soundUsage(message.usage));
	return message;
}

function soundFields(
	object: RawEntry,
	fields: Readonly<Record<string, Field>> | undefined,
	whose: string,
	problems: string[],
): RawEntry {
	let sound = object;
	for (const name in fields) {
		const field = fields[name];
		if (field === undefined) continue;
		const value = object[name];
		if (isSound(value, field.kind)) continue;
		const absent = value === undefined || value === null;
		if (!absent || field.need === "must")
			problems.push(`${whose} \`${name}\` is ${absent ? "missing" : "of a wrong kind"}`);
		sound = withField(sound, name, mended(value, field.kind));
	}
	return sound;
}

function isSound(value: unknown, kind: Kind): boolean {
	if (kind === "object") return isObject(value);
	if (kind === "optional-string") return value === undefined || typeof value === "string";
	if (kind === "content" && typeof value === "string") return true;
	if (kind === "content" || kind === "blocks") return Array.isArray(value) && value.every(isSoundBlock);
	// biome's typeof rule wants a literal; the kinds left over are exactly the names that typeof gives.
	const type: string = typeof value;
	return type === kind;
}

function isSoundBlock(block: unknown): boolean {
	if (!isObject(block) || typeof block.type !== "string") return false;
	const fields = BLOCK_FIELDS[block.type];
	for (const name in fields) {
		const field = fields[name];
		if (field !== undefined && !isSound(block[name], field.kind)) return false;
	}
	return true;
}

function mended(value: unknown, kind: Kind): unknown {
	switch (kind) {
		case "string":
			return value === undefined || value === null ? "" : printed(value);
		case "number":
			return 0;
		case "boolean":
			return Boolean(value);
		case "object":
			return {};
		case "optional-string":
			return undefined;
		default:
			return mendedContent(value);
	}
}

/** Nothing is dropped: a block that cannot be shown as what it says it is, is shown as its JSON. */
function mendedContent(value: unknown): unknown {
	if (value === undefined || value === null || value === "") return [];
	if (!Array.isArray(value)) return [{ type: "text", text: printed(value) }];
	return value.map((block) => (isSoundBlock(block) ? block : mendedBlock(block)));
}

function mendedBlock(block: unknown): unknown {
	if (isObject(block) && block.type === "toolCall" && typeof block.name === "string") {
		const id = typeof block.id === "string" ? block.id : "";
		return { ...block, id, arguments: isObject(block.arguments) ? block.arguments : {} };
	}
	return { type: "text", text: printed(block) };
}

function soundUsage(value: unknown): unknown {
	const usage: RawEntry = isObject(value) ? value : {};
	if (hasNumbers(usage, TOKENS) && isObject(usage.cost) && hasNumbers(usage.cost, COST)) return value;
	const cost = isObject(usage.cost) ? usage.cost : {};
	return { ...usage, ...numbersOf(usage, TOKENS), cost: { ...cost, ...numbersOf(cost, COST) } };
}

function hasNumbers(object: RawEntry, names: Readonly<Record<string, number>>): boolean {
	for (const name in names) if (typeof object[name] !== "number") return false;
	return true;
}

function numbersOf(object: RawEntry, names: Readonly<Record<string, number>>): Record<string, number> {
	const numbers: Record<string, number> = { ...names };
	for (const name in names) {
		const value = object[name];
		if (typeof value === "number") numbers[name] = value;
	}
	return numbers;
}

function isReplacement(value: unknown): boolean {
	return isObject(value) && isSound(value.content, "content");
}

function printed(value: unknown): string {
	return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function withField(object: RawEntry, name: string, value: unknown): RawEntry {
	return object[name] === value ? object : { ...object, [name]: value };
}
