import type { Worker } from "node:worker_threads";
import { attempt, messageOf } from "../../shared/attempt.ts";
import { Channel } from "../../shared/channel.ts";
import { startThread } from "../../shared/v8-settings.ts";
import { workerUrl } from "../../shared/worker-url.ts";
import type { Query } from "../query/parse-query.ts";
import { NO_HITS, type SearchEvent, type SearchFile, type SessionHits, type SessionsWith } from "../search/search.ts";
import type { UsesEvent, UsesRequest } from "../uses/use-finder.ts";
import type { SearchCalls, SearchThreadEvent } from "./protocol.ts";

/** A thread that does not answer a new request for this long, in milliseconds, is replaced. */
const STUCK_MS = 100;

interface CurrentSearch {
	readonly request: number;
	readonly query: Query;
	readonly listener: (event: SearchEvent) => void;
}

interface UsesSearch {
	readonly request: number;
	readonly question: UsesRequest;
	readonly listener: (event: UsesEvent) => void;
	/** Number of the request that has begun the search. */
	readonly number: number;
	isDone: boolean;
}

/** Searches in a thread of its own, which is started with the first search and restarted after a failure. */
export class SearchClient {
	readonly #files = new Map<string, SearchFile>();
	readonly #thread = new Channel<SearchCalls, SearchThreadEvent>({
		onEvent: (event) => this.#receive(event),
		onFailure: (error) => this.#fail(error),
	});
	#worker: Worker | undefined;
	#requests = 0;
	#current: CurrentSearch | undefined;
	#uses: UsesSearch | undefined;
	#visible: { readonly paths: readonly string[]; readonly watched: number } = { paths: [], watched: 0 };
	#stuck: NodeJS.Timeout | undefined;
	/** The ripgrep processes that the thread has started and that are still running. */
	readonly #processes = new Set<number>();
	/** Whether the thread has answered anything yet. Until then it may still be starting, which can take long. */
	#isReady = false;
	#isResting = false;

	/** Adds new or reread files: the content may have changed though size and session time have not. */
	update(files: readonly SearchFile[]): void {
		for (const file of files) this.#files.set(file.path, file);
		if (files.length > 0) this.#thread.tell("update", files);
	}

	remove(paths: readonly string[]): void {
		for (const path of paths) this.#files.delete(path);
		this.#thread.tell("remove", paths);
	}

	watchVisible(paths: readonly string[], watched: number): void {
		this.#visible = { paths, watched };
		this.#thread.tell("watchVisible", paths, watched);
	}

	/** Starts a search and ends the previous one. Returns a function that ends it; nothing is emitted afterwards. */
	search(query: Query, listener: (event: SearchEvent) => void): () => void {
		const request = this.#requests++;
		this.#current = { request, query, listener };
		this.#expectAnswer();
		this.#startCurrent();
		return () => {
			if (this.#current?.request !== request) return;
			this.#current = undefined;
			this.#expectAnswer();
			this.#thread.tell("stop");
		};
	}

	#startCurrent(): void {
		if (!this.#current) return;
		this.#start();
		this.#thread.tell("search", this.#current.request, this.#current.query);
	}

	async hits(query: Query, path: string): Promise<SessionHits> {
		this.#start();
		return (await this.#thread.ask("hits", query, path)) ?? NO_HITS;
	}

	/** For each query the sessions that have its words; fewer answers if the search ends meanwhile. */
	async searchEach(queries: readonly Query[]): Promise<readonly SessionsWith[]> {
		this.#start();
		return (await this.#thread.ask("searchEach", queries)) ?? [];
	}

	/**
	 * Finds prompts or commands, and ends the previous such search; the listener gets results until the search is complete.
	 * Returns a function that ends it.
	 */
	askUses(question: UsesRequest, listener: (event: UsesEvent) => void): () => void {
		const request = this.#requests++;
		const number = question.searched === this.#uses?.question.searched ? this.#uses.number : request;
		this.#uses = { request, question, listener, number, isDone: false };
		this.#startUses();
		return () => {
			if (this.#uses?.request !== request) return;
			this.#uses = undefined;
			this.#thread.tell("stopUses");
		};
	}

	#startUses(): void {
		if (this.#uses === undefined) return;
		const { request, number, question } = this.#uses;
		this.#start();
		this.#thread.tell("askUses", request, number, question);
	}

	/** Ends the thread and every ripgrep; `wake` repeats unanswered requests. */
	rest(): void {
		if (!this.#thread.isRunning) return;
		this.#thread.giveUp((name) => name === "ping");
		this.#thread.recall();
		this.#end();
		this.#isResting = true;
	}

	/** Starts the current search again, and repeats what `rest` has interrupted. */
	wake(): void {
		if (!this.#isResting) return;
		this.#isResting = false;
		if (this.#thread.isAsked) this.#start();
		this.#startCurrent();
		if (this.#uses?.isDone === false) this.#startUses();
	}

	/** Resolves when the thread and every ripgrep have ended. */
	async close(): Promise<void> {
		this.#current = undefined;
		this.#uses = undefined;
		this.#thread.giveUp();
		const worker = this.#worker;
		if (worker === undefined) return;
		const ended = this.#end();
		// Else a program that has nothing left to do but to wait for a busy thread would end here, before it has printed anything.
		worker.ref();
		await ended;
	}

	/** A pattern on a line of megabytes can block the thread for long. The next key must not wait for it. */
	#expectAnswer(): void {
		if (!this.#isReady || this.#stuck) return;
		const stuck = setTimeout(() => {
			// If this thread was busy itself, the answer may be there, unread.
			setImmediate(() => this.#stuck === stuck && this.#replace());
		}, STUCK_MS);
		this.#stuck = stuck;
		void this.#thread.ask("ping").then(() => {
			if (this.#stuck !== stuck) return;
			clearTimeout(stuck);
			this.#stuck = undefined;
		});
	}

	/** Ends a thread that does not answer, and its processes, and starts the current search in another one. */
	#replace(): void {
		this.#thread.giveUp();
		this.#end();
		this.#startCurrent();
		this.#startUses();
	}

	#end(): Promise<void> {
		const worker = this.#worker;
		this.#forget();
		if (worker) endLate(worker);
		return this.#thread.end();
	}

	/** The thread is gone or about to go. */
	#forget(): void {
		this.#worker = undefined;
		this.#isReady = false;
		clearTimeout(this.#stuck);
		this.#stuck = undefined;
		// Nothing else would end them; one may just have ended by itself.
		for (const pid of this.#processes) attempt(() => process.kill(pid, "SIGKILL"));
		this.#processes.clear();
	}

	/** Starts the thread if it does not run, and repeats what no other has answered. */
	#start(): void {
		if (this.#thread.isRunning) return;
		const worker = startThread(workerUrl("search-worker"), "search");
		this.#worker = worker;
		this.#thread.start(worker);
		this.#thread.tell("update", [...this.#files.values()]);
		this.#thread.tell("watchVisible", this.#visible.paths, this.#visible.watched);
		this.#thread.askAgain();
		void this.#thread.ask("ping").then(() => {
			this.#isReady = worker === this.#worker;
		});
	}

	#receive(message: SearchThreadEvent): void {
		if (message.type === "search") {
			if (message.request === this.#current?.request) this.#current.listener(message.event);
		} else if (message.type === "uses") {
			if (message.request !== this.#uses?.request) return;
			const { event } = message;
			this.#uses.isDone = event.type === "error" || event.isDone;
			this.#uses.listener(event);
		} else if (message.running) this.#processes.add(message.pid);
		else this.#processes.delete(message.pid);
	}

	#fail(error: unknown): void {
		this.#thread.giveUp();
		this.#forget();
		const message = `The search failed: ${messageOf(error)}. Type again to try again.`;
		this.#current?.listener({ type: "error", message });
		this.#uses?.listener({ type: "error", message });
	}
}

/** How long a thread that is no longer needed may take to end, in milliseconds. */
const ENDING_MS = 2000;

/**
 * Ends a thread that was asked to end and does not: only the thread itself can reap its processes, which otherwise stay zombies for as
 * long as this program runs. Nothing waits for it, not even the end of this program.
 */
function endLate(worker: Worker): void {
	worker.unref();
	const late = setTimeout(() => worker.terminate(), ENDING_MS).unref();
	worker.once("exit", () => clearTimeout(late));
}
