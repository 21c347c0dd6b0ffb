import { createHash } from "node:crypto";
import { printJson } from "../../shared/json.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { hasTextIds } from "../format/file-ids.ts";
import { parseLine } from "../format/parse.ts";
import { type RawEntry, RESUME_POINT_TYPE } from "../format/raw-entry.ts";
import { readLinesSync } from "../read/read-lines.ts";

/** Sessions whose whole content is also in others. */
export interface ContainedSessions {
	/** Path of one, or paths of several with the same content. */
	readonly paths: readonly string[];
	/** Paths of those that contain all of it, and more. */
	readonly within: readonly string[];
}

/** Sessions with the same content. */
interface Group {
	readonly paths: string[];
	/** Their content, as numbers of its items. */
	readonly items: ReadonlySet<number>;
}

/**
 * Finds sessions whose content is all in another one of them: the same entries, the same labels and the same name, if it has
 * one. Reads the files, and blocks its thread meanwhile. Nothing is written.
 */
export function findContained(paths: readonly string[]): readonly ContainedSessions[] {
	const groups = groupSame(paths);
	const holders = new Map<number, Group[]>();
	for (const one of groups)
		for (const item of one.items) {
			const some = holders.get(item);
			if (some === undefined) holders.set(item, [one]);
			else some.push(one);
		}
	return groups.flatMap((one) => {
		const within = holdersOf(one, holders).flatMap((holder) => holder.paths);
		return one.paths.length < 2 && within.length === 0 ? [] : [{ paths: one.paths, within }];
	});
}

/** Groups sessions with the same content; leaves out those whose content is uncertain. */
function groupSame(paths: readonly string[]): readonly Group[] {
	const numbers = new Map<string, number>();
	const found = new Map<string, Group>();
	for (const path of paths) {
		const content = readContent(path);
		if (content === undefined) continue;
		const items = Uint32Array.from(content, (item) => {
			const number = numbers.get(item) ?? numbers.size;
			numbers.set(item, number);
			return number;
		}).sort();
		const key = createHash("sha256").update(items).digest("base64");
		const same = found.get(key);
		if (same === undefined) found.set(key, { paths: [path], items: new Set(items) });
		else same.paths.push(path);
	}
	return [...found.values()];
}

/**
 * The groups that contain all items. Begins with the item that the fewest have: among the forks of one session, each with
 * content of its own, nothing else need be compared.
 */
function holdersOf(one: Group, holders: ReadonlyMap<number, readonly Group[]>): readonly Group[] {
	const having = (item: number): readonly Group[] => holders.get(item) ?? [];
	const rarestFirst = [...one.items].sort((a, b) => having(a).length - having(b).length);
	const [rarest = -1, ...others] = rarestFirst;
	let left = having(rarest).filter((other) => other.items.size > one.items.size);
	for (const item of others) {
		if (left.length === 0) break;
		left = left.filter(({ items }) => items.has(item));
	}
	return left;
}

/**
 * All that would be lost with a session, comparable with other sessions: a digest of each entry that has content, with its
 * id and the entry that it follows; each label with the id of its entry; its name, if it has one.
 */
type SessionContent = ReadonlySet<string>;

/**
 * Reads the content of a session. Undefined if it is uncertain, so that nobody deletes it as a duplicate: the file cannot be
 * read, is damaged, has not exactly one header, or has entries without unique ids.
 */
function readContent(path: string): SessionContent | undefined {
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
