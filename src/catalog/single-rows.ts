import { runToEnd } from "../shared/steps.ts";
import { isDamaged } from "../store/format/diagnostic.ts";
import { CHUNK_BYTES } from "../store/read/line-reader.ts";
import { BranchGatherer, type BranchLines, readBranches } from "./branches/read-branches.ts";
import type { SessionRow } from "./model/row.ts";
import { scanFile } from "./scan/scan-file.ts";
import type { SessionFile } from "./scan/session-files.ts";
import { type LineMatch, labeledIds, withBranch } from "./search/match-line.ts";
import type { Hit } from "./search/search.ts";
import type { Snapshot } from "./snapshot.ts";
import { abandonedSpans } from "./stats/numbers-table.ts";

/** The rows of single sessions of a snapshot, for a search: a file that is not in the index as it is now is read. */
export class SingleRows {
	readonly #snapshot: Snapshot;
	readonly #spansOf: ReturnType<typeof abandonedSpans> | undefined;
	readonly #read = new Map<string, SessionRow>();
	readonly #branches = new Map<string, BranchLines>();
	readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);

	constructor(snapshot: Snapshot) {
		this.#snapshot = snapshot;
		this.#spansOf = snapshot.read(abandonedSpans);
	}

	rowOf(file: SessionFile): SessionRow {
		return this.#read.get(file.path) ?? this.#snapshot.storedRow(file) ?? this.#scan(file);
	}

	/** The time of a session in the list's order, in Unix ms; that of the file if only reading it would tell. */
	modifiedOf(file: SessionFile): number {
		return this.#read.get(file.path)?.modified.getTime() ?? this.#snapshot.storedOf(file)?.modifiedMs ?? file.mtimeMs;
	}

	/** Whether a file has lines with characters that do not show; undefined if no search has looked since it was written. */
	hiddenOf(file: SessionFile): boolean | undefined {
		return this.#snapshot.storedOf(file)?.hidden;
	}

	/** Notes which of the files have such lines, so that no search looks again. */
	noteHidden(files: readonly SessionFile[], hidden: ReadonlySet<string>): Promise<void> {
		const stored = files.flatMap((file) => this.#snapshot.storedOf(file) ?? []);
		return this.#snapshot.noteHidden(stored, hidden);
	}

	/** A test for the sessions whose row in the index has one of the words of each list, in any case; none if there is no index. */
	namedWith(words: readonly (readonly string[])[]): (file: { readonly path: string }) => boolean {
		const pathsOf = (some: readonly string[]) => new Set(some.flatMap((word) => [...this.#snapshot.pathsWith(word)]));
		const paths = words.filter((some) => some.length > 0).map(pathsOf);
		return ({ path }) => paths.length > 0 && paths.every((some) => some.has(path));
	}

	withBranch(match: LineMatch, file: SessionFile): Hit {
		const ids = labeledIds([match]);
		// The index does not have the offset of a labeled entry.
		const isStored = ids.length === 0 && this.#snapshot.storedOf(file) !== undefined;
		const abandoned = isStored ? this.#snapshot.read(() => this.#spansOf?.(file.path, file.size)) : undefined;
		return withBranch(match, abandoned ? { abandoned, labeled: new Map() } : this.#branchesOf(file, ids));
	}

	/** How many of these are known to be damaged, from the index or because they were read. */
	damaged(files: readonly SessionFile[]): number {
		const isBad = ({ path }: SessionFile): boolean => {
			const row = this.#read.get(path);
			return row === undefined ? this.#snapshot.stored.get(path)?.damaged === true : isDamaged(row.diagnostics);
		};
		return files.filter(isBad).length;
	}

	#scan({ path }: SessionFile, gatherer?: BranchGatherer): SessionRow {
		const { row } = scanFile(path, undefined, this.#buffer, gatherer && ((line) => gatherer.add(line)));
		this.#read.set(path, row);
		return row;
	}

	/** If the row of a session is unknown, too, one reading provides both. */
	#branchesOf(file: SessionFile, ids: readonly string[]): BranchLines {
		const branchesBefore = this.#branches.get(file.path);
		if (branchesBefore && ids.every((id) => branchesBefore.labeled.has(id))) return branchesBefore;
		const isListed = this.#read.has(file.path) || this.#snapshot.storedOf(file) !== undefined;
		const gatherer = isListed ? undefined : new BranchGatherer(ids);
		if (gatherer) this.#scan(file, gatherer);
		const branches = gatherer?.finish() ?? runToEnd(readBranches(file.path, ids, this.#buffer));
		this.#branches.set(file.path, branches);
		return branches;
	}
}
