import type { DatabaseSync } from "node:sqlite";
import { attempt } from "../../shared/attempt.ts";
import { explain } from "../../store/files/store-error.ts";
import {
	type IndexFile,
	indexPath,
	type OpenedIndex,
	openIndex,
	openInMemory,
	setAside,
	WAIT_MS,
} from "../index/open-index.ts";
import { IndexTable } from "../index/session-table.ts";
import { isDamage, isUnusable, sqliteReason } from "../index/sqlite.ts";
import type { EventBatcher } from "./event-batcher.ts";
import { KnownFiles } from "./known-files.ts";

/** After this many replacements, a damaged index is replaced by one in memory. */
const MAX_REPLACED = 2;

interface ScanIndexOptions {
	readonly cacheDir: string;
	/** The session root whose files are known here. */
	readonly root: string;
	/** Gets the problems of the index. */
	readonly events: EventBatcher;
	/** The index was found to be damaged, and is no longer used. Call `replace`. */
	readonly onDamage: () => void;
}

/** The index as the indexer uses it, and what is known about all files; both keep working if the index is damaged or full. */
export class ScanIndex {
	readonly #options: ScanIndexOptions;
	#known = new KnownFiles(undefined);
	#db: DatabaseSync | undefined;
	#indexFile: IndexFile | undefined;
	/** How often a damaged index was replaced. */
	#replaced = 0;
	/** Whether the last write succeeded. */
	#storing = true;

	constructor(options: ScanIndexOptions) {
		this.#options = options;
	}

	/** The open index; undefined before `open` and while a damaged one is being replaced. */
	get db(): DatabaseSync | undefined {
		return this.#db;
	}

	get known(): KnownFiles {
		return this.#known;
	}

	async open(): Promise<void> {
		this.#use(await openIndex(this.#options.cacheDir));
	}

	/** The index is damaged: from now on the listing works without it. Calls `onDamage`. */
	abandon(): void {
		const db = this.#db;
		if (!db) return;
		// It is damaged: whatever can no longer be written will be read again.
		attempt(() => db.close());
		this.#db = undefined;
		this.#known = this.#known.withoutIndex();
		this.#options.onDamage();
	}

	/** Sets an abandoned index aside and starts a new one, which knows no files. */
	async replace(): Promise<void> {
		this.#replaced += 1;
		this.#use(await this.#newIndex());
	}

	/** Throws the error of SQLite. */
	close(): void {
		this.#db?.close();
		this.#db = undefined;
	}

	/** Uses the index; undefined if there is none, or it turns out to be damaged. */
	use<Result>(use: (db: DatabaseSync) => Result): Result | undefined {
		if (!this.#db) return undefined;
		try {
			return use(this.#db);
		} catch (error) {
			if (isDamage(error)) this.abandon();
			else if (isUnusable(error)) this.#cannotStore(error);
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

	async #newIndex(): Promise<OpenedIndex> {
		const path = indexPath(this.#options.cacheDir);
		try {
			if (this.#replaced <= MAX_REPLACED) {
				const problem = this.#indexFile && setAside(this.#options.cacheDir, this.#indexFile);
				const opened = await openIndex(this.#options.cacheDir);
				return { ...opened, problems: [...(problem ? [problem] : []), ...opened.problems] };
			}
		} catch (error) {
			const message = `The index ${path} is damaged and cannot be set aside: ${explain(error)}. Delete it; until then, all sessions are read again at every start.`;
			return openInMemory([{ path, message }]);
		}
		const message = `The index ${path} was damaged again and again; all sessions are read again at every start. Check the disk.`;
		return openInMemory([{ path, message }]);
	}

	#use({ db, file, problems }: OpenedIndex): void {
		this.#options.events.problems("index", problems);
		this.#db = db;
		this.#indexFile = file;
		const { root } = this.#options;
		this.#known = this.use(() => new KnownFiles(new IndexTable(db, root))) ?? new KnownFiles(undefined);
	}
}
