import type { Steps } from "../../shared/steps.ts";
import { type Diagnostic, DiagnosticList } from "../format/diagnostic.ts";
import { isFileId } from "../format/file-ids.ts";
import { isHookMessage, versionOf, withPresentRole } from "../format/migrate.ts";
import { CURRENT_SESSION_VERSION, type RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import { type Interpretation, interpretSteps, type ParsedLine, reportProblems } from "./interpret.ts";

/**
 * Finds all oddities of a session from its parsed lines, like `readSession`, but keeps of an entry only its position in the
 * tree.
 */
export class SessionCheck {
	/** What was found so far; the caller adds what it finds when it parses the lines. */
	readonly diagnostics = new DiagnosticList();
	readonly #maxEntries: number;
	#skeleton: ParsedLine[] = [];
	#tooMany = false;
	/** From the first header; undefined before it. */
	#version: number | undefined;
	/** Entries before the header: their oddities depend on the version. */
	#early: ParsedLine[] = [];

	/** Gives up on a session of more than `maxEntries`. */
	constructor(maxEntries = Number.POSITIVE_INFINITY) {
		this.#maxEntries = maxEntries;
	}

	/** Adds the next line that could be parsed. */
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
		const previousId = this.#skeleton.at(-1)?.value.id;
		// A copy of a header, because interpreting changes the lines.
		if (!this.#tooMany) this.#skeleton.push({ line, value: isHeader ? { ...value } : skeletonOf(value, previousId) });
	}

	/** All that was found; undefined if the session was given up. `size`: of the file, in bytes. */
	*finish(size: number): Steps<readonly Diagnostic[] | undefined> {
		return (yield* this.interpret(size)) && this.diagnostics.toArray();
	}

	/** The session's tree, of bare entries; undefined if it was given up. `diagnostics` is then complete. */
	*interpret(size: number): Steps<Interpretation | undefined> {
		if (this.#tooMany) return undefined;
		for (const { line, value } of this.#early) this.#report(value, line);
		return yield* interpretSteps(this.#skeleton, size, this.diagnostics);
	}

	#report(value: RawEntry, line: number): void {
		const isOld = (this.#version ?? 1) < CURRENT_SESSION_VERSION;
		const { problems } = repairEntry(isOld ? withPresentRole(value) : value);
		reportProblems(value, problems, line, this.diagnostics);
	}
}

/**
 * The entry's position in the tree, with a type that has no required fields: its own oddities have been reported. Without a
 * time, because the order of siblings does not matter here.
 */
function skeletonOf({ id, parentId }: RawEntry, previousId: unknown): RawEntry {
	const parent = isFileId(parentId) || parentId === undefined ? parentId : null;
	// Reuses an equal string: there may be a million of them.
	return { type: "skeleton", id, parentId: parent === previousId ? previousId : parent, timestamp: "" };
}
