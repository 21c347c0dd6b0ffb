import { isObject } from "../../shared/json.ts";
import { DiagnosticList } from "../../store/format/diagnostic.ts";
import { textOf } from "../../store/format/fields.ts";
import { isFileId } from "../../store/format/file-ids.ts";
import { versionOf } from "../../store/format/migrate.ts";
import { parseLine } from "../../store/format/parse.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";
import { type FileLine, rawLine } from "../../store/read/line-reader.ts";
import { leafRole } from "../../store/tree/rewind.ts";
import { BranchTracker, type TrackedRewind } from "../branches/branch-tracker.ts";
import { forkedAtMs, isCopied, reportHash } from "../families/copied-entries.ts";
import { isReport } from "../families/report-reader.ts";
import type { RunReport } from "../families/run-report.ts";
import { type StartedPi, startedAfter } from "../families/started-pi.ts";
import type { Rewound } from "../model/counts.ts";
import { determinesEnding, type EndState, endAfter, NOTHING_SAID } from "../model/ending.ts";
import { type CountState, NOTHING_COUNTED } from "./numbers-json.ts";
import { isUsageOfRuns, ReportedRuns } from "./reported-runs.ts";
import { RowCheck } from "./row-check.ts";
import {
	countEntry,
	countSpending,
	countsOfPath,
	emptyNumbers,
	LineTally,
	linesByName,
	type SessionNumbers,
	sharedCounts,
} from "./session-numbers.ts";
import { StepEnds } from "./step-ends.ts";
import { localDay, tokensOf, usageOf } from "./usage.ts";
import { timing } from "./work-time.ts";

/** What is stored about one session, counted up to the end of some line. */
export interface StoredNumbers {
	readonly state: CountState;
	readonly numbers: SessionNumbers;
	/** The reports about runs of subagents in its entries, in order, without copied entries. */
	readonly reports: readonly RunReport[];
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

/** Adds up the lines of one session, from the first one or from where an earlier count ended. */
export class SessionTally {
	/** Present when counting from the first line. */
	readonly row: RowCheck | undefined;
	/** Set if an earlier count was continued but the path to the leaf has changed: count from the first line instead. */
	branched = false;
	readonly #options: TallyOptions;
	readonly #state: { -readonly [Part in keyof CountState]: CountState[Part] };
	readonly #numbers: SessionNumbers;
	readonly #spendingLines: Map<string, number>;
	readonly #runs: ReportedRuns;
	#started: readonly StartedPi[];
	readonly #own: Set<number>;
	readonly #others: Set<number>;
	readonly #tree: BranchTracker | undefined;
	readonly #diagnostics: DiagnosticList;
	#version: number | undefined;
	readonly #changes: LineTally;
	readonly #ends: StepEnds;
	/** Whether the last entry has moved the leaf back, so that the effect of the next one depends on the target. */
	#isReturned = false;
	/** The state of the conversation when continuing an earlier count; otherwise computed from the path at the end. */
	#end: EndState;

	constructor(options: TallyOptions, stored?: StoredNumbers) {
		this.#options = options;
		this.#state = { ...(stored?.state ?? NOTHING_COUNTED) };
		this.#numbers = stored?.numbers ?? emptyNumbers();
		this.#spendingLines = linesByName(this.#numbers);
		this.#runs = new ReportedRuns(stored?.reports, stored?.numbers.counts.reported);
		this.#started = stored?.numbers.counts.started ?? [];
		this.#own = new Set(stored?.own);
		this.#others = new Set(stored?.others);
		this.#changes = new LineTally(stored?.numbers.counts.changed, this.#state.changing);
		this.#ends = new StepEnds(this.#state.searching);
		const { ending, endedMs } = this.#numbers.counts;
		this.#end = { ...this.#state.end, ending, endedMs };
		this.#tree = stored ? undefined : new BranchTracker();
		this.row = stored ? undefined : new RowCheck();
		this.#diagnostics = this.row?.diagnostics ?? new DiagnosticList();
	}

	/** Just after the last whole line. */
	get offset(): number {
		return this.#state.offset;
	}

	/** Adds the next line; an unfinished one is left for the next time. */
	add(line: FileLine): void {
		if (this.branched) return;
		const { next, offset, terminated } = line;
		const number = this.#state.lines + 1;
		const entry = parseLine(rawLine(line, number), this.#diagnostics);
		this.row?.add(line, entry, number);
		if (!terminated) return;
		this.#state.lines = number;
		this.#state.offset = next;
		if (entry?.type === "session") this.#addHeader(entry);
		else if (entry) this.#addEntry(entry, offset, next - offset);
	}

	#addWork(atMs: number, tookMs: number): void {
		const { worked } = this.#numbers;
		const day = localDay(atMs);
		worked.set(day, (worked.get(day) ?? 0) + tookMs);
	}

