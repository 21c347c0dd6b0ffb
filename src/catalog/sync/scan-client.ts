import { EventEmitter } from "node:events";
import { startThread } from "../../shared/v8-settings.ts";
import { workerUrl } from "../../shared/worker-url.ts";
import { type FromIndexer, type IndexerData, type ToIndexer, TooMuchToRead } from "./protocol.ts";

/** A thread that fails more often is not restarted until the user requests a comparison. */
const MAX_RESTARTS = 3;

/** A request to the scan thread; it answers when everything found for it was emitted. */
type ScanQuestion = Extract<ToIndexer, { readonly request: number }>;
/** A question without its number. */
type NewQuestion = ScanQuestion extends infer One ? (One extends ScanQuestion ? Omit<One, "request"> : never) : never;

interface ScanClientOptions {
	readonly data: IndexerData;
	readonly onMessage: (message: FromIndexer) => void;
	/** The thread has failed; `isOver`: it was not restarted. */
	readonly onFailure: (error: Error, isOver: boolean) => void;
}

/** An indexer, in a thread of its own or in this one. */
interface RunningIndexer {
	postMessage(message: ToIndexer): void;
	on(event: "message", listener: (message: FromIndexer) => void): unknown;
	on(event: "error", listener: (error: unknown) => void): unknown;
	on(event: "exit", listener: () => void): unknown;
}

/** Runs an indexer in this thread, for what has no screen: a file is read in one piece. Loaded only where it is needed. */
class IndexerHere extends EventEmitter implements RunningIndexer {
	readonly #indexer: Promise<{ receive(message: ToIndexer): void }>;
	#hasFailed = false;

	constructor(data: IndexerData) {
		super();
		this.#indexer = import("./indexer.ts").then(
			({ Indexer }) =>
				new Indexer(data, {
					post: (message) => this.emit("message", message),
					onFailure: (error) => this.#fail(error),
					onClosed: () => this.emit("exit"),
				}),
		);
	}

	postMessage(message: ToIndexer): void {
		// As between threads, not before what is going on now has ended.
		this.#indexer.then(
			(indexer) => setImmediate(() => indexer.receive(message)),
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
		this.postMessage({ type: "close" });
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
	/** Unanswered questions by number; they are answered with undefined when the thread has failed for good. */
	readonly #asked = new Map<
		number,
		{ readonly question: ScanQuestion; readonly answer: (message?: FromIndexer) => void }
	>();
	#worker: RunningIndexer | undefined;
	/** Resolves when the thread is gone. */
	#ended: Promise<void> = Promise.resolve();
	#requests = 0;
	#restarts = 0;
	#started = false;
	#closed = false;
	#isResting = false;
	#visible: readonly string[] = [];
	#paused = false;

	constructor(options: ScanClientOptions) {
		this.#options = options;
		this.#data = options.data;
		this.#spawn();
	}

	/** Begins the first listing; `lastSeen`: the last change of the index whose rows have been emitted. */
	start(lastSeen: number): void {
		this.#started = true;
		this.post({ type: "start", seen: lastSeen });
	}

	watchVisible(paths: readonly string[]): void {
		this.#visible = paths;
		this.post({ type: "watch-visible", paths });
	}

	/** Has sessions counted from now on. */
	count(): void {
		if (this.#data.numbers) return;
		this.#data = { ...this.#data, numbers: true };
		this.post({ type: "count" });
	}

	pause(paused: boolean): void {
		this.#paused = paused;
		this.post({ type: "pause", paused });
	}

	/**
	 * Asks the thread. If the thread fails first, its successor answers; one that was given up is restarted. Resolves with
	 * undefined if there will be no answer.
	 */
	ask(newQuestion: NewQuestion): Promise<FromIndexer | undefined> {
		if (this.#closed) return Promise.resolve(undefined);
		const question: ScanQuestion = { ...newQuestion, request: this.#requests++ };
		return new Promise((answer) => {
			this.#asked.set(question.request, { question, answer });
			if (this.#worker) this.post(question);
			else if (this.#started && !this.#isResting) {
				this.#restarts = 0;
				this.#restart();
			}
		});
	}

	/** Ends the thread, which stores what it has read; nothing is read or watched until `wake`. */
	async rest(): Promise<void> {
		const worker = this.#worker;
		if (!worker || this.#closed) return;
		this.post({ type: "close" });
		this.#worker = undefined;
		this.#isResting = true;
		// The next thread's listing covers what was asked last.
		this.#answerAll();
		await this.#ended;
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
		if (!this.#closed) this.post({ type: "close" });
		this.#closed = true;
		await this.#ended;
		this.#answerAll();
	}

	#spawn(): void {
		const worker: RunningIndexer = this.#data.here
			? new IndexerHere(this.#data)
			: startThread(workerUrl("scan-worker"), "scan", this.#data);
		this.#worker = worker;
		this.#ended = new Promise((resolve) => worker.on("exit", () => resolve()));
		// Messages of a thread that was sent to rest are ignored.
		worker.on("message", (message: FromIndexer) => worker === this.#worker && this.#receive(message));
		worker.on("error", (error) => worker === this.#worker && this.#fail(error));
	}

	/** A new thread does not know what was emitted: it emits everything that has changed since `lastSeen`. */
	#restart(lastSeen = -1): void {
		this.#spawn();
		this.post({ type: "start", seen: lastSeen });
		this.post({ type: "watch-visible", paths: this.#visible });
		this.post({ type: "pause", paused: this.#paused });
		for (const { question } of this.#asked.values()) this.post(question);
	}

	#receive(message: FromIndexer): void {
		if ("request" in message) {
			this.#asked.get(message.request)?.answer(message);
			this.#asked.delete(message.request);
		} else this.#options.onMessage(message);
	}

	#fail(error: unknown): void {
		this.#worker = undefined;
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
		this.#answerAll(({ type }) => isOver || type === "changed" || type === "check-use");
		if (!isOver) this.#restart();
	}

	post(message: ToIndexer): void {
		if (!this.#closed) this.#worker?.postMessage(message);
	}

	#answerAll(which: (question: ScanQuestion) => boolean = () => true): void {
		for (const [request, { question, answer }] of this.#asked) {
			if (!which(question)) continue;
			this.#asked.delete(request);
			answer();
		}
	}
}
