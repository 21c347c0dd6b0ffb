import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionRow } from "../model/row.ts";
import { PlaceError } from "./place-error.ts";

/** Reads the bytes of a session of a place in a range. */
export type ReadRange = (
	range: { readonly from: number; readonly to: number },
	onBytes: (bytes: Buffer) => Promise<unknown>,
) => Promise<void>;

/** A copy of a session, with the state of the session that it has. */
interface Copy {
	readonly file: string;
	readonly size: number;
	readonly modified: number;
}

/** Copies that stay; the one used longest ago goes first. */
const MOST_COPIES = 4;
/** A larger session is not fetched: a machine may claim any size. */
const MAX_BYTES = 4 * 1024 ** 3;
/** Bytes before the end of a copy that must still be the same for it to be extended. */
const COMPARED_BYTES = 4096;

/** Bytes that are asked for at once: they are in memory until they are stored. */
const PIECE_BYTES = 8 * 1024 * 1024;

/** Private copies of sessions of other places, for as long as they are looked at: what has been appended there is appended here. */
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
	copyOf(row: SessionRow, read: ReadRange): Promise<string> {
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

	async #copy({ path, size, modified, place }: SessionRow, read: ReadRange): Promise<string> {
		const known = this.#copies.get(path);
		if (known?.size === size && known.modified === modified.getTime()) {
			// The one used last goes last.
			this.#copies.delete(path);
			this.#copies.set(path, known);
			return known.file;
		}
		if (size > MAX_BYTES) throw new PlaceError(`${place}: the session is too large to be fetched`);
		const isGrown = known !== undefined && (await this.#isBeginning(known, size, read));
		// What is appended to is a copy of nothing until that has ended, and must not be removed for another one meanwhile.
		this.#copies.delete(path);
		this.#directory ??= this.#createDirectory();
		// Nothing from there is part of the name.
		const file = isGrown ? known.file : join((await this.#directory).path, `session-${++this.#made}.jsonl`);
		try {
			const handle = await open(file, isGrown ? "a" : "wx", 0o600);
			try {
				for (let at = isGrown ? known.size : 0; at < size; at += PIECE_BYTES)
					await read({ from: at, to: Math.min(size, at + PIECE_BYTES) }, (bytes) => handle.appendFile(bytes));
			} finally {
				await handle.close();
			}
		} catch (error) {
			await rm(file, { force: true });
			throw error;
		} finally {
			if (known !== undefined && !isGrown) await rm(known.file, { force: true });
		}
		this.#copies.set(path, { file, size, modified: modified.getTime() });
		await this.#drop();
		return file;
	}

	/** Whether a session begins as its copy, whose last bytes are compared, and goes on. */
	async #isBeginning(copy: Copy, size: number, read: ReadRange): Promise<boolean> {
		if (size <= copy.size) return false;
		const from = Math.max(0, copy.size - COMPARED_BYTES);
		const parts: Buffer[] = [];
		await read({ from, to: copy.size }, async (bytes) => parts.push(bytes));
		const handle = await open(copy.file, "r");
		try {
			const { buffer, bytesRead } = await handle.read(Buffer.alloc(copy.size - from), 0, copy.size - from, from);
			return Buffer.concat(parts).equals(buffer.subarray(0, bytesRead));
		} finally {
			await handle.close();
		}
	}

	async #drop(): Promise<void> {
		for (const [path, { file }] of this.#copies) {
			if (this.#copies.size <= MOST_COPIES) return;
			this.#copies.delete(path);
			await rm(file, { force: true });
		}
	}
}
