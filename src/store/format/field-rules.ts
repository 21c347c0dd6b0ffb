import { isObject, printJson } from "../../shared/json.ts";
import { isFileId } from "./file-ids.ts";
import type { RawEntry } from "./raw-entry.ts";
import type { ContentBlock, NestedToolCall, ToolResultMessage, Usage } from "./schema.ts";

/** What a field must hold, and what replaces anything else. */
interface FieldRule<Value = unknown> {
	readonly is: (value: unknown) => boolean;
	readonly repair: (value: unknown) => Value;
}

/** The rule of one field of an object, and when breaking it is worth reporting. */
export interface Field<Value = unknown> extends FieldRule<Value> {
	/** `absent`: also when the field is absent or null. `wrong`: only when it holds something else. `never`: not at all. */
	readonly report: "absent" | "wrong" | "never";
	/** Values that break the rule and are repaired without a report. */
	readonly tolerates?: (value: unknown) => boolean;
	/** The problem in words; by default that the value is missing or of the wrong type. */
	readonly problem?: string;
}

export type FieldRules = Readonly<Record<string, Field>>;

/**
 * A rule for each field that the type names, except those checked elsewhere. Used with `satisfies`: the
 * compiler then refuses a field without a rule, a rule without a field, and a rule for another type.
 */
export type FieldsOf<Type, Elsewhere extends PropertyKey> = {
	readonly [Name in Exclude<keyof Type, Elsewhere>]: Field<Checked<Type[Name]>>;
};

/** The part of a field's type that its rule guarantees: items of a list and fields of an object stay unknown. */
type Checked<Value> = unknown extends Value
	? unknown
	: Value extends readonly unknown[]
		? readonly unknown[]
		: Value extends object
			? object
			: Value;

export function required<Value>(rule: FieldRule<Value>): Field<Value> {
	return { ...rule, report: "absent" };
}

/** Old files and programs other than pi leave the field out; a harmless value silently takes its place. */
export function defaulted<Value>(rule: FieldRule<Value>): Field<Value> {
	return { ...rule, report: "wrong" };
}

/** The field may be absent; an invalid value is shown as absent. */
export function optional<Value>(rule: FieldRule<Value>): Field<Value | undefined> {
	return { is: (value) => value === undefined || rule.is(value), repair: () => undefined, report: "wrong" };
}

/** An invalid value is repaired without a report. */
export function unreported<Value>(rule: FieldRule<Value>): Field<Value> {
	return { ...rule, report: "never" };
}

/** Any JSON value, or none: the field belongs to a tool or an extension. */
export const anything: Field = { is: () => true, repair: (value) => value, report: "never" };

/** A string; anything else is shown as its JSON, so that nothing is hidden. */
export const textField: FieldRule<string> = {
	is: (value) => typeof value === "string",
	repair: (value) => (value === undefined || value === null ? "" : printed(value)),
};

/** The id of another entry; a file may have it as a number, see `file-ids.ts`. */
export function entryId(report: "absent" | "wrong"): Field<string> {
	return { ...textField, report, tolerates: isFileId };
}

export const number: FieldRule<number> = { is: (value) => typeof value === "number", repair: () => 0 };

export const boolean: FieldRule<boolean> = { is: (value) => typeof value === "boolean", repair: Boolean };

export const objectField: FieldRule<RawEntry> = { is: isObject, repair: () => ({}) };

/** A list, whatever its items; an empty one instead of anything else. */
export const listField: FieldRule<readonly unknown[]> = { is: Array.isArray, repair: () => [] };

function objectOf(fields: FieldRules): FieldRule<RawEntry> {
	return {
		is: (value) => {
			if (!isObject(value)) return false;
			for (const name in fields) if (fields[name]?.is(value[name]) === false) return false;
			return true;
		},
		repair: (value) => {
			const repaired: RawEntry = isObject(value) ? { ...value } : {};
			for (const [name, field] of Object.entries(fields)) {
				if (!field.is(repaired[name])) repaired[name] = field.repair(repaired[name]);
			}
			return repaired;
		},
	};
}

const cost = objectOf({
	input: defaulted(number),
	output: defaulted(number),
	cacheRead: defaulted(number),
	cacheWrite: defaulted(number),
	total: defaulted(number),
	totalFromProvider: optional(boolean),
} satisfies FieldsOf<Usage["cost"], never>);

