import type { DatabaseSync } from "node:sqlite";
import { isDamage, isSqliteError } from "../index/sqlite-error.ts";
import { TextTable } from "../index/text-table.ts";
import { CHUNK_BYTES } from "../scan/read-lines.ts";
import type { Turns } from "../turns.ts";
import { type IndexedText, indexTextSteps } from "./text-indexer.ts";

/** The text of a session that is being written is stored again at most this often, in milliseconds. */
const AGAIN_MS = 2000;
/** Progress is told at most this often. */
const TELL_MS = 500;

export interface TextKeeperOptions {
	readonly db: DatabaseSync;
	readonly place: string;
	readonly turns: Turns;
	/** The text of a session has been stored. */
	readonly onStored: (path: string, text: IndexedText) => void;
	/** It is time to `run` again. */
	readonly onDue: () => void;
	/** More text has been stored; `complete`: that of all sessions that can be read. */
	readonly onProgress: (complete: boolean) => void;
}

interface Pending {
	readonly id: number;
	readonly path: string;
	readonly mtime: number;
}

/** Stores the searchable text of all sessions behind the list, newest first, a few milliseconds at a time. */
export class TextKeeper {
	readonly #options: TextKeeperOptions;
	readonly #table: TextTable;
	readonly #buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
	/** When the text of a session was last stored by this program. */
	readonly #stored = new Map<string, number>();
	/** Sessions that could not be read; tried again when they have changed. */
	readonly #failed = new Map<string, number>();
	#running: Promise<void> | undefined;
	#timer: NodeJS.Timeout | undefined;
	#closed = false;
	#told = 0;

	constructor(options: TextKeeperOptions) {
		this.#options = options;
		this.#table = new TextTable(options.db);
	}

	/** Stores what is missing; joins what is running. */
	run(): Promise<void> {
		this.#running ??= this.#run().finally(() => {
			this.#running = undefined;
		});
		return this.#running;
	}

	/** Ends the work at the next turn. */
	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#timer);
		// What it fails of is told to whoever called `run`.
		await this.#running?.catch(() => undefined);
	}

	async #run(): Promise<void> {
		for (;;) {
			const pending = this.#pending();
			const now = performance.now();
			const ready = pending.filter(({ path }) => now - (this.#stored.get(path) ?? -AGAIN_MS) >= AGAIN_MS);
			if (ready.length < pending.length) this.#later();
			if (ready.length === 0 || this.#closed) break;
			for (const session of ready) {
				await this.#store(session);
				if (this.#closed) return;
				this.#tell(TELL_MS);
			}
		}
		if (!this.#closed) this.#tell(0);
	}

	async #store({ id, path, mtime }: Pending): Promise<void> {
		const { turns } = this.#options;
		this.#stored.set(path, performance.now());
		try {
			const stored = await turns.run(indexTextSteps(this.#table, id, path, this.#buffer), () => this.#closed);
			if (stored) this.#options.onStored(path, stored);
		} catch (error) {
			// Gone or unreadable since it was listed, or the disk is full: the list says so, and the text is not searched.
			if (isDamage(error) || !(isSqliteError(error) || isFileError(error))) throw error;
			this.#failed.set(path, mtime);
		}
		if (turns.due()) await turns.take();
	}

	#pending(): Pending[] {
		const sql = `SELECT id, path, mtime FROM session
			WHERE place = ? AND (text_size <> size OR text_mtime <> mtime) ORDER BY mtime DESC`;
		const pending: Pending[] = [];
		for (const record of this.#options.db.prepare(sql).all(this.#options.place)) {
			const session = { id: Number(record.id), path: String(record.path), mtime: Number(record.mtime) };
			if (this.#failed.get(session.path) !== session.mtime) pending.push(session);
		}
		return pending;
	}

	#later(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#options.onDue(), AGAIN_MS);
	}

	#tell(interval: number): void {
		const now = performance.now();
		if (now - this.#told < interval) return;
		this.#told = now;
		this.#options.onProgress(interval === 0);
	}
}

function isFileError(error: unknown): boolean {
	return error instanceof Error && "syscall" in error;
}
