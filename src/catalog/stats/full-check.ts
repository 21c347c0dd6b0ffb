import type { Steps } from "../../shared/steps.ts";
import type { Diagnostic } from "../../store/format/diagnostic.ts";
import { DiagnosticList } from "../../store/format/diagnostic-list.ts";
import type { RawEntry } from "../../store/format/parse.ts";
import { repairEntry } from "../../store/format/repair-entry.ts";
import { interpretSteps, type ParsedLine, reportProblems } from "../../store/read/interpret.ts";
import { reportNothing } from "../../store/read/read-session.ts";

/** The tree of a larger session is checked only when it is opened: the check keeps a record of each entry. */
const MAX_ENTRIES = 20_000;

/**
 * Finds all that is odd in a session while each of its lines is parsed, as the store's plain reading does: the scan,
 * which parses few lines, finds only a part of it.
 */
export class FullCheck {
	readonly diagnostics = new DiagnosticList();
	#skeleton: ParsedLine[] = [];
	#tooMany = false;

	/** Takes the next line that could be parsed. */
	add(value: RawEntry, line: number): void {
		if (this.#skeleton.length >= MAX_ENTRIES) {
			this.#tooMany = true;
			this.#skeleton = [];
		}
		if (value.type === "session") {
			if (!this.#tooMany) this.#skeleton.push({ line, value: { ...value } });
			return;
		}
		reportProblems(value, repairEntry(value).problems, line, this.diagnostics);
		if (!this.#tooMany) this.#skeleton.push({ line, value: skeletonOf(value) });
	}

	/** All that was found; undefined when the session was too large to be checked. */
	*finish(size: number): Steps<readonly Diagnostic[] | undefined> {
		if (this.#tooMany) return undefined;
		if (this.#skeleton.length === 0) reportNothing(size, this.diagnostics);
		yield* interpretSteps(this.#skeleton, this.diagnostics);
		return this.diagnostics.toArray();
	}
}

/** The entry's place in the tree; that its fields are odd has been reported already. */
function skeletonOf({ id, parentId, timestamp }: RawEntry): RawEntry {
	const parent = typeof parentId === "string" || parentId === undefined ? parentId : null;
	return { type: "skeleton", id, parentId: parent, timestamp: typeof timestamp === "string" ? timestamp : "" };
}
