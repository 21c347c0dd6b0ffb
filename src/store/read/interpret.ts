import { isObject } from "../../shared/json.ts";
import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { DiagnosticList } from "../format/diagnostic.ts";
import { FILE_FORMS } from "../format/file-form.ts";
import { nameIdsSteps } from "../format/file-ids.ts";
import { migrateSteps, versionOf } from "../format/migrate.ts";
import { CURRENT_SESSION_VERSION, type RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { SessionEntry, SessionHeader } from "../format/schema.ts";
import type { SessionTree } from "../tree/session-table.ts";
import { type ParentOddity, SessionTable } from "../tree/session-table.ts";

/** UTF-16 units of an id in a message. */
const MAX_ID_LENGTH = 60;

export interface ParsedLine {
	/** 1-based. */
	readonly line: number;
	readonly value: RawEntry;
	/** Whether the value is a held message (store/held), known to be without oddities, so that it is not checked. */
	readonly isHeld?: boolean;
}

export interface Interpretation {
	/** Undefined if the file has none; a missing `id`, `timestamp` or `cwd` is "". */
	readonly header: SessionHeader | undefined;
	/** The file's version, 1 if it has none; the entries are always those of version 3. */
	readonly version: number;
	/** In file order, with unique ids; every field that their type promises is present, even if the file lacks it. */
	readonly entries: readonly SessionEntry[];
	/** 1-based line by entry id. */
	readonly lines: ReadonlyMap<string, number>;
	readonly tree: SessionTree;
}

/**
 * Makes a session of the lines of a file of `size` bytes; migrates them in place. Oddities become diagnostics; nothing is left
 * out.
 */
export function* interpretSteps(
	lines: readonly ParsedLine[],
	size: number,
	diagnostics: DiagnosticList,
): Steps<Interpretation> {
	if (size === 0) diagnostics.add("empty", "damage", "The file is empty; pi does not list it.");
	else if (lines.length === 0 && !diagnostics.has(FILE_FORMS))
		diagnostics.add("not-a-session", "damage", "The file has no usable line; it is not a pi session.");
	const header = readHeader(lines, diagnostics);
	const values = lines.map((line) => line.value);
	const migration = yield* migrateSteps(values);
	yield* nameIdsSteps(values, migration.withoutId);
	const withoutId = new Set(migration.withoutId);
	const entries: SessionEntry[] = [];
	const lineOf: number[] = [];
	for (const [index, { line, value, isHeld }] of lines.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		if (value.type === "session") continue;
		lineOf.push(line);
		if (isHeld) {
			entries.push(value as unknown as SessionEntry);
			continue;
		}
		if (withoutId.has(value)) {
			diagnostics.add("entry-field", "note", `The entry on line ${line} has no \`id\`; it got one in memory.`, line);
		}
		const { entry, problems } = repairEntry(value);
		reportProblems(value, problems, line, diagnostics);
		entries.push(entry);
	}
	let built = yield* SessionTable.of(entries, lineOf);
	if (built.table.entries.length < entries.length)
		built = yield* SessionTable.of(yield* uniqueIds(entries, lineOf, diagnostics), lineOf);
	const { table, oddities } = built;
	for (const [oddity, index] of oddities) reportOddity(oddity, table.entries[index], lineOf[index] ?? 0, diagnostics);
	return { header, version: migration.from, entries: table.entries, lines: table.lines(), tree: table.tree() };
}

function readHeader(lines: readonly ParsedLine[], diagnostics: DiagnosticList): SessionHeader | undefined {
	const headers = lines.filter((line) => line.value.type === "session");
	const [first, ...extraHeaders] = headers;
	if (first === undefined) {
		// The form of the file says it all.
		if (lines.length > 0 && !diagnostics.has(FILE_FORMS)) {
			diagnostics.add("not-a-session", "damage", "The file has no session header; pi does not list or open it.");
		}
		return undefined;
	}
	const { line, value } = first;
	if (first !== lines[0]) {
		const message = `The header is on line ${line}, after other entries; pi does not list or open the file.`;
		diagnostics.add("header-field", "damage", message, line);
	}
	for (const other of extraHeaders) {
		const message = `Line ${other.line} is a second header; the first one counts, as in pi.`;
		diagnostics.add("extra-header", "note", message, other.line);
	}
	return checkedHeader(value, line, diagnostics);
}

/** The header in a line, repaired; oddities become diagnostics. */
export function checkedHeader(value: RawEntry, line: number, diagnostics: DiagnosticList): SessionHeader {
	const version = versionOf(value);
	if (value.version !== undefined && typeof value.version !== "number") {
		diagnostics.add(
			"header-field",
			"note",
			`The header's \`version\` is not a number; it is taken as ${version}, as in pi.`,
			line,
		);
	}
	if (version < CURRENT_SESSION_VERSION) {
		const message = `The file has version ${version}; it is shown as version ${CURRENT_SESSION_VERSION} and left as it is.`;
		diagnostics.add("old-version", "note", message, line);
	} else if (version > CURRENT_SESSION_VERSION) {
		const message = `The file has version ${version}, newer than ${CURRENT_SESSION_VERSION}, the newest known here.`;
		diagnostics.add("newer-version", "note", message, line);
	}
	if (typeof value.id !== "string") {
		diagnostics.add("header-field", "damage", "The header has no `id`; pi cannot open the session.", line);
	}
	for (const name of ["timestamp", "cwd"]) {
		if (typeof value[name] !== "string") {
			diagnostics.add("header-field", "note", `The header has no \`${name}\`.`, line);
		}
	}
	const parentSession = textOr(value.parentSession, undefined);
	return {
		...value,
		type: "session",
		version,
		id: textOr(value.id, ""),
		timestamp: textOr(value.timestamp, ""),
		cwd: textOr(value.cwd, ""),
		...(parentSession === undefined ? {} : { parentSession }),
	};
}

export function reportProblems(
	value: RawEntry,
	problems: readonly string[],
	line: number,
	diagnostics: DiagnosticList,
): void {
	if (problems.length === 0) return;
	const severity = value.type === "message" && !isObject(value.message) ? "damage" : "note";
	diagnostics.add("entry-field", severity, `The entry on line ${line} is odd: ${problems.join(", ")}.`, line);
}

/** The last entry of several with the same id keeps it, as in pi; the others get an id with their line number in it. */
function* uniqueIds(
	entries: readonly SessionEntry[],
	lineOf: readonly number[],
	diagnostics: DiagnosticList,
): Steps<readonly SessionEntry[]> {
	const owner = new Map<string, number>();
	for (const [index, entry] of entries.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		owner.set(entry.id, index);
	}
	const unique: SessionEntry[] = [];
	for (const [index, entry] of entries.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		const last = owner.get(entry.id) ?? index;
		if (last === index) {
			unique.push(entry);
			continue;
		}
		const line = lineOf[index] ?? 0;
		const id = freeId(`${entry.id}~${line}`, owner);
		owner.set(id, index);
		const message = `Line ${line} has the id ${shortened(entry.id)}, as line ${lineOf[last]} has; it is shown under the id ${shortened(id)}.`;
		diagnostics.add("duplicate-id", "note", message, line);
		unique.push(withId(entry, id));
	}
	return unique;
}

/** A copy of an entry with another id. A held message copies itself: its message is not a field. */
function withId(entry: SessionEntry, id: string): SessionEntry {
	return "withId" in entry && typeof entry.withId === "function" ? entry.withId(id) : { ...entry, id };
}

function freeId(start: string, used: ReadonlyMap<string, number>): string {
	let id = start;
	while (used.has(id)) id = `${id}~`;
	return id;
}

function reportOddity(
	oddity: ParentOddity,
	entry: SessionEntry | undefined,
	line: number,
	diagnostics: DiagnosticList,
): void {
	const where = `The entry ${shortened(entry?.id ?? "")} on line ${line}`;
	if (oddity === "missing-parent") {
		const message = `${where} has the parent ${shortened(entry?.parentId ?? "")}, which is not in the file; it is shown as a root.`;
		diagnostics.add("missing-parent", "damage", message, line);
	} else if (oddity === "self-parent") {
		diagnostics.add("parent-cycle", "note", `${where} is its own parent; it is shown as a root.`, line);
	} else {
		diagnostics.add("parent-cycle", "note", `${where} is among its own ancestors; it is shown as a root.`, line);
	}
}

/** An id in a file may be a text of any length. */
function shortened(id: string): string {
	return id.length > MAX_ID_LENGTH ? `${id.slice(0, MAX_ID_LENGTH)}…` : id;
}

function textOr<Default>(value: unknown, otherwise: Default): string | Default {
	return typeof value === "string" ? value : otherwise;
}
