import { isObject } from "../../shared/json.ts";
import { fieldsOf, textOf } from "../../store/format/fields.ts";
import { versionOf } from "../../store/format/migrate.ts";
import { parseLine } from "../../store/format/parse.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";
import { repairEntry } from "../../store/format/repair-entry.ts";
import { type FileLine, rawLine } from "../../store/read/line-reader.ts";
import { SessionCheck } from "../../store/read/session-check.ts";
import { BranchTracker, type TrackedRewind } from "../branches/branch-tracker.ts";
import { forkedAtMs, isCopied, reportHash } from "../families/copied-entries.ts";
import { isReport } from "../families/report-reader.ts";
import type { RunReport } from "../families/run-report.ts";
import { type StartedPi, startedAfter } from "../families/started-pi.ts";
import type { Rewound } from "../model/counts.ts";
import { determinesEnding, type EndState, endAfter, NOTHING_SAID } from "../model/ending.ts";
import { isUsageOfRuns, ReportedRuns } from "./reported-runs.ts";
import {
	countEntry,
	countSpending,
	countsOfPath,
	emptyNumbers,
	type SessionNumbers,
	sharedCounts,
} from "./session-numbers.ts";
import { StepEnds } from "./step-ends.ts";
import { localDay, tokensOf, usageOf } from "./usage.ts";
import { timing } from "./work-time.ts";

export interface StoredNumbers {
	readonly numbers: SessionNumbers;
	/** Hashes of the entries with a usage, or with reports of runs, that this session counts. */
	readonly own: Float64Array;
	/** Hashes of such entries that it also contains, but another session counts. */
	readonly others: Float64Array;
}

export interface TallyOptions {
	/** The hashes of the entries that some session counts. */
	readonly owners: ReadonlySet<number>;
	/** The hashes of the entries of the session from which this one was forked; undefined if that is not known. */
	readonly inherited: ReadonlySet<number> | undefined;
	readonly reportsIn: (entry: RawEntry) => readonly RunReport[];
}

/** The tree of a larger session is checked only when it is opened: the check keeps a record of each entry. */
const MAX_CHECKED_ENTRIES = 20_000;

/** Adds up the lines of one session, and finds all its oddities. */
export class SessionTally {
	readonly check = new SessionCheck(MAX_CHECKED_ENTRIES);
	readonly #options: TallyOptions;
	readonly #numbers = emptyNumbers();
	/** Where the line of spending is, by model and day: a session may name any number of models. */
	readonly #spendingLines = new Map<string, number>();
	readonly #runs = new ReportedRuns();
	#started: readonly StartedPi[] = [];
	readonly #own = new Set<number>();
	readonly #others = new Set<number>();
	readonly #tree = new BranchTracker();
	readonly #ends = new StepEnds();
	#lines = 0;
	#version: number | undefined;
	/** When its header was written, Unix ms, if that names a parent: older entries are copies. 0 if not. */
	#forkedMs = 0;
	#cwd = "";
	/** Whether the last answer counts for this session, and so the work on the entries that follow it. */
	#isOwn = true;

	constructor(options: TallyOptions) {
		this.#options = options;
	}

