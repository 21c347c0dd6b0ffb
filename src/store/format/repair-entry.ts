import { isObject } from "../../shared/json.ts";
import { ENTRY_FIELDS, fieldRulesOf, MESSAGE_FIELDS } from "./entry-fields.ts";
import type { Field, FieldRules } from "./field-rules.ts";
import { isFileId } from "./file-ids.ts";
import { type RawEntry, timeOf } from "./raw-entry.ts";
import type { SessionEntry } from "./schema.ts";

interface RepairedEntry {
	readonly entry: SessionEntry;
	readonly problems: readonly string[];
}

/**
 * Makes an entry safe to show: each field that its type promises exists and has the promised type. The entry itself
 * is not changed, and is returned as it is if nothing is wrong. Unknown types, roles, blocks and fields are left
 * alone.
 */
export function repairEntry(raw: RawEntry): RepairedEntry {
	const problems: string[] = [];
	let entry = repairBase(raw, problems);
	const type = String(entry.type);
	entry = repairFields(entry, fieldRulesOf(ENTRY_FIELDS, type), "its", problems);
	if (type === "message" && isObject(entry.message)) {
		entry = withField(entry, "message", repairMessage(entry.message, entry.timestamp, problems));
	} else if (type === "compaction" && isObject(entry.systemMessage)) {
		const system = withField(entry.systemMessage, "role", "system");
		entry = withField(entry, "systemMessage", repairMessage(system, entry.timestamp, problems));
	}
	// Every field that the type names was checked above, by its rule or by name.
	return { entry: entry as unknown as SessionEntry, problems };
}

function repairBase(raw: RawEntry, problems: string[]): RawEntry {
	let entry = raw;
	if (typeof entry.type !== "string") {
		problems.push("it has no `type`");
		entry = withField(entry, "type", "");
	}
	if (typeof entry.timestamp !== "string") {
		if (entry.timestamp !== undefined) problems.push("its `timestamp` is not text");
		const time = timeOf(entry.timestamp);
		entry = withField(entry, "timestamp", Number.isNaN(time) ? "" : new Date(time).toISOString());
	}
	if (isFileId(entry.parentId)) {
		entry = withField(entry, "parentId", String(entry.parentId));
	} else if (entry.parentId !== null) {
		if (entry.parentId !== undefined) problems.push("its `parentId` is neither text nor null; it is shown as a root");
		entry = withField(entry, "parentId", null);
	}
	return entry;
}

function repairMessage(raw: RawEntry, entryTimestamp: unknown, problems: string[]): RawEntry {
	let message = raw;
	if (typeof message.role !== "string") {
		problems.push("its message has no `role`");
		message = withField(message, "role", "");
	}
	message = repairFields(message, fieldRulesOf(MESSAGE_FIELDS, String(message.role)), "its message's", problems);
	if (typeof message.timestamp !== "number") {
		const time = timeOf(message.timestamp ?? entryTimestamp);
		message = withField(message, "timestamp", Number.isNaN(time) ? 0 : time);
	}
	return message;
}

function repairFields(object: RawEntry, fields: FieldRules, whose: string, problems: string[]): RawEntry {
	let repaired = object;
	for (const name in fields) {
		const field = fields[name];
		const value = object[name];
		if (field === undefined || field.is(value)) continue;
		const problem = problemOf(field, value);
		if (problem !== undefined) problems.push(`${whose} \`${name}\` ${problem}`);
		repaired = withField(repaired, name, field.repair(value));
	}
	return repaired;
}

function problemOf({ report, problem, tolerates }: Field, value: unknown): string | undefined {
	const isAbsent = value === undefined || value === null;
	if (report === "never" || (isAbsent && report === "wrong") || tolerates?.(value)) return undefined;
	return problem ?? (isAbsent ? "is missing" : "is of the wrong type");
}

function withField(object: RawEntry, name: string, value: unknown): RawEntry {
	return object[name] === value ? object : { ...object, [name]: value };
}
