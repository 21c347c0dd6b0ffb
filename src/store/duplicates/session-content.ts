import { createHash } from "node:crypto";
import { printJson } from "../../shared/print-json.ts";
import { DiagnosticList } from "../format/diagnostic-list.ts";
import { hasTextIds } from "../format/file-ids.ts";
import { parseLine, type RawEntry } from "../format/parse.ts";
import { RESUME_POINT_TYPE } from "../format/resume-point.ts";
import { readLinesSync } from "../read/read-lines.ts";

/** All that would be lost with a session, in a form in which it can be looked for in another one. */
export interface SessionContent {
	/** A digest of each entry that says or keeps something, with its id and the entry that it goes on from. */
	readonly entries: ReadonlySet<string>;
	/** The labels that entries have, by the entry's id. */
	readonly labels: ReadonlyMap<string, string>;
	/** The name that it has now; "" for none. */
	readonly name: string;
}

/**
 * Reads what a session holds. Undefined where that cannot be said for certain, so that nobody deletes it for being the same as
 * another one: a file that cannot be read, is damaged, has not exactly one header, or has entries without ids of their own.
 */
export function readContent(path: string): SessionContent | undefined {
	const gatherer = new ContentGatherer();
	const diagnostics = new DiagnosticList();
	try {
		readLinesSync(path, (line) => {
			const entry = parseLine(line, diagnostics);
			if (entry !== undefined) gatherer.add(entry);
		});
	} catch {
		// Gone or unreadable by now: nothing can be said of it, and the list tells why.
		return undefined;
	}
	return diagnostics.toArray().length > 0 ? undefined : gatherer.content();
}

class ContentGatherer {
	readonly #entries = new Set<string>();
	readonly #ids = new Set<string>();
	readonly #labels = new Map<string, string>();
	/** By id of an entry that only keeps books: the nearest entry above it that does more; null where there is none. */
	readonly #above = new Map<string, string | null>();
	#name = "";
	#headers = 0;
	#isOdd = false;

	add(entry: RawEntry): void {
		if (entry.type === "session") {
			this.#headers += 1;
			this.#isOdd ||= this.#ids.size > 0;
			return;
		}
		const { id, parentId } = entry;
		if (typeof id !== "string" || !isParent(parentId) || !hasTextIds(entry) || this.#ids.has(id)) {
			this.#isOdd = true;
			return;
		}
		this.#ids.add(id);
		const above = parentId !== null && this.#above.has(parentId) ? (this.#above.get(parentId) ?? null) : parentId;
		if (isBookkeeping(entry)) {
			this.#above.set(id, above);
			this.#keepBooks(entry);
		} else this.#entries.add(`${digestOf({ ...entry, parentId: null })} ${above ?? ""}`);
	}

	content(): SessionContent | undefined {
		if (this.#isOdd || this.#headers !== 1 || this.#entries.size === 0) return undefined;
		return { entries: this.#entries, labels: this.#labels, name: this.#name };
	}

	#keepBooks({ type, targetId, label, name }: RawEntry): void {
		if (type === "session_info") this.#name = typeof name === "string" ? name.trim() : "";
		if (type !== "label") return;
		if (typeof targetId !== "string") this.#isOdd = true;
		else if (typeof label === "string" && label !== "") this.#labels.set(targetId, label);
		else this.#labels.delete(targetId);
	}
}

function isParent(value: unknown): value is string | null {
	return value === null || typeof value === "string";
}

/**
 * Entries that are told by what they come to (the name, the labels), or that are nothing to lose: which model and which level
 * of thinking were chosen, where this program has gone on. pi copies labels under new ids when it branches a session, and
 * what hung below them hangs below what was above.
 */
function isBookkeeping({ type, customType }: RawEntry): boolean {
	if (type === "custom") return customType === RESUME_POINT_TYPE;
	return type === "label" || type === "session_info" || type === "model_change" || type === "thinking_level_change";
}

function digestOf(entry: RawEntry): string {
	return createHash("sha256").update(printJson(entry)).digest("base64");
}
