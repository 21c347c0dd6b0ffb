import { printJson } from "../../shared/print-json.ts";
import { runToEnd } from "../../shared/steps.ts";
import { nameIdsSteps } from "../format/file-ids.ts";
import { newEntryId, newSessionId } from "../format/ids.ts";
import { CURRENT_SESSION_VERSION } from "../format/known-types.ts";
import { isHookMessage, migrateSteps, withPresentRole } from "../format/migrate.ts";
import type { RawEntry } from "../format/parse.ts";
import { repairEntry } from "../format/repair-entry.ts";
import { connectEntries } from "./connect-entries.ts";
import { callLinks, linkedRoles, orphanedResults } from "./orphaned-results.ts";
import type { Part, PartLine } from "./read-parts.ts";
import { type Told, ToldList } from "./told.ts";

/** A session as a repaired copy has it. */
export interface RepairedPart {
	/** Header first. */
	readonly lines: readonly RawEntry[];
	/** Lines that are not in it, a sentence each. */
	readonly dropped: Told;
	/** What is not as it was, a sentence each. */
	readonly changes: Told;
}

/** The fields in which an entry names another one, besides its parent. */
const REFERENCES = ["targetId", "firstKeptEntryId", "fromId"] as const;

/**
 * Makes a session that pi reads, shows and goes on with of one that is damaged; the given values are changed. What is said in
 * it stays as it is; entries whose parent is lost go on from the entry before them; results without their call, which make
 * providers refuse everything after them, are left out, and so is what stands there twice. `from`: the damaged file.
 */
export function repairPart(part: Part, from: string, now: Date): RepairedPart {
	const changes = new ToldList();
	const dropped = new ToldList();
	tellDropped(part, dropped);
	const header = headerOf(part, from, now, changes);
	const values = [header, ...part.entries.map(({ value }) => value)];
	const { from: version, isOutdated, withoutId } = runToEnd(migrateSteps(values));
	if (isOutdated) changes.add(0, `It was of version ${version}; the copy is of version ${CURRENT_SESSION_VERSION}.`);
	runToEnd(nameIdsSteps(values, withoutId));
	if (Number(header.version) < CURRENT_SESSION_VERSION) header.version = CURRENT_SESSION_VERSION;
	modernize(part.entries, new Set(withoutId), changes);
	const once = withoutRepeats(part.entries, dropped);
	nameAnew(once, changes);
	connectEntries(once, changes);
	repairFields(once, changes);
	const whole = withoutOrphans(once, dropped);
	return { lines: [header, ...whole.map(({ value }) => value)], dropped: dropped.told, changes: changes.told };
}

function tellDropped({ dropped, reasons }: Part, told: ToldList): void {
	for (const line of dropped) {
		const why = reasons.get(line);
		if (why === undefined) told.addMore(1);
		else told.add(line, why);
	}
}

/** A new id, since the damaged file keeps its own; it says where it comes from. */
function headerOf({ header, entries }: Part, from: string, now: Date, changes: ToldList): RawEntry {
	const first = entries.find(({ value }) => typeof value.timestamp === "string")?.value.timestamp;
	if (header === undefined) changes.add(0, "It had no header; the copy's says no directory: pi asks for one.");
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

/** What became text that was none, what has an id that had none, and messages as version 2 has them in a newer file. */
function modernize(entries: readonly PartLine[], withoutId: ReadonlySet<RawEntry>, changes: ToldList): void {
	for (const { number, value, isBroken } of entries) {
		if (isBroken) changes.add(number, `Line ${number} has bytes that are not UTF-8; in the copy each is \uFFFD.`);
		if (withoutId.has(value)) changes.add(number, `Line ${number} had no id; it has one now.`);
		if (!isHookMessage(value)) continue;
		value.message = withPresentRole(value).message;
		changes.add(number, `Line ${number} had a role of version 2; it has the present one now.`);
	}
}

/** Lines that stand there twice, byte for byte but for blanks, were written twice. */
function withoutRepeats(entries: readonly PartLine[], dropped: ToldList): readonly PartLine[] {
	const repeated = idsTwice(entries);
	const seen = new Map<string, number>();
	return entries.filter(({ number, value }) => {
		if (!repeated.has(value.id)) return true;
		const text = printJson(value);
		const first = seen.get(text);
		if (first !== undefined) dropped.add(number, `Line ${number} is the same as line ${first}.`);
		else seen.set(text, number);
		return first === undefined;
	});
}

function idsTwice(entries: readonly PartLine[]): ReadonlySet<unknown> {
	const seen = new Set<unknown>();
	const twice = new Set<unknown>();
	for (const { value } of entries) (seen.has(value.id) ? twice : seen).add(value.id);
	return twice;
}

/** Of entries with the same id the later ones get another one, and so do the names by which what follows calls them. */
function nameAnew(entries: readonly PartLine[], changes: ToldList): void {
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
		changes.add(number, `Line ${number} had the id of an earlier entry; it has another one now.`);
	}
}

/** Fields of another type than pi's make it throw. */
function repairFields(entries: readonly PartLine[], changes: ToldList): void {
	for (const { number, value } of entries) {
		const { entry, problems } = repairEntry(value);
		if (problems.length === 0) continue;
		Object.assign(value, entry);
		changes.add(number, `Line ${number} was odd and is shown as pi can read it: ${problems.join(", ")}.`);
	}
}

function withoutOrphans(entries: readonly PartLine[], dropped: ToldList): readonly PartLine[] {
	const orphans = orphanedResults(linkedRoles(entries.map(({ value }) => callLinks(value))));
	const parentOf = new Map<unknown, unknown>();
	for (const index of orphans) {
		const value = entries[index]?.value;
		if (value !== undefined) parentOf.set(value.id, value.parentId);
	}
	return entries.filter(({ number, value }, index) => {
		if (orphans.has(index)) {
			dropped.add(number, `Line ${number} is the result of a call that is not there.`);
			return false;
		}
		value.parentId = lastOf(parentOf, value.parentId);
		return true;
	});
}

/** Where a chain of names leads; the names on the way lead there at once from then on. */
function lastOf(next: Map<unknown, unknown>, start: unknown): unknown {
	const passed: unknown[] = [];
	let at = start;
	for (; next.has(at); at = next.get(at)) passed.push(at);
	for (const name of passed) next.set(name, at);
	return at;
}
