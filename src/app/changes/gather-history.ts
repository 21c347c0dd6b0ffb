import { isUnder } from "../../store/files/paths.ts";
import { pathOf } from "../journal/change.ts";
import type { JournalLine, Run } from "../journal/journal-schema.ts";
import type { Fate, HistoryChange } from "./history-change.ts";

type Begin = Extract<JournalLine, { step: "begin" }>;
type Done = Extract<JournalLine, { step: "done" }>;
type Over = Extract<JournalLine, { step: "over" }>;

/**
 * Puts the changes of the sessions under one root together from the lines of a journal, which come from its end backwards,
 * and what is added to it later forwards.
 */
export class HistoryGatherer {
	readonly #root: string;
	readonly #run: Run;
	readonly #changes = new Map<string, HistoryChange>();
	/** Ids, oldest first, of those that came after the first reading. */
	readonly #newer: string[] = [];
	/** Ids, newest first, of the others. */
	readonly #older: string[] = [];
	/** What was read before the beginning of its change. */
	readonly #done = new Map<string, Done>();
	readonly #over = new Map<string, Over>();
	readonly #ownEntries = new Set<string>();

	/** `root`: the directory that contains all sessions of the list; `run`: this run of the program. */
	constructor(root: string, run: Run) {
		this.#root = root;
		this.#run = run;
	}

	get size(): number {
		return this.#changes.size;
	}

	/** Ids of the entries that were appended by the changes read so far, and by their undoing. */
	get ownEntries(): ReadonlySet<string> {
		return this.#ownEntries;
	}

	get(id: string): HistoryChange | undefined {
		return this.#changes.get(id);
	}

	/** Newest first. */
	changes(): HistoryChange[] {
		return [...this.#newer.toReversed(), ...this.#older].flatMap((id) => this.#changes.get(id) ?? []);
	}

	/** A change that has been read and those after it, newest first. */
	since(id: string): HistoryChange[] {
		const newer = this.#newer.toReversed();
		const at = newer.indexOf(id);
		const ids = at === -1 ? [...newer, ...this.#older.slice(0, this.#older.indexOf(id) + 1)] : newer.slice(0, at + 1);
		return ids.flatMap((each) => this.#changes.get(each) ?? []);
	}

	/** Takes the line before all lines so far. */
	addOlder(line: JournalLine): void {
		this.#noteEntry(line);
		if (line.step === "done") this.#done.set(line.id, line);
		// The earliest holds: lines may be written twice while the journal is cut.
		else if (line.step === "over") this.#over.set(line.id, line);
		else if (this.#begin(line)) this.#older.push(line.id);
	}

	/** Takes the line after all lines so far. */
	addNewer(line: JournalLine): void {
		this.#noteEntry(line);
		const known = this.#changes.get(line.id);
		if (line.step === "begin") {
			if (known === undefined && this.#begin(line)) this.#newer.push(line.id);
		} else if (known === undefined) {
			// Its beginning has not been read yet, or is of another list.
			if (line.step === "done") this.#done.set(line.id, line);
			else if (!this.#over.has(line.id)) this.#over.set(line.id, line);
		} else if (line.step === "over") this.#changes.set(line.id, ended(known, line));
		else if (known.fate === "unclear") this.#changes.set(line.id, { ...known, undo: line.undo, fate: "made" });
	}

	/** Returns whether it is one of this list, and not known yet. */
	#begin(line: Begin): boolean {
		const { id, at, what, run, group, plan } = line;
		const undo = this.#done.get(id)?.undo;
		const over = this.#over.get(id);
		this.#done.delete(id);
		this.#over.delete(id);
		if (this.#changes.has(id) || (line.root ?? this.#root) !== this.#root) return false;
		// Version 0.1.0 noted neither the root nor the run: where the session is tells whose it is.
		if (run === undefined && !(undo !== undefined && isUnder(pathOf(undo), this.#root))) return false;
		const fate: Fate = undo === undefined ? "unclear" : "made";
		const isMine = run?.pid === this.#run.pid && run.start === this.#run.start;
		const begun: HistoryChange = {
			...{ id, at, what, run, group, plan, undo, fate, isMine },
			undoneAt: undefined,
			receipt: undefined,
		};
		this.#changes.set(id, over === undefined ? begun : ended(begun, over));
		return true;
	}

	#noteEntry(line: JournalLine): void {
		if (line.step !== "begin" && line.entryId !== undefined) this.#ownEntries.add(line.entryId);
	}
}

function ended(change: HistoryChange, { how, at, receipt }: Over): HistoryChange {
	if (change.fate !== "made" && change.fate !== "unclear") return change;
	// Earlier versions did not say how.
	const fate = how ?? (change.undo === undefined ? "not-made" : "undone");
	return { ...change, fate, undoneAt: at, receipt };
}
