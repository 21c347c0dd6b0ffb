import { isFileId } from "../format/file-ids.ts";
import type { RawEntry } from "../format/parse.ts";

/**
 * Finds where the sessions of a file begin, line by line. A second header begins a session of its own, unless what follows it
 * goes on from an entry before it.
 */
export class PartFinder {
	/** Lines with which sessions begin, besides the first one. */
	readonly #starts: number[] = [];
	/** Ids before the open header; a list until one is looked up, which in nearly all files is never. */
	#before: unknown[] | Set<unknown> = [];
	/** The header of which it is not known yet whether it begins a session, and the ids since then. */
	#open: { readonly line: number; readonly ids: Set<unknown>; goesOn: boolean } | undefined;
	#headers = 0;

	/** Takes the next line; `number` is 1-based. */
	add({ type, id, parentId }: RawEntry, number: number): void {
		if (type === "session") {
			this.#settle();
			// What stands before the first header belongs to it: pi cannot have begun there.
			if (this.#headers++ > 0) this.#open = { line: number, ids: new Set(), goesOn: false };
			return;
		}
		if (this.#open !== undefined && isFileId(parentId) && this.#idsBefore().has(parentId)) this.#open.goesOn = true;
		if (!isFileId(id)) return;
		const ids = this.#open?.ids ?? this.#before;
		if (ids instanceof Set) ids.add(id);
		else ids.push(id);
	}

	/** The lines with which sessions begin; the first one begins with the file, as 1. */
	starts(): readonly number[] {
		this.#settle();
		return [1, ...this.#starts];
	}

	#idsBefore(): Set<unknown> {
		this.#before = this.#before instanceof Set ? this.#before : new Set(this.#before);
		return this.#before;
	}

	#settle(): void {
		const open = this.#open;
		if (open === undefined) return;
		this.#open = undefined;
		if (open.goesOn) for (const id of open.ids) this.#idsBefore().add(id);
		else {
			this.#starts.push(open.line);
			this.#before = open.ids;
		}
	}
}
