import { isUnder } from "../../shared/paths.ts";
import { type Change, type Fate, isMade, type ProgramRun, pathOf } from "../kinds/change.ts";
import { changedByLater } from "./in-effect.ts";
import type { JournalLine } from "./journal-schema.ts";

type BeginLine = Extract<JournalLine, { step: "begin" }>;
type DoneLine = Extract<JournalLine, { step: "done" }>;
type OverLine = Extract<JournalLine, { step: "over" }>;

/**
 * Assembles the changes of the sessions under one root from the lines of a journal. Its lines come backwards from the end;
 * those that are appended later come forwards.
 */
export class ChangeGatherer {
	readonly #root: string;
	readonly #run: ProgramRun;
	readonly #changes = new Map<string, Change>();
	/** Ids of the changes appended since the first reading, oldest first. */
	readonly #newer: string[] = [];
	/** Ids of the others, newest first. */
	readonly #older: string[] = [];
	/** Lines that were read before the "begin" line of their change. */
	readonly #done = new Map<string, DoneLine>();
	readonly #over = new Map<string, OverLine>();
	readonly #ownEntries = new Set<string>();
	/** What differs from `#changes` by what later changes did; undefined if lines have been added since. */
	#later: ReadonlyMap<string, Change> | undefined;

	/** `root`: the directory that contains all sessions of the list; `run`: this run of the program. */
	constructor(root: string, run: ProgramRun) {
		this.#root = root;
		this.#run = run;
	}

	get size(): number {
		return this.#changes.size;
	}

	get ownEntries(): ReadonlySet<string> {
		return this.#ownEntries;
	}

	get(id: string): Change | undefined {
		this.#later ??= changedByLater(
			this.#ids()
				.flatMap((each) => this.#changes.get(each) ?? [])
				.reverse(),
		);
		return this.#later.get(id) ?? this.#changes.get(id);
	}

	/** Newest first. */
	changes(): Change[] {
		return this.#ids().flatMap((id) => this.get(id) ?? []);
	}

	since(id: string): Change[] {
		const ids = this.#ids();
		return ids.slice(0, ids.indexOf(id) + 1).flatMap((each) => this.get(each) ?? []);
	}

	#ids(): string[] {
		return [...this.#newer.toReversed(), ...this.#older];
	}

	/** Adds the line that stands before all lines so far. */
	addOlder(line: JournalLine): void {
		this.#later = undefined;
		if (line.step !== "begin") this.#end(line, true);
		else if (this.#begin(line)) this.#older.push(line.id);
	}

	/** Adds the line that stands after all lines so far. */
	addNewer(line: JournalLine): void {
		this.#later = undefined;
		if (line.step !== "begin") this.#end(line, false);
		else if (this.#begin(line)) this.#newer.push(line.id);
	}

	/** Early versions cut a long journal; meanwhile, lines may have changed places and been written twice. */
	#end(line: DoneLine | OverLine, isOlder: boolean): void {
		if (line.entryId !== undefined) this.#ownEntries.add(line.entryId);
		const change = this.#changes.get(line.id);
		if (change !== undefined)
			this.#changes.set(line.id, line.step === "over" ? ended(change, line) : made(change, line));
		// The "begin" line has not been read yet, or is of another list.
		else if (line.step === "done") this.#done.set(line.id, line);
		// The earliest one counts.
		else if (isOlder || !this.#over.has(line.id)) this.#over.set(line.id, line);
	}

	/** Returns whether the change is of this list and was not known yet. */
	#begin(line: BeginLine): boolean {
		const { id, at, what, run, group, of, plan } = line;
		const undo = this.#done.get(id)?.undo;
		const over = this.#over.get(id);
		this.#done.delete(id);
		this.#over.delete(id);
		if (this.#changes.has(id) || (line.root ?? this.#root) !== this.#root) return false;
		// Version 0.1.0 recorded neither the root nor the run: the path of the session shows which list it is of.
		if (run === undefined && !(undo !== undefined && isUnder(pathOf(undo), this.#root))) return false;
		const fate: Fate = undo === undefined ? "unclear" : "made";
		const isMine = run?.pid === this.#run.pid && run.start === this.#run.start;
		const begun: Change = {
			...{ id, at, what, run, group, of, plan, undo, fate, isMine },
			undoneAt: undefined,
			receipt: undefined,
		};
		this.#changes.set(id, over === undefined ? begun : ended(begun, over));
		return true;
	}
}

function made(change: Change, { undo }: DoneLine): Change {
	return change.fate === "unclear" ? { ...change, undo, fate: "made" } : change;
}

function ended(change: Change, { how, at, receipt }: OverLine): Change {
	if (!isMade(change) || how === "given-up") return change;
	// Earlier versions did not record how.
	const fate = how ?? (change.undo === undefined ? "not-made" : "undone");
	return { ...change, fate, undoneAt: at, receipt };
}
