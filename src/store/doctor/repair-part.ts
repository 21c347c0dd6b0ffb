import { printJson } from "../../shared/print-json.ts";
import { runToEnd } from "../../shared/steps.ts";
import { nameIdsSteps } from "../format/file-ids.ts";
import { newEntryId, newSessionId } from "../format/ids.ts";
import { CURRENT_SESSION_VERSION } from "../format/known-types.ts";
import { migrateSteps } from "../format/migrate.ts";
import type { RawEntry } from "../format/parse.ts";
import { repairEntry } from "../format/repair-entry.ts";
import { orphanedResults } from "./orphaned-results.ts";
import type { DroppedLine, Part, PartLine } from "./read-parts.ts";

/** A session as a repaired copy has it. */
export interface RepairedPart {
	/** Header first. */
	readonly lines: readonly RawEntry[];
	readonly dropped: readonly DroppedLine[];
	/** What is not as it was, a sentence each. */
	readonly changes: readonly string[];
}

/** The fields in which an entry names another one, besides its parent. */
const REFERENCES = ["targetId", "firstKeptEntryId", "fromId"] as const;

/**
 * Makes a session that pi reads, shows and goes on with of one that is damaged; the given values are changed. What is said in
 * it stays as it is; entries whose parent is lost go on from the entry before them; results without their call, which make
 * providers refuse everything after them, are left out, and so is what stands there twice. `from`: the damaged file.
 */
export function repairPart(part: Part, from: string, now: Date): RepairedPart {
	const changes: string[] = [];
	const header = headerOf(part, from, now, changes);
	const values = [header, ...part.entries.map(({ value }) => value)];
	const { withoutId } = runToEnd(migrateSteps(values));
	runToEnd(nameIdsSteps(values, withoutId));
	if (Number(header.version) < CURRENT_SESSION_VERSION) header.version = CURRENT_SESSION_VERSION;
	const once = withoutRepeats(part.entries);
	nameAnew(once.kept, changes);
	connect(once.kept, changes);
	repairFields(once.kept, changes);
	const whole = withoutOrphans(once.kept);
	const dropped = [...part.dropped, ...once.dropped, ...whole.dropped].sort((a, b) => a.line - b.line);
	return { lines: [header, ...whole.kept.map(({ value }) => value)], dropped, changes };
}

/** A new id, since the damaged file keeps its own; it says where it comes from. */
function headerOf({ header, entries }: Part, from: string, now: Date, changes: string[]): RawEntry {
	const first = entries.find(({ value }) => typeof value.timestamp === "string")?.value.timestamp;
	if (header === undefined) changes.push("It had no header; the copy's says no directory: pi asks for one.");
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

interface Sifted {
	readonly kept: readonly PartLine[];
	readonly dropped: readonly DroppedLine[];
}

/** Lines that stand there twice, byte for byte but for blanks, were written twice. */
function withoutRepeats(entries: readonly PartLine[]): Sifted {
	const seen = new Map<string, number>();
	const kept: PartLine[] = [];
	const dropped: DroppedLine[] = [];
	for (const entry of entries) {
		const text = printJson(entry.value);
		const first = seen.get(text);
		if (first === undefined) kept.push(entry);
		else dropped.push({ line: entry.number, why: `Line ${entry.number} is the same as line ${first}.` });
		seen.set(text, first ?? entry.number);
	}
	return { kept, dropped };
}

/** Of entries with the same id the later ones get another one, and so do the names by which what follows calls them. */
function nameAnew(entries: readonly PartLine[], changes: string[]): void {
	const used = new Set(entries.map(({ value }) => String(value.id)));
	const seen = new Set<string>();
	const names = new Map<unknown, string>();
	for (const { number, value } of entries) {
		for (const field of ["parentId", ...REFERENCES]) {
			const name = names.get(value[field]);
			if (name !== undefined) value[field] = name;
		}
		const id = String(value.id);
		if (!seen.has(id)) {
			seen.add(id);
			continue;
		}
		const name = newEntryId((candidate) => used.has(candidate));
		used.add(name);
		names.set(id, name);
		value.id = name;
		changes.push(`Line ${number} had the id of an earlier entry; it is called ${name} now.`);
	}
}

/** Gives every entry a parent that is there; the first of a cycle, and what has lost its parent, goes on from the line before. */
function connect(entries: readonly PartLine[], changes: string[]): void {
	const byId = new Map(entries.map((entry) => [entry.value.id, entry]));
	// A parent stands before its child, except in odd files: only those may have cycles.
	const isOdd = entries.some(({ number, value }) => (byId.get(value.parentId)?.number ?? 0) >= number);
	let before: PartLine | undefined;
	for (const entry of entries) {
		const { value, number } = entry;
		value.parentId ??= null;
		const isLost = value.parentId !== null && !byId.has(value.parentId);
		if (isLost || (isOdd && isInCycle(entry, byId))) {
			value.parentId = before?.value.id ?? null;
			if (isOdd && isInCycle(entry, byId)) value.parentId = null;
			const now = value.parentId === null ? "begins the session now" : `goes on from line ${before?.number} now`;
			changes.push(
				`Line ${number} ${isLost ? "had a parent that is not there" : "was among its own ancestors"}; it ${now}.`,
			);
		}
		before = entry;
	}
}

function isInCycle(start: PartLine, byId: ReadonlyMap<unknown, PartLine>): boolean {
	let at = byId.get(start.value.parentId);
	for (const passed = new Set<PartLine>(); at !== undefined && !passed.has(at); at = byId.get(at.value.parentId)) {
		if (at === start) return true;
		passed.add(at);
	}
	return false;
}

/** Fields of another type than pi's make it throw. */
function repairFields(entries: readonly PartLine[], changes: string[]): void {
	for (const { number, value } of entries) {
		const { entry, problems } = repairEntry(value);
		if (problems.length === 0) continue;
		Object.assign(value, entry);
		changes.push(`Line ${number} was odd and is shown as pi can read it: ${problems.join(", ")}.`);
	}
}

function withoutOrphans(entries: readonly PartLine[]): Sifted {
	const orphans = orphanedResults(entries.map(({ value }) => value));
	const parentOf = new Map([...orphans].map(({ id, parentId }) => [id, parentId]));
	const dropped: DroppedLine[] = [];
	const kept: PartLine[] = [];
	for (const entry of entries) {
		if (orphans.has(entry.value)) {
			dropped.push({ line: entry.number, why: `Line ${entry.number} is the result of a call that is not there.` });
			continue;
		}
		while (parentOf.has(entry.value.parentId)) entry.value.parentId = parentOf.get(entry.value.parentId);
		kept.push(entry);
	}
	return { kept, dropped };
}
