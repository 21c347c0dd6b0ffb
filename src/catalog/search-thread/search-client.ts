import type { Worker } from "node:worker_threads";
import { attempt, messageOf } from "../../shared/attempt.ts";
import { startThread } from "../../shared/v8-settings.ts";
import { workerUrl } from "../../shared/worker-url.ts";
import type { Query } from "../query/parse-query.ts";
import { NO_HITS, type SearchEvent, type SearchFile, type SessionHits, type SessionsWith } from "../search/search.ts";
import type { UsesEvent, UsesRequest } from "../uses/use-finder.ts";
import type { FromSearchWorker, ToSearchWorker } from "./protocol.ts";

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
	isDone: boolean;
}

/** A question that the thread answers once. */
interface Question {
	readonly message: Extract<ToSearchWorker, { readonly type: "hits" | "each" }>;
	/** Undefined if the thread has ended before. */
	readonly answer: (answer: SessionHits | readonly SessionsWith[] | undefined) => void;
}

/** Searches in a thread of its own, which is started with the first search and restarted after a failure. */
export class SearchClient {
	readonly #files = new Map<string, SearchFile>();
	readonly #questions = new Map<number, Question>();
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
		if (files.length > 0) this.#post({ type: "files", files });
	}

	remove(paths: readonly string[]): void {
		for (const path of paths) this.#files.delete(path);
		this.#post({ type: "gone", paths });
	}

	watchVisible(paths: readonly string[], watched: number): void {
		this.#visible = { paths, watched };
		this.#post({ type: "watch-visible", paths, watched });
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
			this.#post({ type: "stop" });
		};
	}

	#startCurrent(): void {
		if (!this.#current) return;
		const { request, query } = this.#current;
		this.#started().postMessage({ type: "search", request, query } satisfies ToSearchWorker);
	}

	hits(query: Query, path: string): Promise<SessionHits> {
		return this.#ask({ type: "hits", request: this.#requests++, query, path }, NO_HITS);
	}

	/** For each query the sessions that have its words; fewer answers if the search ends meanwhile. */
	searchEach(queries: readonly Query[]): Promise<readonly SessionsWith[]> {
		return this.#ask({ type: "each", request: this.#requests++, queries }, []);
	}

	#ask<Answer extends SessionHits | readonly SessionsWith[]>(
		message: Question["message"],
		nothing: Answer,
	): Promise<Answer> {
		const { promise, resolve } = Promise.withResolvers<Answer>();
		// The thread answers what it was asked.
		this.#questions.set(message.request, { message, answer: (answer = nothing) => resolve(answer as Answer) });
		this.#started().postMessage(message);
		return promise;
	}

	/**
	 * Finds prompts or commands, and ends the previous such search; the listener gets results until the search is complete.
	 * Returns a function that ends it.
	 */
	askUses(question: UsesRequest, listener: (event: UsesEvent) => void): () => void {
		const isSame = this.#worker !== undefined && this.#uses?.question.searched === question.searched;
		const request = this.#requests++;
		this.#uses = { request, question, listener, isDone: false };
		this.#startUses(isSame);
		return () => {
			if (this.#uses?.request !== request) return;
			this.#uses = undefined;
			this.#post({ type: "stop-uses" });
		};
	}

	#startUses(isSame = false): void {
		if (this.#uses === undefined) return;
		const { request, question } = this.#uses;
		const searched = isSame ? undefined : question.searched;
		const message = { type: "uses", request, wanted: question.wanted, searched } as const;
		this.#started().postMessage(message satisfies ToSearchWorker);
	}

	/** Ends the thread and every ripgrep; `wake` repeats unanswered requests. */
	rest(): void {
		const worker = this.#worker;
		if (!worker) return;
		const questions = [...this.#questions];
		this.#questions.clear();
		this.#forget();
		endThread(worker);
		for (const [request, question] of questions) this.#questions.set(request, question);
		this.#isResting = true;
	}

	/** Starts the current search again, and repeats what `rest` has interrupted. */
	wake(): void {
		if (!this.#isResting) return;
		this.#isResting = false;
		this.#startCurrent();
		if (this.#uses?.isDone === false) this.#startUses();
		for (const { message } of this.#questions.values()) this.#started().postMessage(message);
	}

	/** Resolves when the thread and every ripgrep have ended. */
	async close(): Promise<void> {
		this.#current = undefined;
		this.#uses = undefined;
		const worker = this.#worker;
		this.#forget();
		if (worker === undefined) return;
		const exit = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
		endThread(worker);
		// Else a program that has nothing left to do but to wait for a busy thread would end here, before it has printed anything.
		worker.ref();
		await exit;
	}

	/** A pattern on a line of megabytes can block the thread for long. The next key must not wait for it. */
	#expectAnswer(): void {
		const worker = this.#worker;
		if (!worker || !this.#isReady || this.#stuck) return;
		this.#post({ type: "ping" });
		const stuck = setTimeout(() => {
			// If this thread was busy itself, the answer may be there, unread.
			setImmediate(() => {
				if (this.#stuck === stuck && worker === this.#worker) this.#replace(worker);
			});
		}, STUCK_MS);
		this.#stuck = stuck;
	}

	/** Ends a thread that does not answer, and its processes, and starts the current search in another one. */
	#replace(worker: Worker): void {
		this.#forget();
		endThread(worker);
		this.#startCurrent();
		this.#startUses();
	}

	/** The thread is gone or about to go: none of its requests will be answered. */
	#forget(): void {
		this.#worker = undefined;
		clearTimeout(this.#stuck);
		this.#stuck = undefined;
		// Nothing else would end them; one may just have ended by itself.
		for (const pid of this.#processes) attempt(() => process.kill(pid, "SIGKILL"));
		this.#processes.clear();
		this.#answerNothing();
	}

	#started(): Worker {
		if (this.#worker) return this.#worker;
		const worker = startThread(workerUrl("search-worker"), "search");
		this.#worker = worker;
		this.#isReady = false;
		worker.on("message", (message: FromSearchWorker) => worker === this.#worker && this.#receive(message));
		worker.on("error", (error) => worker === this.#worker && this.#fail(error));
		this.#post({ type: "files", files: [...this.#files.values()] });
		this.#post({ type: "watch-visible", ...this.#visible });
		return worker;
	}

	#post(message: ToSearchWorker): void {
		this.#worker?.postMessage(message);
	}

	#receive(message: FromSearchWorker): void {
		this.#isReady = true;
		if (message.type === "pong") {
			clearTimeout(this.#stuck);
			this.#stuck = undefined;
		} else if (message.type === "answer") {
			this.#questions.get(message.request)?.answer(message.answer);
			this.#questions.delete(message.request);
		} else if (message.type === "uses") {
			if (message.request !== this.#uses?.request) return;
			this.#uses.isDone = message.event.type === "error" || message.event.isDone;
			this.#uses.listener(message.event);
		} else if (message.type === "process") {
			if (message.running) this.#processes.add(message.pid);
			else this.#processes.delete(message.pid);
		} else if (message.request === this.#current?.request) {
			this.#current.listener(message.event);
		}
	}

	#fail(error: unknown): void {
		this.#forget();
		const reason = messageOf(error);
		const message = `The search failed: ${reason}. Type again to try again.`;
		this.#current?.listener({ type: "error", message });
		this.#uses?.listener({ type: "error", message });
	}

	#answerNothing(): void {
		for (const { answer } of this.#questions.values()) answer(undefined);
		this.#questions.clear();
	}
}

/** How long a thread that is no longer needed may take to end, in milliseconds. */
const ENDING_MS = 2000;

/**
 * Ends a thread, at first by asking: only the thread itself can reap its processes, which otherwise stay zombies for as long as this
 * program runs. Nothing waits for it, not even the end of this program.
 */
function endThread(worker: Worker): void {
	worker.unref();
	worker.postMessage({ type: "close" } satisfies ToSearchWorker);
	const late = setTimeout(() => worker.terminate(), ENDING_MS).unref();
	worker.once("exit", () => clearTimeout(late));
}
