import { open } from "node:fs/promises";
import { join } from "../../shared/paths.ts";
import { removePath } from "../../store/files/while-busy.ts";
import type { SessionRow } from "../model/row.ts";

/** Reads a session of a host from an offset on, to its end. */
export type ReadBytes = (from: number, onBytes: (bytes: Buffer) => Promise<unknown>) => Promise<void>;

/** A copy of a session: its file, the length of that file, and the state of the session for which it was made. */
interface SessionCopy {
	readonly file: string;
	readonly bytes: number;
	readonly state: string;
}

/** Copies that stay; the one used longest ago goes first. */
const MOST_COPIES = 4;
/** Bytes before the end of a copy that must still be the same for it to be extended. */
const COMPARED_BYTES = 4096;

/** The session no longer begins like its copy. */
class ReplacedSession extends Error {}

/** Private copies of a host's sessions while they are shown; lines appended there are appended here. */
export class PlaceCopies {
	readonly #createDirectory: () => Promise<{ readonly path: string }>;
	#directory: Promise<{ readonly path: string }> | undefined;
	/** By the path of the session, the one used last at the end: the copy that is there, or is being made. */
	readonly #copies = new Map<string, Promise<SessionCopy>>();
	#made = 0;

	/** `createDirectory`: makes a directory that only this person can read, and that goes with this process. */
	constructor(createDirectory: () => Promise<{ readonly path: string }>) {
		this.#createDirectory = createDirectory;
	}

	/** The path of a copy of a session, of at least the length in its row. Rejects as `read` does, and if it cannot be stored. */
	async copyOf({ path, size, modified }: SessionRow, read: ReadBytes): Promise<string> {
		const state = `${size} ${modified.getTime()}`;
		const earlier = this.#copies.get(path)?.catch(() => undefined);
		const copying = Promise.resolve(earlier).then((copy) =>
			copy?.state === state ? copy : this.#copy(copy, state, read),
		);
		this.#copies.delete(path);
		this.#copies.set(path, copying);
		const { file } = await copying;
		for (const [oldest, copy] of this.#copies) {
			if (this.#copies.size <= MOST_COPIES) break;
			this.#copies.delete(oldest);
			void copy.then((one) => removePath(one.file, { force: true })).catch(() => undefined);
		}
		return file;
	}

	async #copy(earlier: SessionCopy | undefined, state: string, read: ReadBytes): Promise<SessionCopy> {
		if (earlier !== undefined) {
			try {
				return { ...earlier, state, bytes: await extend(earlier, read) };
			} catch (error) {
				if (!(error instanceof ReplacedSession)) throw error;
			}
		}
		this.#directory ??= this.#createDirectory();
		// Nothing from there is part of the name.
		const file = join((await this.#directory).path, `session-${++this.#made}.jsonl`);
		return { file, state, bytes: await extend({ file, bytes: 0 }, read) };
	}
}

/**
 * Appends to a copy what its session has more; returns how long it is then. One that fails is removed; it rejects with a `ReplacedSession`
 * if the session does not have the last bytes of the copy there.
 */
async function extend({ file, bytes: lengthBefore }: Omit<SessionCopy, "state">, read: ReadBytes): Promise<number> {
	const handle = await open(file, "a+", 0o600);
	try {
		let tail = Buffer.alloc(Math.min(lengthBefore, COMPARED_BYTES));
		const from = lengthBefore - tail.length;
		let length = lengthBefore;
		await handle.read(tail, 0, tail.length, from);
		await read(from, async (bytes) => {
			const compared = bytes.subarray(0, tail.length);
			if (!compared.equals(tail.subarray(0, compared.length))) throw new ReplacedSession();
			tail = tail.subarray(compared.length);
			length += bytes.length - compared.length;
			await handle.appendFile(bytes.subarray(compared.length));
		});
		if (tail.length > 0) throw new ReplacedSession();
		return length;
	} catch (error) {
		await removePath(file, { force: true });
		throw error;
	} finally {
		await handle.close();
	}
}
