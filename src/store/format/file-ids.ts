import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { RawEntry } from "./raw-entry.ts";

/** An id by which other entries of a file can refer to an entry. pi writes strings; pi and we also read numbers and booleans. */
type FileId = string | number | boolean;

/** The field in which an entry of this type refers to another one, besides `parentId`. */
const REFERENCE_OF: ReadonlyMap<unknown, string> = new Map([
	["label", "targetId"],
	["context_edit", "targetId"],
	["compaction", "firstKeptEntryId"],
	["branch_summary", "fromId"],
]);

/** Whether other entries can refer to an entry with this `id`; anything else (an object, null, nothing) is not an id. */
export function isFileId(value: unknown): value is FileId {
	return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Whether all ids in the entry are strings, as pi writes them: then they are the same in memory and in the file. */
export function hasTextIds(entry: RawEntry): boolean {
	if (typeof entry.id !== "string" || entry.parentId === undefined) return false;
	return !hasOtherIds(entry);
}

/**
 * Maps ids in memory, which are always strings, to those in the file: there an id may be a number, and an entry may have
 * none. The file is not changed because of that; an appended entry refers to its parent by the id in the file.
 */
export class FileIds {
	readonly #inFile: ReadonlyMap<string, FileId>;
	readonly #missing: ReadonlySet<string>;

	/** `inFile`: the ids that differ in the file; `missing`: ids in memory of entries that have none in the file. */
	constructor(inFile: ReadonlyMap<string, FileId> = new Map(), missing: ReadonlySet<string> = new Set()) {
		this.#inFile = inFile;
		this.#missing = missing;
	}

	/** The ids after the missing ones were written to the file. */
	get completed(): FileIds {
		return this.#missing.size === 0 ? this : new FileIds(this.#inFile);
	}

	/** The id as it stands in the file; undefined if the entry has none there. */
	inFile(id: string): FileId | undefined {
		return this.#missing.has(id) ? undefined : (this.#inFile.get(id) ?? id);
	}

	/** Whether pi can follow a reference to this parent: the id is in the file, and is not 0, false or "". */
	canBeParent(id: string): boolean {
		return Boolean(this.inFile(id));
	}

	/** Whether the entry, or its parent, has an id only in memory. */
	isCompleted({ id, parentId }: { readonly id: string; readonly parentId?: string | null }): boolean {
		return this.#missing.has(id) || (typeof parentId === "string" && this.#missing.has(parentId));
	}

	/** The entry with its ids in the form of the file; ids missing there stay as they are in memory. */
	toFile(entry: object): RawEntry {
		const written: RawEntry = { ...entry };
		if (this.#inFile.size === 0) return written;
		for (const name of idFields(written)) {
			const id = written[name];
			const raw = typeof id === "string" ? this.#inFile.get(id) : undefined;
			if (raw !== undefined) written[name] = raw;
		}
		return written;
	}
}

/**
 * Makes all ids and references in the entries strings, in place: 5 becomes "5", or "5~" if the file has the string "5" too,
 * because pi treats those as different entries. `missing`: entries that had no id and were given one.
 */
export function* nameIdsSteps(entries: readonly RawEntry[], missing: readonly RawEntry[]): Steps<FileIds> {
	let hasOthers = false;
	for (const [index, entry] of entries.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		hasOthers ||= entry.type !== "session" && hasOtherIds(entry);
	}
	const names = hasOthers ? yield* otherNames(entries) : new Map<FileId, string>();
	for (const [index, entry] of names.size > 0 ? entries.entries() : []) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		if (entry.type === "session") continue;
		for (const field of idFields(entry)) {
			const value = entry[field];
			const name = isFileId(value) ? names.get(value) : undefined;
			if (name !== undefined) entry[field] = name;
		}
	}
	const inFile = new Map<string, FileId>();
	for (const [id, name] of names) inFile.set(name, id);
	return new FileIds(inFile, new Set(missing.map((entry) => String(entry.id))));
}

/** A string for each id that is not one, distinct from all ids of the file. */
function* otherNames(entries: readonly RawEntry[]): Steps<Map<FileId, string>> {
	const texts = new Set<string>();
	const names = new Map<FileId, string>();
	for (const [index, entry] of entries.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		if (entry.type === "session") continue;
		for (const field of idFields(entry)) {
			const value = entry[field];
			if (typeof value === "string") texts.add(value);
			else if (isFileId(value)) names.set(value, "");
		}
	}
	for (const id of names.keys()) {
		let name = String(id);
		while (texts.has(name)) name += "~";
		texts.add(name);
		names.set(id, name);
	}
	return names;
}

function idFields({ type }: RawEntry): readonly string[] {
	const reference = REFERENCE_OF.get(type);
	return reference === undefined ? ["id", "parentId"] : ["id", "parentId", reference];
}

function hasOtherIds(entry: RawEntry): boolean {
	const reference = REFERENCE_OF.get(entry.type);
	return isOther(entry.id) || isOther(entry.parentId) || (reference !== undefined && isOther(entry[reference]));
}

function isOther(value: unknown): boolean {
	return typeof value === "number" || typeof value === "boolean";
}
