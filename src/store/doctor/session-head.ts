import { basename } from "node:path";
import { attempt } from "../../shared/attempt.ts";
import { withFile } from "../files/open-file.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { isFileId } from "../format/file-ids.ts";
import { parseLine } from "../format/parse.ts";
import { forkedFrom, type RawEntry } from "../format/raw-entry.ts";
import { type FileLine, rawLine, readLinesUntil } from "../read/line-reader.ts";
import type { Finding } from "./finding.ts";

/** The facts that show whether two files are related. */
export interface SessionHead {
	readonly path: string;
	/** Id in the header; "" if there is none. */
	readonly id: string;
	/** The parent file that the header names, as written. */
	readonly parent?: string;
	/** Identifies the first entry, which a copy has too; "" if there is no entry; undefined if it was not read. */
	readonly begin?: string | undefined;
}

/** The first entry must begin within this many bytes. */
const MAX_BYTES = 1024 * 1024;
const CHUNK_BYTES = 8192;
/** Of an id or a time, in characters. */
const MAX_LENGTH = 100;

/** The head of a file, from its header and its first entry. */
export function headOf(
	path: string,
	header: RawEntry | undefined,
	first: RawEntry | undefined,
): SessionHead & { readonly begin: string } {
	const { id } = header ?? {};
	const parent = forkedFrom(header ?? {});
	return {
		path,
		id: typeof id === "string" ? id : "",
		...(parent === undefined ? {} : { parent }),
		begin: first === undefined ? "" : beginOf(first),
	};
}

/** Identifies a session by its first entry. */
function beginOf({ id, timestamp }: RawEntry): string {
	// Entries of version 1 have no ids; two first entries are hardly ever written in the same millisecond.
	const name = isFileId(id) ? String(id).slice(0, MAX_LENGTH) : "";
	return typeof timestamp === "string" ? `${name} ${timestamp.slice(0, MAX_LENGTH)}` : name;
}

/** Reads the head of a file without the rest of it; an empty head if it cannot be read. */
export function readHead(path: string): SessionHead {
	// Heads are only compared; examining the file reports the error.
	return attempt(() => withFile(path, (fd) => headIn(path, fd))) ?? headOf(path, undefined, undefined);
}

function headIn(path: string, fd: number): SessionHead {
	const diagnostics = new DiagnosticList();
	let header: RawEntry | undefined;
	let first: RawEntry | undefined;
	let number = 0;
	const onLine = (line: FileLine): boolean => {
		number += 1;
		const value = parseLine(rawLine(line, number), diagnostics);
		if (value?.type === "session") header ??= value;
		else first = value;
		return first === undefined;
	};
	readLinesUntil(fd, { to: MAX_BYTES, buffer: Buffer.allocUnsafe(CHUNK_BYTES), onLine });
	return headOf(path, header, first);
}

/** What files share that only forks of one another may share, as findings by path. */
export function sharedBy(heads: Iterable<SessionHead>): ReadonlyMap<string, readonly Finding[]> {
	const all = [...heads];
	const found = new Map<string, Finding[]>();
	const add = (path: string, code: "same-id" | "shared-entries", message: string): void => {
		const findings = found.get(path) ?? [];
		found.set(path, [...findings, { code, severity: "note", message }]);
	};
	for (const group of groups(all, ({ id }) => id)) {
		for (const { path } of group) {
			const other = group.find((head) => head.path !== path);
			const where = named(other, group.length - 1);
			add(path, "same-id", `Another file has a session of the same id; pi finds only one of them by it: ${where}.`);
		}
	}
	for (const group of groups(all, ({ begin = "" }) => begin)) {
		const familyOf = families(group);
		const byFamily = Map.groupBy(group, ({ path }) => familyOf(path));
		for (const { path, id } of byFamily.size > 1 ? group : []) {
			const family = familyOf(path);
			// A file with the same id is reported above.
			const other = strangers(byFamily, family).find((head) => id === "" || head.id !== id);
			if (other === undefined) continue;
			const where = named(other, group.length - (byFamily.get(family)?.length ?? 0));
			const what = "It begins with the same entries as another file, and neither says that it is made from the other";
			add(path, "shared-entries", `${what}: ${where}.`);
		}
	}
	return found;
}

/** Groups of two or more heads with the same key. */
function groups(heads: readonly SessionHead[], keyOf: (head: SessionHead) => string): SessionHead[][] {
	const seen = new Set<string>();
	const shared = new Set<string>();
	for (const head of heads) {
		const key = keyOf(head);
		(seen.has(key) ? shared : seen).add(key);
	}
	shared.delete("");
	const byKey = Map.groupBy(
		heads.filter((head) => shared.has(keyOf(head))),
		keyOf,
	);
	return [...byKey.values()];
}

function named(other: SessionHead | undefined, count: number): string {
	return `${other?.path ?? ""}${count > 1 ? `, and ${count - 1} more` : ""}`;
}

/** The first head of each other family. */
function strangers(byFamily: ReadonlyMap<string, readonly SessionHead[]>, family: string): IteratorObject<SessionHead> {
	return byFamily.entries().flatMap(([name, [first]]) => (name === family || first === undefined ? [] : [first]));
}

/**
 * Maps a path to the name of its family: the files connected by the parents that they name. Compares file names only, since
 * directories of sessions get moved.
 */
function families(group: readonly SessionHead[]): (path: string) => string {
	const above = new Map<string, string>();
	const top = (name: string): string => {
		let at = name;
		for (let next = above.get(at); next !== undefined; next = above.get(at)) at = next;
		return at;
	};
	for (const { path, parent } of group) {
		if (parent === undefined) continue;
		const [one, other] = [top(basename(path)), top(basename(parent))];
		if (one !== other) above.set(one, other);
	}
	return (path) => top(basename(path));
}
