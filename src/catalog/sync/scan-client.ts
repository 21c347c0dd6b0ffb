import { EventEmitter } from "node:events";
import { answerCalls, type CallMessage, type CallResult, Channel, type ThreadPort } from "../../shared/channel.ts";
import { type IndexerCalls, type IndexerData, type IndexerEvent, startScanThread, TooMuchToRead } from "./protocol.ts";

/** A thread that fails more often is not restarted until the user requests a comparison. */
const MAX_RESTARTS = 3;

interface ScanClientOptions {
	readonly data: IndexerData;
	readonly onEvent: (event: IndexerEvent) => void;
	/** The thread has failed; `isOver`: it was not restarted. */
	readonly onFailure: (error: Error, isOver: boolean) => void;
}

/** Runs an indexer in this thread, for what has no screen: a file is read in one piece. Loaded only where it is needed. */
class IndexerHere extends EventEmitter implements ThreadPort {
	readonly #answering: Promise<(message: CallMessage<IndexerCalls>) => void>;
	#hasFailed = false;

	constructor(data: IndexerData) {
		super();
		const fail = (error: unknown): void => this.#fail(error);
		this.#answering = import("./indexer.ts").then(({ Indexer }) => {
			const emit = (event: IndexerEvent) => this.emit("message", { event });
			const indexer = new Indexer(data, { emit, onFailure: fail, onClosed: () => this.emit("exit") });
			return answerCalls<IndexerCalls>(indexer, (reply) => this.emit("message", reply), fail);
		});
	}

	postMessage(message: CallMessage<IndexerCalls>): void {
		// As between threads, not before what is going on now has ended.
		this.#answering.then(
			(answer) => setImmediate(() => answer(message)),
			(error: unknown) => {
				this.emit("error", error);
				this.emit("exit");
			},
		);
	}

	#fail(error: unknown): void {
		// Closing it has failed, too.
		if (this.#hasFailed) return void this.emit("exit");
		this.#hasFailed = true;
		this.postMessage({ name: "close", args: [] });
		this.emit("error", error);
	}
}

/**
 * Starts the scan thread, and restarts it when it fails, so that one failure does not end the listing. With little to read, a command
 * starts no thread, which would take longer.
 */
export class ScanClient {
	readonly #options: ScanClientOptions;
	#data: IndexerData;
	readonly #thread: Channel<IndexerCalls, IndexerEvent>;
	#restarts = 0;
	#started = false;
	#closed = false;
	#isResting = false;
	#visible: readonly string[] = [];
	#paused = false;

	constructor(options: ScanClientOptions) {
		this.#options = options;
		this.#data = options.data;
		this.#thread = new Channel({ onEvent: options.onEvent, onFailure: (error) => this.#fail(error) });
		this.#spawn();
	}

	/** Begins the first listing; `lastSeen`: the last change of the index whose rows have been emitted. */
	start(lastSeen: number): void {
		this.#started = true;
		this.#thread.tell("start", lastSeen);
	}

	watchVisible(paths: readonly string[]): void {
		this.#visible = paths;
		this.#thread.tell("watchVisible", paths);
	}

	/** Has sessions counted from now on. */
	count(): void {
		if (this.#data.numbers) return;
		this.#data = { ...this.#data, numbers: true };
		this.#thread.tell("count");
	}

	pause(paused: boolean): void {
		this.#paused = paused;
		this.#thread.tell("pause", paused);
	}

	rebuild(): void {
		this.#thread.tell("rebuild");
	}

	/**
	 * Asks the thread. If the thread fails first, its successor answers; one that was given up is restarted. Resolves with
	 * undefined if there will be no answer.
	 */
	async ask<Name extends "refresh" | "changed" | "checkUse" | "stats">(
		name: Name,
		...args: Parameters<IndexerCalls[Name]>
	): Promise<CallResult<IndexerCalls, Name> | undefined> {
		if (this.#closed) return undefined;
		const answer = this.#thread.ask(name, ...args);
		if (!this.#thread.isRunning && this.#started && !this.#isResting) {
			this.#restarts = 0;
			this.#restart();
		}
		return answer;
	}

	/** Ends the thread, which stores what it has read; nothing is read or watched until `wake`. */
	async rest(): Promise<void> {
		if (!this.#thread.isRunning || this.#closed) return;
		this.#isResting = true;
		const ended = this.#thread.end();
		// The next thread's listing covers what was asked last.
		this.#thread.giveUp();
		await ended;
	}

	/**
	 * Starts the thread again after `rest`: it emits what has changed since the change `lastSeen` of the index. Returns whether
	 * there was anything to start.
	 */
	wake(lastSeen: number): boolean {
		if (!this.#isResting || this.#closed) return false;
		this.#isResting = false;
		this.#restart(lastSeen);
		return true;
	}

	/** Resolves when the thread has stored what it read, and has ended. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#thread.end();
		this.#thread.giveUp();
	}

	#spawn(): void {
		const { here } = this.#data;
		this.#thread.start(here ? new IndexerHere(this.#data) : startScanThread(this.#data));
	}

	/** A new thread does not know what was emitted: it emits everything that has changed since `lastSeen`. */
	#restart(lastSeen = -1): void {
		this.#spawn();
		this.#thread.tell("start", lastSeen);
		this.#thread.tell("watchVisible", this.#visible);
		this.#thread.tell("pause", this.#paused);
		this.#thread.askAgain();
	}

	#fail(error: unknown): void {
		if (this.#closed) return;
		this.#data = { ...this.#data, here: false };
		if (error instanceof TooMuchToRead) {
			this.#restart();
			return;
		}
		this.#restarts += 1;
		const isOver = !this.#started || this.#restarts > MAX_RESTARTS;
		this.#options.onFailure(error instanceof Error ? error : new Error(String(error)), isOver);
		// A question about certain files may have caused the failure, and the new thread reads all files anyway.
		this.#thread.giveUp((name) => isOver || name === "changed" || name === "checkUse");
		if (!isOver) this.#restart();
	}
}
