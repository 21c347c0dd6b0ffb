import type { DatabaseSync } from "node:sqlite";
import { attempt } from "../../shared/attempt.ts";
import { type IndexFile, indexPath, openIndex, setAside, WAIT_MS } from "../index/open-index.ts";
import { IndexTable } from "../index/session-table.ts";
import { isDamage, isUnusable, sqliteReason } from "../index/sqlite.ts";
import type { EventBatcher } from "./event-batcher.ts";
import { KnownFiles } from "./known-files.ts";

interface ScanIndexOptions {
	readonly cacheDir: string;
	/** The session root whose files are known here. */
	readonly root: string;
	/** Gets the problems of the index. */
	readonly events: EventBatcher;
}

/**
 * The index as the indexer uses it, and what is known about all files; both keep working if it is full or locked. One that is damaged is
 * set aside, which ends the thread: the next one makes a new index.
 */
export class ScanIndex {
	readonly #options: ScanIndexOptions;
	#known = new KnownFiles(undefined);
	#db: DatabaseSync | undefined;
	#indexFile: IndexFile | undefined;
	/** Whether the last write succeeded. */
	#storing = true;

	constructor(options: ScanIndexOptions) {
		this.#options = options;
	}

	/** The open index; undefined before `open`. */
	get db(): DatabaseSync | undefined {
		return this.#db;
	}

	get known(): KnownFiles {
		return this.#known;
	}

	async open(): Promise<void> {
		const { db, file, problems } = await openIndex(this.#options.cacheDir);
		this.#options.events.problems("index", problems);
		this.#db = db;
		this.#indexFile = file;
		const { root } = this.#options;
		this.#known = this.use(() => new KnownFiles(new IndexTable(db, root))) ?? new KnownFiles(undefined);
	}

	/** Sets a damaged index aside; always throws. */
	setAside(): never {
		attempt(() => this.#db?.close());
		this.#db = undefined;
		const { cacheDir } = this.#options;
		const reason = this.#indexFile ? setAside(cacheDir, this.#indexFile).message : "the index in memory is damaged.";
		throw new Error(reason.replace(/\.$/, ""));
	}

	/** Throws the error of SQLite. */
	close(): void {
		this.#db?.close();
		this.#db = undefined;
	}

	/** Uses the index; undefined if it cannot be used now. */
	use<Result>(use: (db: DatabaseSync) => Result): Result | undefined {
		if (!this.#db) return undefined;
		try {
			return use(this.#db);
		} catch (error) {
			if (isDamage(error)) this.setAside();
			if (isUnusable(error)) this.#cannotStore(error);
			else throw error;
			return undefined;
		}
	}

	store(): void {
		this.write(() => this.#known.flush());
	}

	/** Writes to the index. If the disk is full or another browser locks it too long, the list goes on without it. */
	write(write: () => void): void {
		this.use(() => {
			write();
			if (this.#storing) return;
			this.#storing = true;
			this.#db?.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
			this.#options.events.problems("storing", []);
		});
	}

	#cannotStore(error: Error): void {
		this.#storing = false;
		// After one wait in vain, do not wait again until a write succeeds.
		this.#db?.exec("PRAGMA busy_timeout = 0");
		const path = indexPath(this.#options.cacheDir);
		const message = `Cannot use the index ${path}: ${sqliteReason(error)}. What it lacks is read again at the next start.`;
		this.#options.events.problems("storing", [{ path, message }]);
	}
}
