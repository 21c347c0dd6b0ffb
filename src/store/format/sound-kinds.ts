import { isObject, type RawEntry } from "./parse.ts";

/** What a field must hold, and what is shown in the place of anything else. */
export interface Kind {
	readonly is: (value: unknown) => boolean;
	readonly mend: (value: unknown) => unknown;
}

const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const MORE_TOKENS = ["totalTokens", "cacheWrite1h", "reasoning"];

/** A text; of something else its JSON, so that nothing is hidden. */
export const text: Kind = {
	is: (value) => typeof value === "string",
	mend: (value) => (value === undefined || value === null ? "" : printed(value)),
};

export const number: Kind = { is: (value) => typeof value === "number", mend: () => 0 };

export const boolean: Kind = { is: (value) => typeof value === "boolean", mend: Boolean };

export const object: Kind = { is: isObject, mend: () => ({}) };

/** Content blocks. A block that is not what it says it is, is shown as its JSON. */
export const blocks: Kind = { is: (value) => Array.isArray(value) && value.every(isSoundBlock), mend: mendedContent };

/** A text, or content blocks. */
export const content: Kind = { is: (value) => typeof value === "string" || blocks.is(value), mend: mendedContent };

/** Tokens and cost; what is missing is 0, as in version 1 files. */
export const usage: Kind = {
	is: (value) =>
		isObject(value) &&
		hasNumbers(value, TOKENS) &&
		MORE_TOKENS.every((name) => value[name] === undefined || typeof value[name] === "number") &&
		isObject(value.cost) &&
		hasNumbers(value.cost, COST),
	mend: (value) => {
		const tokens: RawEntry = isObject(value) ? { ...value } : {};
		for (const name of MORE_TOKENS) if (typeof tokens[name] !== "number") delete tokens[name];
		const cost = isObject(tokens.cost) ? tokens.cost : {};
		return { ...tokens, ...numbersOf(tokens, TOKENS), cost: { ...cost, ...numbersOf(cost, COST) } };
	},
};

/** Named parts of a prompt. */
export const sections: Kind = {
	is: (value) => isObject(value) && Object.values(value).every((part) => part === null || typeof part === "string"),
	mend: (value) =>
		Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([name, part]) => [name, text.mend(part)])),
};

/** Tools, of which only the name is known to be there. */
export const tools: Kind = {
	is: (value) => Array.isArray(value) && value.every((tool) => isObject(tool) && typeof tool.name === "string"),
	mend: (value) =>
		Array.isArray(value) ? value.filter((tool) => isObject(tool) && typeof tool.name === "string") : [],
};

/** The field may be absent; what does not fit is shown as absent. */
export function optional(kind: Kind): Kind {
	return { is: (value) => value === undefined || kind.is(value), mend: () => undefined };
}

const BLOCK_FIELDS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
	text: { text, textSignature: optional(text) },
	thinking: { thinking: text, thinkingSignature: optional(text), redacted: optional(boolean) },
	image: { data: text, mimeType: text },
	toolCall: { id: text, name: text, arguments: object, thoughtSignature: optional(text), namespace: optional(text) },
};

function isSoundBlock(block: unknown): boolean {
	if (!isObject(block) || typeof block.type !== "string") return false;
	const fields = BLOCK_FIELDS[block.type];
	for (const name in fields) if (fields[name]?.is(block[name]) === false) return false;
	return true;
}

function mendedContent(value: unknown): unknown {
	if (value === undefined || value === null || value === "") return [];
	if (!Array.isArray(value)) return [{ type: "text", text: printed(value) }];
	return value.map((block) => (isSoundBlock(block) ? block : mendedBlock(block)));
}

function mendedBlock(block: unknown): unknown {
	if (isObject(block) && block.type === "toolCall" && typeof block.name === "string") {
		const call = { ...block };
		for (const [name, kind] of Object.entries(BLOCK_FIELDS.toolCall ?? {})) {
			if (!kind.is(call[name])) call[name] = kind.mend(call[name]);
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