	/** Adds the next line; an unfinished one is only checked, not counted. */
	add(line: FileLine): void {
		const { next, offset, terminated } = line;
		this.#lines += 1;
		const entry = parseLine(rawLine(line, this.#lines), this.check.diagnostics);
		if (entry) this.check.add(entry, this.#lines);
		if (!terminated) return;
		if (entry?.type === "session") this.#addHeader(entry);
		else if (entry) this.#addEntry(entry, offset, next - offset);
	}

	#addWork(atMs: number, tookMs: number): void {
		const { worked } = this.#numbers;
		const day = localDay(atMs);
		worked.set(day, (worked.get(day) ?? 0) + tookMs);
	}

	/** What to store; add no lines afterwards. `read` reads the entry at an offset again. */
	finish(read: (offset: number) => RawEntry | undefined): StoredNumbers {
		const tree = this.#tree;
		const numbers = this.#numbers;
		const { accounts, amounts, ...abandoned } = tree.finish(this.#version ?? 1);
		numbers.abandoned = abandoned;
		for (const [at, line] of numbers.spending.entries())
			if (accounts.has(at)) numbers.spending[at] = { ...line, abandoned: accounts.get(at) };
		for (const [atMs, tookMs] of tree.worked()) this.#addWork(atMs, tookMs);
		const { ending, endedMs } = endOfPath(tree.pathUp(), read);
		numbers.counts = {
			...countsOfPath(numbers.counts, amounts),
			branches: tree.ends(),
			rewound: rewoundBy(tree.rewind(), read),
			ending,
			endedMs,
			...this.#runs.counts(),
			...(this.#started.length > 0 && { started: this.#started }),
			...sharedCounts(numbers),
		};
		return { numbers, own: Float64Array.from(this.#own), others: Float64Array.from(this.#others) };
	}

	#addHeader(header: RawEntry): void {
		if (this.#version !== undefined) return;
		this.#version = versionOf(header);
		this.#forkedMs = forkedAtMs(header);
		this.#cwd = textOf(header.cwd);
	}

	#addEntry(entry: RawEntry, offset: number, length: number): void {
		this.#tree.add(entry, offset, length);
		const { owners, inherited, reportsIn } = this.#options;
		const reports = isReport(entry) ? reportsIn(entry) : [];
		const usage = usageOf(entry);
		const hash = usage?.hash ?? (reports.length > 0 ? reportHash(entry) : undefined);
		const isCopy = isCopied(entry, hash, { forkedMs: this.#forkedMs, inherited });
		const isReported = isUsageOfRuns(reports);
		const failed = this.#ends.add(entry) === "failed";
		const counted = countEntry(this.#numbers, entry, { failed, isReported, isCopied: isCopy });
		this.#tree.count(counted);
		// Entries that a fork has copied report on the runs of its parent.
		if (!isCopy) this.#started = startedAfter(this.#started, entry, this.#cwd);
		if (!isCopy) this.#runs.add(reports, usage && { tokens: tokensOf(usage.spent), cost: usage.spent.cost });
		const isOwn = hash !== undefined && !this.#own.has(hash) && !owners.has(hash);
		// The results that follow an answer, which have no usage, belong to the same session.
		if (usage) this.#isOwn = isOwn;
		this.#addTime(entry, this.#isOwn && !isCopy);
		if (hash === undefined || this.#own.has(hash)) return;
		if (!isOwn) {
			this.#others.add(hash);
			return;
		}
		this.#own.add(hash);
		if (!usage || isReported) return;
		const line = countSpending(this.#numbers, usage, this.#spendingLines);
		this.#tree.charge(tokensOf(usage.spent), usage.spent.cost, line);
	}

	/** Notes when an entry was written, and whether it was work that counts for this session. */
	#addTime(entry: RawEntry, isOwn: boolean): void {
		const kind = timing(entry.type, isObject(entry.message) ? entry.message.role : "");
		const ms = kind === undefined ? 0 : Math.max(0, timeOf(entry.timestamp) || 0);
		this.#tree.time(ms, isOwn && kind === "work");
	}
}

function rewoundBy(
	rewind: TrackedRewind | undefined,
	read: (offset: number) => RawEntry | undefined,
): Rewound | undefined {
	if (rewind === undefined) return undefined;
	const { byOffset, endOffset, ...facts } = rewind;
	const [by, end] = [read(byOffset), read(endOffset)];
	const ms = timeOf(by?.timestamp);
	// No entry can follow one without an id.
	if (typeof end?.id !== "string") return undefined;
	return { ...facts, by: String(by?.type), byMs: Number.isNaN(ms) ? 0 : ms, endId: end.id };
}

/** The state at the end of a path, given by the offsets of its lines from the leaf up. */
function endOfPath(pathUp: Iterable<number>, read: (offset: number) => RawEntry | undefined): EndState {
	const messages: RawEntry[] = [];
	for (const offset of pathUp) {
		const entry = read(offset);
		if (!entry) continue;
		const message = entry.type === "message" && isObject(entry.message) ? entry.message : undefined;
		const isLast = determinesEnding(message?.role);
		// As the store repairs them: a call without a name, say, is shown as text, and no result can be missing.
		if (isLast || entry.type === "context_edit") messages.push(fieldsOf(repairEntry(entry).entry));
		// Without the result's text: it may be of any length, and there may be many.
		else if (message) messages.push({ ...entry, message: { role: message.role, toolCallId: message.toolCallId } });
		if (isLast) break;
	}
	return messages.reduceRight(endAfter, NOTHING_SAID);
}
