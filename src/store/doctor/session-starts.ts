import { isFileId } from "../format/file-ids.ts";
import type { RawEntry } from "../format/raw-entry.ts";

/**
 * Finds the lines at which the sessions of a file begin. A second header begins a session of its own, unless an entry after it
 * continues from an entry before it.
 */
export class SessionStarts {
	/** Lines at which sessions begin, without the first. */
	readonly #starts: number[] = [];
	/** Ids before the open header; a list until an id is looked up, which hardly any file needs. */
	#before: unknown[] | Set<unknown> = [];
	/** A header that may begin a session, and the ids since then. */
	#open: { readonly line: number; readonly ids: Set<unknown>; goesOn: boolean } | undefined;
	#headers = 0;

	/** Adds the next line; `number` is 1-based. */
	add({ type, id, parentId }: RawEntry, number: number): void {
		if (type === "session") {
			this.#settle();
			// Lines before the first header belong to its session: pi cannot have begun there.
			if (this.#headers++ > 0) this.#open = { line: number, ids: new Set(), goesOn: false };
			return;
		}
		if (this.#open !== undefined && isFileId(parentId) && this.#idsBefore().has(parentId)) this.#open.goesOn = true;
		if (!isFileId(id)) return;
		const ids = this.#open?.ids ?? this.#before;
		if (ids instanceof Set) ids.add(id);
		else ids.push(id);
	}

	/** The lines at which sessions begin; the first is always 1. */
	lines(): readonly number[] {
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
