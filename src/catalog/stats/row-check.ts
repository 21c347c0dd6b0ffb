import type { Steps } from "../../shared/steps.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import type { FileLine } from "../../store/read/line-reader.ts";
import { SessionCheck } from "../../store/read/session-check.ts";
import type { SessionRow } from "../model/row.ts";
import { completeState } from "../scan/scan-file.ts";
import { emptyState, gatherEntry, rowOf, type ScanState } from "../scan/scan-state.ts";

/** The tree of a larger session is checked only when it is opened: the check keeps a record of each entry. */
const MAX_ENTRIES = 20_000;

export interface CheckedRow {
	readonly size: number;
	readonly mtimeMs: number;
	readonly row: SessionRow;
	readonly state: ScanState;
}

/** Builds the row of a session, with all its oddities, while its lines are parsed in order. */
export class RowCheck {
	readonly #check = new SessionCheck(MAX_ENTRIES);
	/** The state up to the last whole line. */
	readonly #complete = emptyState();
	/** The state including an unfinished last line. */
	#shown: ScanState = this.#complete;

	get diagnostics() {
		return this.#check.diagnostics;
	}

	/** Adds the next line, with its entry if that could be parsed. */
	add({ next, terminated }: FileLine, entry: RawEntry | undefined, number: number): void {
		if (entry) this.#check.add(entry, number);
		if (!terminated) this.#shown = { ...this.#complete };
		this.#shown.lines = number;
		if (entry) gatherEntry(this.#shown, entry);
		if (terminated) this.#complete.offset = next;
	}

	/** The row; undefined if the session is too large to check. */
	*finish(path: string, file: { readonly size: number; readonly mtimeMs: number }): Steps<CheckedRow | undefined> {
		const diagnostics = yield* this.#check.finish(file.size);
		if (!diagnostics) return undefined;
		const { size, mtimeMs } = file;
		const row = rowOf(path, this.#shown, file, diagnostics);
		return { size, mtimeMs, row, state: completeState(this.#complete, diagnostics) };
	}
}
