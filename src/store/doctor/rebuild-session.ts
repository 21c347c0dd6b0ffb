import { printJson } from "../../shared/json.ts";
import { runToEnd } from "../../shared/steps.ts";
import { nameIdsSteps } from "../format/file-ids.ts";
import { isHookMessage, migrateSteps, versionOf, withPresentRole } from "../format/migrate.ts";
import { newEntryId, newSessionId } from "../format/new-entry.ts";
import { CURRENT_SESSION_VERSION, type RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import { callLinks, linkedRoles, orphanedResults } from "./orphaned-results.ts";
import type { SessionInFile, SourceLine } from "./sessions-in-file.ts";

export interface RepairedSession {
	/** Header first. */
	readonly lines: readonly RawEntry[];
	/** Why lines were left out, a sentence each. */
	readonly dropped: Sentences;
	readonly changes: Sentences;
}

/** Fields by which an entry refers to another one, besides its parent. */
const REFERENCES = ["targetId", "firstKeptEntryId", "fromId"] as const;

/**
 * Makes a damaged session one that pi can read, show and continue; changes the given values. Texts stay as they are; an entry
 * whose parent is missing continues from the entry before it; results without their call, which make providers refuse
 * everything after them, and repeated lines are left out. `from`: path of the damaged file.
 */
export function rebuildSession(session: SessionInFile, from: string, now: Date): RepairedSession {
	const changes = new SentenceList();
	const dropped = new SentenceList();
	addDropped(session, dropped);
	const header = headerOf(session, from, now, changes);
	const values = [header, ...session.entries.map(({ value }) => value)];
	const { from: version, isOutdated, withoutId } = runToEnd(migrateSteps(values));
	if (isOutdated) changes.add(0, `It was of version ${version}; the copy is of version ${CURRENT_SESSION_VERSION}.`);
	runToEnd(nameIdsSteps(values, withoutId));
	if (versionOf(header) < CURRENT_SESSION_VERSION) header.version = CURRENT_SESSION_VERSION;
	modernize(session.entries, new Set(withoutId), changes);
	const once = withoutRepeats(session.entries, dropped);
	renumberIds(once, changes);
	connectEntries(once, changes);
	repairFields(once, changes);
	const whole = withoutOrphans(once, dropped);
	return { lines: [header, ...whole.map(({ value }) => value)], dropped: dropped.all, changes: changes.all };
}

function addDropped({ dropped, reasons }: SessionInFile, sentences: SentenceList): void {
	for (const line of dropped) {
		const why = reasons.get(line);
		if (why === undefined) sentences.count(1);
		else sentences.add(line, why);
	}
}

/** The copy gets a new id, since the damaged file keeps its own, and names that file as its parent. */
function headerOf({ header, entries }: SessionInFile, from: string, now: Date, changes: SentenceList): RawEntry {
	const first = entries.find(({ value }) => typeof value.timestamp === "string")?.value.timestamp;
	if (header === undefined) changes.add(0, "It had no header; the copy's header names no directory: pi asks for one.");
	const value: RawEntry = header?.value ?? { version: CURRENT_SESSION_VERSION };
	return {
		...value,
		type: "session",
		id: newSessionId(),
		timestamp: textOr(value.timestamp, textOr(first, now.toISOString())),
		cwd: textOr(value.cwd, ""),
		parentSession: from,
	};
}

function textOr(value: unknown, otherwise: string): string {
	return typeof value === "string" && value !== "" ? value : otherwise;
}

/** Handles broken bytes, entries that had no id, and messages of version 2 in a newer file. */
function modernize(entries: readonly SourceLine[], withoutId: ReadonlySet<RawEntry>, changes: SentenceList): void {
	for (const { number, value, isBroken } of entries) {
		if (isBroken) changes.add(number, `Line ${number} has bytes that are not UTF-8; in the copy each is \uFFFD.`);
		if (withoutId.has(value)) changes.add(number, `Line ${number} had no id; it has one now.`);
		if (!isHookMessage(value)) continue;
		value.message = withPresentRole(value).message;
		changes.add(number, `Line ${number} had a role of version 2; it has the present one now.`);
	}
}

/** Leaves out lines that were written twice: identical but for blanks. */
function withoutRepeats(entries: readonly SourceLine[], dropped: SentenceList): readonly SourceLine[] {
	const repeated = idsTwice(entries);
	const lineOfText = new Map<string, number>();
	return entries.filter(({ number, value }) => {
		if (!repeated.has(value.id)) return true;
		const text = printJson(value);
		const first = lineOfText.get(text);
		if (first !== undefined) dropped.add(number, `Line ${number} is the same as line ${first}.`);
		else lineOfText.set(text, number);
		return first === undefined;
	});
}

function idsTwice(entries: readonly SourceLine[]): ReadonlySet<unknown> {
	const ids = new Set<unknown>();
	const twice = new Set<unknown>();
	for (const { value } of entries) (ids.has(value.id) ? twice : ids).add(value.id);
	return twice;
}

/** Gives later entries of the same id another one, and changes the references in what follows them. */
function renumberIds(entries: readonly SourceLine[], changes: SentenceList): void {
	const used = new Set(entries.map(({ value }) => String(value.id)));
	const ids = new Set<string>();
	const names = new Map<unknown, string>();
	for (const { number, value } of entries) {
		for (const field of ["parentId", ...REFERENCES]) {
			const name = names.get(value[field]);
			if (name !== undefined) value[field] = name;
		}
		const id = String(value.id);
		if (!ids.has(id)) {
			ids.add(id);
			continue;
		}
		const name = newEntryId((candidate) => used.has(candidate));
		used.add(name);
		names.set(id, name);
		value.id = name;
		changes.add(number, `Line ${number} had the id of an earlier entry; it has another one now.`);
	}
}

/** A field of another type than pi expects makes pi throw. */
function repairFields(entries: readonly SourceLine[], changes: SentenceList): void {
	for (const { number, value } of entries) {
		const { entry, problems } = repairEntry(value);
		if (problems.length === 0) continue;
		Object.assign(value, entry);
		changes.add(number, `Line ${number} was odd and is shown as pi can read it: ${problems.join(", ")}.`);
	}
}

function withoutOrphans(entries: readonly SourceLine[], dropped: SentenceList): readonly SourceLine[] {
	const orphans = orphanedResults(linkedRoles(entries.map(({ value }) => callLinks(value))));
	const parentOf = new Map<unknown, unknown>();
	for (const index of orphans) {
		const value = entries[index]?.value;
		if (value !== undefined) parentOf.set(value.id, value.parentId);
	}
	return entries.filter(({ number, value }, index) => {
		if (orphans.has(index)) {
			dropped.add(number, `Line ${number} is a tool result without its call.`);
			return false;
		}
		value.parentId = lastOf(parentOf, value.parentId);
		return true;
	});
}

/** Follows a chain of ids to its end, and shortens it for the next time. */
function lastOf(next: Map<unknown, unknown>, start: unknown): unknown {
	const passed: unknown[] = [];
	let at = start;
	for (; next.has(at); at = next.get(at)) passed.push(at);
	for (const name of passed) next.set(name, at);
	return at;
}

/** Sentences that are stored; further ones are only counted, so that a huge bad file costs no memory. */
const MAX_STORED = 200;

/** Sentences about lines of a file: the first ones, and the total. */
export interface Sentences {
	readonly sentences: readonly string[];
	readonly total: number;
}

class SentenceList {
	readonly #stored: { readonly line: number; readonly sentence: string }[] = [];
	#total = 0;

	/** `line`: 1-based; 0: about the whole session. */
	add(line: number, sentence: string): void {
		this.#total += 1;
		if (this.#stored.length < MAX_STORED) this.#stored.push({ line, sentence });
	}

	count(count: number): void {
		this.#total += count;
	}

	get all(): Sentences {
		const sorted = this.#stored.toSorted((a, b) => a.line - b.line);
		return { sentences: sorted.map(({ sentence }) => sentence), total: this.#total };
	}
}

/**
 * Gives every entry a parent that exists: an entry with a missing parent, and the first entry of a cycle, continue from the
 * entry before them in the file, or become a root where that would close a cycle again.
 */
function connectEntries(entries: readonly SourceLine[], changes: SentenceList): void {
	const indexOf = new Map(entries.map(({ value }, index) => [value.id, index]));
	const trees = new Trees(entries.length);
	const isCut = new Map<number, "lost" | "cycle">();
	// Backward, so that the edge which closes a cycle is that of its first entry.
	for (let index = entries.length - 1; index >= 0; index--) {
		const value = entries[index]?.value;
		if (value === undefined) continue;
		value.parentId ??= null;
		if (value.parentId === null) continue;
		const parent = indexOf.get(value.parentId);
		if (parent === undefined) isCut.set(index, "lost");
		else if (!trees.join(index, parent)) isCut.set(index, "cycle");
	}
	for (const [index, { number, value }] of entries.entries()) {
		const why = isCut.get(index);
		if (why === undefined) continue;
		const previous = index > 0 && trees.join(index, index - 1) ? entries[index - 1] : undefined;
		value.parentId = previous?.value.id ?? null;
		const had = why === "lost" ? "had a parent that is missing" : "was among its own ancestors";
		const now = previous === undefined ? "now begins the session" : `now continues from line ${previous.number}`;
		changes.add(number, `Line ${number} ${had}; it ${now}.`);
	}
}

/** Which entries are already connected (disjoint sets). */
class Trees {
	readonly #above: Int32Array;

	constructor(size: number) {
		this.#above = Int32Array.from({ length: size }, (_, index) => index);
	}

	/** Joins two sets; false if they were already one. */
	join(a: number, b: number): boolean {
		const [top, other] = [this.#top(a), this.#top(b)];
		this.#above[top] = other;
		return top !== other;
	}

	#top(index: number): number {
		let at = index;
		for (;;) {
			const above = this.#above[at] ?? at;
			if (above === at) return at;
			const next = this.#above[above] ?? above;
			this.#above[at] = next;
			at = next;
		}
	}
}
