import { closeSync, existsSync } from "node:fs";
import type { Steps } from "../../shared/steps.ts";
import { originalOf } from "../files/conflict-copy.ts";
import { openFile, readBytes } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { parseLine } from "../format/parse.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import type { Interpretation } from "../read/interpret.ts";
import { type FileLine, rawLine, readLinesSteps } from "../read/line-reader.ts";
import { sniffLine } from "../read/outline.ts";
import { SessionCheck } from "../read/session-check.ts";
import { findRewind, rewindPlace } from "../tree/rewind.ts";
import type { DoctorCode, Finding, FindingCode } from "./finding.ts";
import { CallColumns, type LinkedRoles, orphanedResults } from "./orphaned-results.ts";
import { LineVersions, SessionStarts } from "./sessions-in-file.ts";

export interface Examination {
	readonly path: string;
	/** Bytes that were read. */
	readonly size: number;
	readonly entries: number;
	readonly sessions: number;
	/** By line, those about the whole file first; only the first ones of each kind. */
	readonly findings: readonly Finding[];
	/** Number of findings of each kind, including those not stored. */
	readonly totals: Readonly<Partial<Record<FindingCode, number>>>;
}

/** Bytes of a line that are quoted. */
const TEXT_BYTES = 400;

/**
 * Examines a file without writing anything. Memory grows with the number of entries, not with the length of their texts.
 * Throws a `StoreError` when the file cannot be read.
 */
export function* examineSteps(path: string): Steps<Examination> {
	try {
		const { fd } = openFile(path);
		try {
			const lines = new ExaminedLines();
			const size = yield* readLinesSteps(fd, { onLine: lines.add });
			const { findings, ...found } = yield* lines.finish(path, size, fd);
			return { ...found, findings: findings.map((finding) => withText(finding, fd, lines.offsets)) };
		} finally {
			closeSync(fd);
		}
	} catch (error) {
		throw storeError(path, "read the session", error);
	}
}

export function unreadable(path: string, why: string): Examination {
	const message = `It cannot be read: ${why.replace(/\.$/, "")}.`;
	const findings: Finding[] = [{ code: "unreadable", severity: "damage", message }];
	return { path, size: 0, entries: 0, sessions: 0, findings, totals: { unreadable: 1 } };
}

class ExaminedLines {
	readonly offsets: number[] = [];
	readonly #check = new SessionCheck();
	readonly #starts = new SessionStarts();
	readonly #versions = new LineVersions();
	readonly #calls = new CallColumns();

	readonly add = (line: FileLine): true => {
		const number = this.offsets.push(line.offset);
		const raw = rawLine(line, number);
		const value = parseLine(raw, this.#check.diagnostics) ?? sniffLine(raw);
		if (value === undefined) return true;
		this.#check.add(value, number);
		this.#starts.add(value, number);
		this.#versions.add(value, number);
		if (value.type !== "session") this.#calls.add(value, line.whole);
		return true;
	};

	*finish(path: string, size: number, fd: number): Steps<Examination> {
		const session = yield* this.#check.interpret(size);
		const ownFindings = new DiagnosticList<DoctorCode>();
		const original = originalOf(path, existsSync);
		if (original !== undefined)
			ownFindings.add("conflict-copy", "note", `It is a copy of ${original} that another program made.`);
		const starts = this.#starts.lines();
		if (starts.length > 1) ownFindings.add("several-sessions", "damage", severalSessions(starts));
		const mixed = this.#versions.mixed();
		if (mixed !== undefined) ownFindings.add("mixed-versions", "damage", mixed.message, mixed.line);
		if (session !== undefined) {
			const { parent } = session.tree.table;
			const read = (index: number): RawEntry | undefined => {
				const line = session.lines.get(session.entries[index]?.id ?? "") ?? 0;
				const [from = size, to = size] = this.offsets.slice(line - 1, line + 1);
				const bytes = readBytes(fd, from, to - from);
				const whole = { number: line, offset: from, bytes, length: bytes.length, terminated: true };
				return parseLine(whole, new DiagnosticList());
			};
			addOrphans(ownFindings, session, this.#calls.linked(parent, read));
			addRewind(ownFindings, session, this.#calls);
		}
		const findings: Finding[] = [...this.#check.diagnostics.stored, ...ownFindings.stored];
		findings.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
		const totals = Object.fromEntries([...this.#check.diagnostics.totals(), ...ownFindings.totals()]);
		const { entries, lines } = session ?? { entries: [], lines: new Map<string, number>() };
		return {
			path,
			size,
			entries: entries.length,
			sessions: starts.length,
			findings: withEntries(findings, lines),
			totals,
		};
	}
}

/** Line numbers listed in a message. */
const MOST_NAMED = 20;

function severalSessions(starts: readonly number[]): string {
	const named = starts.slice(0, MOST_NAMED).join(", ");
	const more = starts.length > MOST_NAMED ? `, and ${starts.length - MOST_NAMED} more` : "";
	return `There are ${starts.length} sessions in the file, which begin on lines ${named}${more}; pi treats them as one.`;
}

function addOrphans(
	findings: DiagnosticList<DoctorCode>,
	{ entries, lines }: Interpretation,
	linked: LinkedRoles,
): void {
	for (const index of orphanedResults(linked)) {
		const line = lines.get(entries[index]?.id ?? "");
		const message = `Line ${line} is a tool result whose call does not precede it; pi cannot continue below it.`;
		findings.add("orphaned-result", "damage", message, line);
	}
}

function addRewind(
	findings: DiagnosticList<DoctorCode>,
	{ entries, lines, tree }: Interpretation,
	calls: CallColumns,
): void {
	if (calls.leafAt(entries.length - 1) === "said") return;
	const rewind = findRewind({
		count: entries.length,
		roleAt: (index) => calls.leafAt(index),
		parentAt: (index) => tree.table.parent[index] ?? -1,
		isPromptAt: (index) => calls.isPromptAt(index),
	});
	if (rewind === undefined) return;
	const line = lines.get(entries[rewind.by]?.id ?? "");
	const hidden = rewind.hidden === 1 ? "1 entry is" : `${rewind.hidden} entries are`;
	const message = `Line ${line} is not at the end of the conversation: since it was added, pi continues from ${rewindPlace(rewind)}, and ${hidden} not on its path.`;
	findings.add("rewound", "note", message, line);
}

function withEntries(findings: readonly Finding[], lines: ReadonlyMap<string, number>): readonly Finding[] {
	const findingLines = new Set(findings.map(({ line }) => line));
	const idOf = new Map<number, string>();
	for (const [id, line] of lines) if (findingLines.has(line)) idOf.set(line, id);
	return findings.map((finding) => {
		const entryId = finding.line === undefined ? undefined : idOf.get(finding.line);
		return entryId === undefined ? finding : { ...finding, entryId };
	});
}

/** Adds the beginning of its line to a finding. */
function withText(finding: Finding, fd: number, offsets: readonly number[]): Finding {
	const offset = finding.line === undefined ? undefined : offsets[finding.line - 1];
	if (offset === undefined) return finding;
	const bytes = readBytes(fd, offset, TEXT_BYTES);
	const end = bytes.indexOf("\n");
	return { ...finding, text: bytes.toString("utf8", 0, end === -1 ? bytes.length : end) };
}