	/**
	 * What to store, as if the file ended here; add no lines afterwards. `fingerprint`: of the bytes so far; `read` reads the
	 * entry at an offset again.
	 */
	finish(fingerprint: string, read: (offset: number) => RawEntry | undefined): StoredNumbers {
		const tree = this.#tree;
		if (tree) {
			const { accounts, amounts, ...abandoned } = tree.finish(this.#version ?? 1);
			this.#changes.leaveOut(amounts);
			this.#numbers.abandoned = abandoned;
			for (const [at, line] of this.#numbers.spending.entries())
				if (accounts.has(at)) this.#numbers.spending[at] = { ...line, abandoned: accounts.get(at) };
			const rewound = rewoundBy(tree.rewind(), read);
			const counts = countsOfPath(this.#numbers.counts, amounts);
			this.#numbers.counts = { ...counts, branches: tree.ends(), rewound };
			this.#end = endOfPath(tree.pathUp(), read);
			for (const [atMs, tookMs] of tree.worked()) this.#addWork(atMs, tookMs);
		}
		const { ending, endedMs, ...end } = this.#end;
		const changed = this.#changes.total;
		this.#numbers.counts = {
			...this.#numbers.counts,
			ending,
			endedMs,
			...this.#runs.counts(),
			...(this.#started.length > 0 && { started: this.#started }),
			...(changed && { changed }),
			...sharedCounts(this.#numbers),
		};
		const state: CountState = {
			...this.#state,
			fingerprint,
			end,
			changing: this.#changes.pending,
			searching: this.#ends.pending,
			// An earlier count is continued only if it was neither.
			tangled: tree?.tangled === true || this.#isReturned,
		};
		const hashes = { own: Float64Array.from(this.#own), others: Float64Array.from(this.#others) };
		return { state, numbers: this.#numbers, reports: this.#runs.reports, ...hashes };
	}

	#addHeader(header: RawEntry): void {
		// Appending never adds a header, so something else was done to the file.
		if (!this.#tree) this.branched = true;
		if (this.#version !== undefined) return;
		this.#version = versionOf(header);
		this.#state.forkedMs = forkedAtMs(header);
		this.#state.cwd = textOf(header.cwd);
	}

	#addEntry(entry: RawEntry, offset: number, length: number): void {
		if (this.#tree) this.#tree.add(entry, offset, length);
		else if (!this.#isNext(entry)) {
			this.branched = true;
			return;
		}
		this.#state.lastId = typeof entry.id === "string" ? entry.id : null;
		this.#state.entries += 1;
		this.#isReturned = leafRole(entry) === "return";
		const { owners, inherited, reportsIn } = this.#options;
		const reports = isReport(entry) ? reportsIn(entry) : [];
		const usage = usageOf(entry);
		const hash = usage?.hash ?? (reports.length > 0 ? reportHash(entry) : undefined);
		const isCopy = isCopied(entry, hash, { forkedMs: this.#state.forkedMs, inherited });
		const isReported = isUsageOfRuns(reports);
		const counted = countEntry(this.#numbers, entry, {
			failed: this.#ends.add(entry) === "failed",
			isReported,
			isCopied: isCopy,
		});
		if (!this.#tree) this.#continueWith(entry);
		// Entries that a fork has copied report on the runs of its parent.
		const changed = isCopy ? undefined : this.#changes.add(entry);
		this.#tree?.count({ ...counted, ...changed });
		if (!isCopy) this.#started = startedAfter(this.#started, entry, this.#state.cwd);
		if (!isCopy) this.#runs.add(reports, usage && { tokens: tokensOf(usage.spent), cost: usage.spent.cost });
		const isOwn = hash !== undefined && !this.#own.has(hash) && !owners.has(hash);
		// The results that follow an answer, which have no usage, belong to the same session.
		if (usage) this.#state.isOwn = isOwn;
		this.#addTime(entry, this.#state.isOwn && !isCopy);
		if (hash === undefined || this.#own.has(hash)) return;
		if (!isOwn) {
			this.#others.add(hash);
			return;
		}
		this.#own.add(hash);
		if (!usage || isReported) return;
		const line = countSpending(this.#numbers, usage, this.#spendingLines);
		this.#tree?.charge(tokensOf(usage.spent), usage.spent.cost, line);
	}

	/** Adds the time that an entry took to be written, if it was work that counts for this session. */
	#addTime(entry: RawEntry, isOwn: boolean): void {
		const kind = timing(entry.type, isObject(entry.message) ? entry.message.role : "");
		const ms = kind === undefined ? 0 : Math.max(0, timeOf(entry.timestamp) || 0);
		const isWork = isOwn && kind === "work";
		if (this.#tree) this.#tree.time(ms, isWork);
		else if (isWork && this.#state.lastMs > 0 && ms > this.#state.lastMs) this.#addWork(ms, ms - this.#state.lastMs);
		this.#state.lastMs = ms;
	}

	/** Adds an entry that follows the last one of an earlier count. */
	#continueWith(entry: RawEntry): void {
		this.#end = endAfter(this.#end, entry);
		const role = leafRole(entry);
		// A message or a choice at a moved leaf is meant to be there.
		if (role === "said" || role === "chosen") this.#numbers.counts = { ...this.#numbers.counts, rewound: undefined };
	}

	/** Whether the entry is a child of the one before it. */
	#isNext({ id, parentId }: RawEntry): boolean {
		if (parentId === undefined) return !isFileId(id);
		return typeof parentId === "string" && parentId === this.#state.lastId && parentId !== id;
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
		if (isLast || entry.type === "context_edit") messages.push(entry);
		// Without the result's text: it may be of any length, and there may be many.
		else if (message) messages.push({ ...entry, message: { role: message.role, toolCallId: message.toolCallId } });
		if (isLast) break;
	}
	return messages.reduceRight(endAfter, NOTHING_SAID);
}
