import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionRow } from "../model/row.ts";

/** Reads so many bytes of a session of a host from an offset on, or fewer if it has no more. */
export type ReadBytes = (from: number, length: number, onBytes: (bytes: Buffer) => Promise<unknown>) => Promise<void>;

/** A copy of a session, with the state of the session that it has. */
interface Copy {
	readonly file: string;
	readonly size: number;
	readonly modified: number;
}

/** Copies that stay; the one used longest ago goes first. */
const MOST_COPIES = 4;
/** Bytes before the end of a copy that must still be the same for it to be extended. */
const COMPARED_BYTES = 4096;

/** The session does not begin as its copy any more. */
class ReplacedSession extends Error {}

/** Private copies of sessions of a host, for as long as they are looked at: what has been appended there is appended here. */
export class PlaceCopies {
	readonly #createDirectory: () => Promise<{ readonly path: string }>;
	#directory: Promise<{ readonly path: string }> | undefined;
	readonly #copies = new Map<string, Copy>();
	#made = 0;
	/** For each session that is being copied: resolves when that has ended. Others do not wait for it. */
	readonly #copying = new Map<string, Promise<unknown>>();

	/** `createDirectory`: makes a directory that only this person can read, and that goes with this process. */
	constructor(createDirectory: () => Promise<{ readonly path: string }>) {
		this.#createDirectory = createDirectory;
	}

	/** The path of a copy of a session as its row describes it. Rejects as `read` does, and if it cannot be stored. */
	copyOf(row: SessionRow, read: ReadBytes): Promise<string> {
		const before = this.#copying.get(row.path) ?? Promise.resolve();
		const copying = before.then(() => this.#copy(row, read));
		const ended = copying
			.catch(() => undefined)
			.then(() => {
				if (this.#copying.get(row.path) === ended) this.#copying.delete(row.path);
			});
		this.#copying.set(row.path, ended);
		return copying;
	}

	async #copy({ path, size, modified }: SessionRow, read: ReadBytes): Promise<string> {
		const known = this.#copies.get(path);
		// The one used last goes last; and what is appended to is a copy of nothing until that has ended.
		this.#copies.delete(path);
		const isSame = known?.size === size && known.modified === modified.getTime();
		const file = isSame ? known.file : await this.#fetch(size, read, known);
		this.#copies.set(path, { file, size, modified: modified.getTime() });
		for (const [oldest, copy] of this.#copies) {
			if (this.#copies.size <= MOST_COPIES) break;
			this.#copies.delete(oldest);
			await rm(copy.file, { force: true });
		}
		return file;
	}

	async #fetch(size: number, read: ReadBytes, known: Copy | undefined): Promise<string> {
		if (known !== undefined && known.size > 0 && known.size < size) {
			try {
				return await this.#extend(known, size, read);
			} catch (error) {
				if (!(error instanceof ReplacedSession)) throw error;
			}
		}
		if (known !== undefined) await rm(known.file, { force: true });
		this.#directory ??= this.#createDirectory();
		// Nothing from there is part of the name.
		const file = join((await this.#directory).path, `session-${++this.#made}.jsonl`);
		return this.#extend({ file, size: 0, modified: 0 }, size, read);
	}

	/** Appends to a copy what its session has more; rejects with a `ReplacedSession` if the last bytes of the copy are others there. */
	async #extend({ file, size: before }: Copy, size: number, read: ReadBytes): Promise<string> {
		const handle = await open(file, before === 0 ? "wx+" : "a+", 0o600);
		try {
			let left = Buffer.alloc(Math.min(before, COMPARED_BYTES));
			const from = before - left.length;
			await handle.read(left, 0, left.length, from);
			await read(from, size - from, async (bytes) => {
				const compared = bytes.subarray(0, left.length);
				if (!compared.equals(left.subarray(0, compared.length))) throw new ReplacedSession();
				left = left.subarray(compared.length);
				await handle.appendFile(bytes.subarray(compared.length));
			});
			return file;
		} catch (error) {
			await rm(file, { force: true });
			throw error;
		} finally {
			await handle.close();
		}
	}
}
