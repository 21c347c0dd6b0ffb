import type { Steps } from "../../shared/steps.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { DiagnosticList } from "../format/diagnostic-list.ts";
import { isFileId } from "../format/file-ids.ts";
import { CURRENT_SESSION_VERSION } from "../format/known-types.ts";
import { isHookMessage, versionOf, withPresentRole } from "../format/migrate.ts";
import type { RawEntry } from "../format/parse.ts";
import { repairEntry } from "../format/repair-entry.ts";
import { type Interpretation, interpretSteps, type ParsedLine, reportProblems } from "./interpret.ts";

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
	/** From the first header; undefined before it. */
	#version: number | undefined;
	/** Entries before the header: what is odd about them depends on the version. */
	#early: ParsedLine[] = [];

	/** A session of more than `maxEntries` is given up. */
	constructor(maxEntries = Number.POSITIVE_INFINITY) {
		this.#maxEntries = maxEntries;
	}

	/** Takes the next line that could be parsed. */
	add(value: RawEntry, line: number): void {
		const isHeader = value.type === "session";
		if (isHeader) this.#version ??= versionOf(value);
		else if (this.#version === undefined && isHookMessage(value)) this.#early.push({ line, value });
		else this.#report(value, line);
		if (this.#skeleton.length >= this.#maxEntries) {
			this.#tooMany = true;
			this.#skeleton = [];
			this.#early = [];
		}
		const before = this.#skeleton.at(-1)?.value.id;
		// A copy of a header, because interpreting takes its lines over.
		if (!this.#tooMany) this.#skeleton.push({ line, value: isHeader ? { ...value } : skeletonOf(value, before) });
	}

	/** All that was found; undefined when the session was given up. `size`: of the file, in bytes. */
	*finish(size: number): Steps<readonly Diagnostic[] | undefined> {
		return (yield* this.interpret(size)) && this.diagnostics.toArray();
	}

	/** The tree of the session, of entries that say nothing; undefined when it was given up. What is odd is in `diagnostics` then. */
	*interpret(size: number): Steps<Interpretation | undefined> {
		if (this.#tooMany) return undefined;
		for (const { line, value } of this.#early) this.#report(value, line);
		return yield* interpretSteps(this.#skeleton, size, this.diagnostics, { isFixed: true });
	}

	#report(value: RawEntry, line: number): void {
		const isOld = (this.#version ?? 1) < CURRENT_SESSION_VERSION;
		const { problems } = repairEntry(isOld ? withPresentRole(value) : value);
		reportProblems(value, problems, line, this.diagnostics);
	}
}

/**
 * The entry's position in the tree, as a type without required fields: its own oddities have been reported. Without a time,
 * because nobody asks for the order of siblings.
 */
function skeletonOf({ id, parentId }: RawEntry, before: unknown): RawEntry {
	const parent = isFileId(parentId) || parentId === undefined ? parentId : null;
	// Of two equal texts one is enough: there are a million of them.
	return { type: "skeleton", id, parentId: parent === before ? before : parent, timestamp: "" };
}
