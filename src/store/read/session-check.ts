import type { Steps } from "../../shared/steps.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { DiagnosticList } from "../format/diagnostic-list.ts";
import { isFileId } from "../format/file-ids.ts";
import type { RawEntry } from "../format/parse.ts";
import { repairEntry } from "../format/repair-entry.ts";
import { interpretSteps, type ParsedLine, reportProblems } from "./interpret.ts";

/**
 * Finds all that is odd in a session from its parsed lines, as `readSession` does, but holds nothing of an entry except
 * its position in the tree.
 */
export class SessionCheck {
	/** What was found so far; whatever is found when lines are parsed belongs here too. */
	readonly diagnostics = new DiagnosticList();
	readonly #maxEntries: number;
	#skeleton: ParsedLine[] = [];
	#tooMany = false;

	/** A session of more than `maxEntries` is given up. */
	constructor(maxEntries = Number.POSITIVE_INFINITY) {
		this.#maxEntries = maxEntries;
	}

	/** Takes the next line that could be parsed. */
	add(value: RawEntry, line: number): void {
		const isHeader = value.type === "session";
		if (!isHeader) reportProblems(value, repairEntry(value).problems, line, this.diagnostics);
		if (this.#skeleton.length >= this.#maxEntries) {
			this.#tooMany = true;
			this.#skeleton = [];
		}
		// A copy of a header, because interpreting takes its lines over.
		if (!this.#tooMany) this.#skeleton.push({ line, value: isHeader ? { ...value } : skeletonOf(value) });
	}

	/** All that was found; undefined when the session was given up. `size`: of the file, in bytes. */
	*finish(size: number): Steps<readonly Diagnostic[] | undefined> {
		if (this.#tooMany) return undefined;
		yield* interpretSteps(this.#skeleton, size, this.diagnostics);
		return this.diagnostics.toArray();
	}
}

/** The entry's position in the tree, as a type without required fields: its own oddities have been reported. */
function skeletonOf({ id, parentId, timestamp }: RawEntry): RawEntry {
	const parent = isFileId(parentId) || parentId === undefined ? parentId : null;
	return { type: "skeleton", id, parentId: parent, timestamp: typeof timestamp === "string" ? timestamp : "" };
}
