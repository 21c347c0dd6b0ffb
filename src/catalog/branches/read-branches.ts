import { closeSync } from "node:fs";
import { isObject } from "../../shared/json.ts";
import { openFile } from "../../store/files/open-file.ts";
import { headFields, lineHead } from "../../store/format/line-head.ts";
import { versionOf } from "../../store/format/migrate.ts";
import { parseJson } from "../../store/format/parse.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { CHUNK_BYTES, type FileLine, readLinesSteps } from "../../store/read/line-reader.ts";
import { BranchTracker, type ByteSpan } from "./branch-tracker.ts";

export interface BranchLines {
	readonly abandoned: readonly ByteSpan[];
	/** Offsets of the requested entries by id; of several with the same id, of the last one. */
	readonly labeled: ReadonlyMap<string, number>;
}

/**
 * Reads a session's ids and parents, most of them without parsing their lines; nothing is abandoned if the file was deleted
 * meanwhile. `ids`: of the entries whose offsets are needed.
 */
export function* readBranches(
	path: string,
	ids: Iterable<string>,
	buffer = Buffer.allocUnsafe(CHUNK_BYTES),
): Generator<void, BranchLines, undefined> {
	const gatherer = new BranchGatherer(ids);
	try {
		const { fd, stats } = openFile(path);
		try {
			const onLine = (line: FileLine) => {
				gatherer.add(line);
				return true;
			};
			yield* readLinesSteps(fd, { to: stats.size, buffer, wanted: () => false, onLine });
		} finally {
			closeSync(fd);
		}
	} catch {
		// Deleted since it was searched; its row disappears as well.
		return { abandoned: [], labeled: new Map() };
	}
	return gatherer.finish();
}

/** Gathers the branches of a session from its lines in order; `ids` as for `readBranches`. */
export class BranchGatherer {
	readonly #wanted: ReadonlySet<string>;
	readonly #labeled = new Map<string, number>();
	readonly #tree = new BranchTracker();
	#version: number | undefined;

	constructor(ids: Iterable<string>) {
		this.#wanted = new Set(ids);
	}

	add(line: FileLine): void {
		const entry = linkOf(line);
		if (entry?.type === "session") this.#version ??= versionOf(entry);
		else if (entry) {
			this.#tree.add(entry, line.offset, line.next - line.offset);
			if (typeof entry.id === "string" && this.#wanted.has(entry.id)) this.#labeled.set(entry.id, line.offset);
		}
	}

	/** Nothing may be added afterwards. */
	finish(): BranchLines {
		return { abandoned: this.#tree.finish(this.#version ?? 1).spans, labeled: this.#labeled };
	}
}

/** The fields that link an entry to its parent; undefined for a damaged or repeated line, which the tree does not have either. */
function linkOf({ bytes, start, end, whole, terminated, isRepeated }: FileLine): RawEntry | undefined {
	if (isRepeated) return undefined;
	const head = terminated ? lineHead(bytes, start) : undefined;
	if (head !== undefined && head.idEnd !== 0) return headFields(bytes, head);
	const value = whole ? parseJson(bytes.toString("utf8", start, end).replace(/^\uFEFF/, "")) : undefined;
	return isObject(value) ? value : undefined;
}
