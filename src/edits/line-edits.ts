import type { DiffLine } from "../conversation/render/diff-lines.ts";
import type { Renderers } from "../conversation/render/renderers.ts";
import type { Session } from "../store/read/read-session.ts";
import { editDiff } from "./edit-diff.ts";
import type { SessionEdit } from "./session-files.ts";

/**
 * The edits of a file that added or removed the lines of its diff. An edit is recognized by the text of a line, so that of several
 * edits with the same line it is the last one; a `write` repeats lines that were there before.
 */
export class LineEdits {
	readonly #added = new Map<string, SessionEdit>();
	readonly #removed = new Map<string, SessionEdit>();
	/** Undefined where several edits added the same. */
	readonly #addedOnce = new Map<string, SessionEdit | undefined>();
	readonly #last: SessionEdit | undefined;
	readonly #isOne: boolean;

	/** `edits`: those of one file, in order; `sessionOf`: the session that an edit was made in. */
	constructor(
		edits: readonly SessionEdit[],
		sessionOf: (edit: SessionEdit) => Session | undefined,
		renderers: Renderers | undefined,
		home: string,
	) {
		this.#last = edits.at(-1);
		this.#isOne = edits.length === 1;
		if (this.#isOne) return;
		for (const edit of edits) {
			const session = sessionOf(edit);
			if (session === undefined) continue;
			for (const { kind, text } of editDiff(edit, session, renderers, home)) {
				if (kind === "removed") this.#removed.set(text, edit);
				if (kind === "added") this.#addedOnce.set(text, this.#addedOnce.has(text) ? undefined : edit);
				if (kind === "added" && !(edit.tool === "write" && this.#added.has(text))) this.#added.set(text, edit);
			}
		}
	}

	/** The edit that wrote a line of a diff; for one that no edit shows, that of the nearest one beside it. */
	of(line: DiffLine, lines: readonly DiffLine[]): SessionEdit | undefined {
		const at = lines.indexOf(line);
		for (let distance = 0; distance < lines.length; distance++) {
			for (const near of distance === 0 ? [line] : [lines[at + distance], lines[at - distance]]) {
				const edit = near && this.#ofText(near);
				if (edit !== undefined) return edit;
			}
		}
		return this.#last;
	}

	/** The only edit that can have added a line, if nothing but these edits changed the file. */
	onlyOf({ kind, text }: DiffLine): SessionEdit | undefined {
		if (kind !== "added") return undefined;
		return this.#isOne ? this.#last : this.#addedOnce.get(text);
	}

	#ofText({ kind, text }: DiffLine): SessionEdit | undefined {
		if (kind === "added") return this.#added.get(text);
		return kind === "removed" ? this.#removed.get(text) : undefined;
	}
}
