import { isObject, type RawEntry } from "./parse.ts";

/** What a field must hold, and what is shown in the place of anything else. */
export interface FieldRule {
	readonly is: (value: unknown) => boolean;
	readonly repair: (value: unknown) => unknown;
}

const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const MORE_TOKENS = ["totalTokens", "cacheWrite1h", "reasoning"];

/** A text; of something else its JSON, so that nothing is hidden. */
export const text: FieldRule = {
	is: (value) => typeof value === "string",
	repair: (value) => (value === undefined || value === null ? "" : printed(value)),
};

export const number: FieldRule = { is: (value) => typeof value === "number", repair: () => 0 };

export const boolean: FieldRule = { is: (value) => typeof value === "boolean", repair: Boolean };

export const object: FieldRule = { is: isObject, repair: () => ({}) };

/** Content blocks. A block that is not what it says it is, is shown as its JSON. */
export const blocks: FieldRule = {
	is: (value) => Array.isArray(value) && value.every(isValidBlock),
	repair: repairedContent,
};

/** A text, or content blocks. */
export const content: FieldRule = {
	is: (value) => typeof value === "string" || blocks.is(value),
	repair: repairedContent,
};

/** Tokens and cost; what is missing is 0, as in version 1 files. */
export const usage: FieldRule = {
	is: (value) =>
		isObject(value) &&
		hasNumbers(value, TOKENS) &&
		MORE_TOKENS.every((name) => value[name] === undefined || typeof value[name] === "number") &&
		isObject(value.cost) &&
		hasNumbers(value.cost, COST),
	repair: (value) => {
		const tokens: RawEntry = isObject(value) ? { ...value } : {};
		for (const name of MORE_TOKENS) if (typeof tokens[name] !== "number") delete tokens[name];
		const cost = isObject(tokens.cost) ? tokens.cost : {};
		return { ...tokens, ...numbersOf(tokens, TOKENS), cost: { ...cost, ...numbersOf(cost, COST) } };
	},
};

/** Named parts of a prompt. */
export const sections: FieldRule = {
	is: (value) => isObject(value) && Object.values(value).every((part) => part === null || typeof part === "string"),
	repair: (value) =>
		Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([name, part]) => [name, text.repair(part)])),
};

/** Tools, of which only the name is known to be there. */
export const tools: FieldRule = {
	is: (value) => Array.isArray(value) && value.every((tool) => isObject(tool) && typeof tool.name === "string"),
	repair: (value) =>
		Array.isArray(value) ? value.filter((tool) => isObject(tool) && typeof tool.name === "string") : [],
};

/** The field may be absent; what does not fit is shown as absent. */
export function optional(kind: FieldRule): FieldRule {
	return { is: (value) => value === undefined || kind.is(value), repair: () => undefined };
}

const BLOCK_FIELDS: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
	text: { text, textSignature: optional(text) },
	thinking: { thinking: text, thinkingSignature: optional(text), redacted: optional(boolean) },
	image: { data: text, mimeType: text },
	toolCall: { id: text, name: text, arguments: object, thoughtSignature: optional(text), namespace: optional(text) },
};

function isValidBlock(block: unknown): boolean {
	if (!isObject(block) || typeof block.type !== "string") return false;
	const fields = BLOCK_FIELDS[block.type];
	for (const name in fields) if (fields[name]?.is(block[name]) === false) return false;
	return true;
}

function repairedContent(value: unknown): unknown {
	if (value === undefined || value === null || value === "") return [];
	if (!Array.isArray(value)) return [{ type: "text", text: printed(value) }];
	return value.map((block) => (isValidBlock(block) ? block : repairedBlock(block)));
}

function repairedBlock(block: unknown): unknown {
	if (isObject(block) && block.type === "toolCall" && typeof block.name === "string") {
		const call = { ...block };
		for (const [name, kind] of Object.entries(BLOCK_FIELDS.toolCall ?? {})) {
			if (!kind.is(call[name])) call[name] = kind.repair(call[name]);
		}
		return call;
	}
	return { type: "text", text: printed(block) };
}

function hasNumbers(value: RawEntry, names: Readonly<Record<string, number>>): boolean {
	for (const name in names) if (typeof value[name] !== "number") return false;
	return true;
}

function numbersOf(value: RawEntry, names: Readonly<Record<string, number>>): Record<string, number> {
	const numbers: Record<string, number> = { ...names };
	for (const name in names) {
		const own = value[name];
		if (typeof own === "number") numbers[name] = own;
	}
	return numbers;
}

function printed(value: unknown): string {
	return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
