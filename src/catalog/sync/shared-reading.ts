import { Channel, type ThreadPort } from "../../shared/channel.ts";
import type { SessionFile } from "../scan/session-files.ts";
import type { FileScan } from "./known-files.ts";
import type { IndexerCalls } from "./protocol.ts";

/** This thread alone reads the newest files, up to so many or so many bytes: they come first on the screen, without a gap. */
const OWN_FILES = 40;
const OWN_BYTES = 32 * 1024 * 1024;
/** Bytes of files in a question to the other thread. It has two at a time, so that it is never without work. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Two threads read new files: this one takes the newest first, the other one is asked for the largest. */
export class SharedReading {
	readonly #onScans: (scans: readonly FileScan[]) => void;
	readonly #thread: Channel<IndexerCalls>;
	/** Files that may be left, the largest last. */
	readonly #bySize: SessionFile[];
	/** Paths that this thread has taken. */
	readonly #own = new Set<string>();
	/** Paths that the other thread was asked for. */
	readonly #asked = new Set<string>();
	/** Paths that it has not read, because it has failed. */
	readonly #unread: string[] = [];
	readonly #answered: Promise<unknown>;

	/** `files`: newest first. `other`: the other thread. `onScans` gets what it has read, again and again. */
	constructor(files: readonly SessionFile[], other: ThreadPort, onScans: (scans: readonly FileScan[]) => void) {
		this.#onScans = onScans;
		this.#bySize = files.slice(ownFiles(files)).sort((a, b) => a.size - b.size);
		this.#thread = new Channel({ onFailure: () => this.#thread.giveUp() });
		this.#thread.start(other);
		this.#answered = Promise.all([this.#ask(), this.#ask()]);
	}

	/** Takes a file for this thread; returns false if the other one reads it. */
	take(path: string): boolean {
		if (this.#asked.has(path)) return false;
		this.#own.add(path);
		return true;
	}

	/** Resolves when the other thread has nothing left to read, with the paths that it has not read. */
	async unread(): Promise<readonly string[]> {
		await this.#answered;
		return this.#unread;
	}

	/** Ends the other thread; what it has not read by then comes to nothing. */
	end(): void {
		void this.#thread.end();
		this.#thread.giveUp();
	}

	async #ask(): Promise<void> {
		for (let paths = this.#largest(); paths.length > 0; paths = this.#largest()) {
			const scans = this.#thread.isRunning ? await this.#thread.ask("scan", paths) : undefined;
			if (scans === undefined) {
				this.#unread.push(...paths);
				return;
			}
			this.#onScans(scans);
		}
	}

	#largest(): readonly string[] {
		const paths: string[] = [];
		for (let bytes = 0; bytes < BATCH_BYTES; ) {
			const file = this.#bySize.pop();
			if (file === undefined) break;
			if (this.#own.has(file.path)) continue;
			this.#asked.add(file.path);
			paths.push(file.path);
			bytes += file.size;
		}
		return paths;
	}
}

function ownFiles(files: readonly SessionFile[]): number {
	let bytes = 0;
	const end = files.findIndex(({ size }, index) => {
		bytes += size;
		return index === OWN_FILES || bytes > OWN_BYTES;
	});
	return end === -1 ? files.length : end;
}
