import { createHash } from "node:crypto";
import { printJson } from "../../shared/print-json.ts";
import { RESUME_POINT_TYPE } from "../format/bookkeeping.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { hasTextIds } from "../format/file-ids.ts";
import { parseLine } from "../format/parse.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { readLinesSync } from "../read/read-lines.ts";

/**
 * All that would be lost with a session, comparable with other sessions: a digest of each entry that has content, with its
 * id and the entry that it follows; each label with the id of its entry; its name, if it has one.
 */
type SessionContent = ReadonlySet<string>;

/**
 * Reads the content of a session. Undefined if it is uncertain, so that nobody deletes it as a duplicate: the file cannot be
 * read, is damaged, has not exactly one header, or has entries without unique ids.
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
		// Deleted or unreadable: its content is unknown, and the list reports why.
		return undefined;
	}
	return diagnostics.toArray().length > 0 ? undefined : gatherer.content();
}

class ContentGatherer {
	readonly #entries = new Set<string>();
	readonly #ids = new Set<string>();
	readonly #labels = new Map<string, string>();
	/** By id of a bookkeeping entry: its nearest ancestor that is not one; null if there is none. */
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
		// These cannot be mistaken for entries, which begin with a digest.
		for (const label of this.#labels) this.#entries.add(`label ${JSON.stringify(label)}`);
		return this.#name === "" ? this.#entries : this.#entries.add(`name ${this.#name}`);
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
 * Entries that count by their result (the name, the labels), or are no loss: the choice of a model or a thinking level, our
 * resume points. pi copies labels under new ids when it branches a session, and attaches what followed them to what was before
 * them.
 */
function isBookkeeping({ type, customType }: RawEntry): boolean {
	if (type === "custom") return customType === RESUME_POINT_TYPE;
	return type === "label" || type === "session_info" || type === "model_change" || type === "thinking_level_change";
}

function digestOf(entry: RawEntry): string {
	return createHash("sha256").update(printJson(entry)).digest("base64");
}