/** Tokens and cost; missing numbers become 0, as in version 1 files. */
export const usage = objectOf({
	input: defaulted(number),
	output: defaulted(number),
	cacheRead: defaulted(number),
	cacheWrite: defaulted(number),
	cacheWrite1h: optional(number),
	reasoning: optional(number),
	totalTokens: optional(number),
	cost: defaulted(cost),
} satisfies FieldsOf<Usage, never>);

const toolCall = objectOf({
	id: required(textField),
	name: required(textField),
	arguments: required(objectField),
	thoughtSignature: optional(textField),
	namespace: optional(textField),
	argumentsError: optional(textField),
} satisfies BlockFields<"toolCall">);

const BLOCKS: ReadonlyMap<unknown, FieldRule> = new Map(
	Object.entries({
		text: objectOf({ text: required(textField), textSignature: optional(textField) } satisfies BlockFields<"text">),
		thinking: objectOf({
			thinking: required(textField),
			thinkingSignature: optional(textField),
			redacted: optional(boolean),
		} satisfies BlockFields<"thinking">),
		image: objectOf({ data: required(textField), mimeType: required(textField) } satisfies BlockFields<"image">),
		toolCall,
	} satisfies Record<ContentBlock["type"], FieldRule>),
);

type BlockFields<Type extends ContentBlock["type"]> = FieldsOf<Extract<ContentBlock, { type: Type }>, "type">;

/** Content blocks. A block that does not match its own type is shown as its JSON. */
export const blocks: FieldRule<readonly unknown[]> = {
	is: (value) => Array.isArray(value) && value.every(isValidBlock),
	repair: repairedContent,
};

export const content: FieldRule<string | readonly unknown[]> = {
	is: (value) => typeof value === "string" || blocks.is(value),
	repair: repairedContent,
};

export const sections: FieldRule<RawEntry> = {
	is: (value) => isObject(value) && Object.values(value).every((part) => part === null || textField.is(part)),
	repair: (value) =>
		Object.fromEntries(
			Object.entries(isObject(value) ? value : {}).map(([name, part]) => [name, textField.repair(part)]),
		),
};

/** Only their names are known. */
export const tools: FieldRule<readonly unknown[]> = {
	is: (value) => Array.isArray(value) && value.every(isTool),
	repair: (value) => (Array.isArray(value) ? value.filter(isTool) : []),
};

const nestedCall = objectOf({
	id: defaulted(textField),
	name: required(textField),
	arguments: optional(objectField),
	argumentsBytes: optional(number),
	status: defaulted(textField),
	durationMs: optional(number),
	error: optional(textField),
} satisfies FieldsOf<NestedToolCall, never>);

export const nestedCalls = objectOf({
	calls: required({ is: (value) => Array.isArray(value) && value.every(nestedCall.is), repair: () => [] }),
	complete: defaulted(boolean),
} satisfies FieldsOf<NonNullable<ToolResultMessage["nestedCalls"]>, never>);

/** What a `context_edit` replaces its target's content with. */
export const replacement: Field<object | null> = {
	is: (value) => value === null || (isObject(value) && content.is(value.content)),
	repair: () => null,
	report: "absent",
	problem: "is neither null nor content; it is shown as leaving the target out",
};

function isValidBlock(block: unknown): boolean {
	if (!isObject(block) || typeof block.type !== "string") return false;
	return BLOCKS.get(block.type)?.is(block) ?? true;
}

function repairedContent(value: unknown): readonly unknown[] {
	if (value === undefined || value === null || value === "") return [];
	if (!Array.isArray(value)) return [{ type: "text", text: printed(value) }];
	return value.map((block) => (isValidBlock(block) ? block : repairedBlock(block)));
}

function repairedBlock(block: unknown): unknown {
	const isNamedCall = isObject(block) && block.type === "toolCall" && typeof block.name === "string";
	return isNamedCall ? toolCall.repair(block) : { type: "text", text: printed(block) };
}

function isTool(value: unknown): boolean {
	return isObject(value) && typeof value.name === "string";
}

function printed(value: unknown): string {
	return typeof value === "string" ? value : printJson(value);
}
