import { Worker } from "node:worker_threads";
import { workerUrl } from "../../shared/worker-url.ts";
import { StoreError } from "../../store/files/store-error.ts";
import type { ActionFailure, FromStoreWorker, SessionCall, SessionCalls, ToStoreWorker } from "./store-protocol.ts";

/** Runs session actions in a worker thread. */
export interface StoreClient {
	/**
	 * Runs an action of `store/actions/session-actions.ts`, after those called before. Rejects with what the action
	 * throws (a `StoreError` stays one), and with a `StoreError` of the code "worker-ended" when the thread dies.
	 */
	run<Name extends keyof SessionCalls>(
		name: Name,
		...args: SessionCalls[Name]["args"]
	): Promise<SessionCalls[Name]["result"]>;
	/** Ends the thread as soon as it has done what was called before; the next call starts another one. */
	rest(): Promise<void>;
	/** Ends the thread for good as soon as it has done what was called before. */
	close(): Promise<void>;
}

/** An action that has not been answered yet. */
interface Pending {
	/** The session that it is about. */
	readonly path: string;
	readonly answer: PromiseWithResolvers<SessionCalls[keyof SessionCalls]["result"]>;
	/** The thread that was asked. */
	readonly by: Worker;
}

/** Reading a large session makes much garbage; by default V8 lets its nursery alone grow up to 100 MB. */
const NURSERY_MB = 24;

/** The thread is started with the first action, and after it has died with the next one. */
export function createStoreClient(url = workerUrl("store-worker")): StoreClient {
	const pending = new Map<number, Pending>();
	let worker: Worker | undefined;
	let requests = 0;
	let closed = false;

	function start(): Worker {
		// Without the arguments of this process: one like --input-type would keep the thread from starting.
		const started = new Worker(url, { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB } });
		let reason = "it ended early";
		started.on("message", receive);
		started.on("error", (error) => {
			reason = error instanceof Error ? error.message : String(error);
		});
		// Comes last, after "error" and all answers.
		started.on("exit", () => {
			if (worker === started) worker = undefined;
			for (const [request, { path, answer, by }] of pending) {
				if (by !== started) continue;
				pending.delete(request);
				answer.reject(workerEnded(path, reason));
			}
		});
		return started;
	}

	function receive(message: FromStoreWorker): void {
		const answer = pending.get(message.request)?.answer;
		pending.delete(message.request);
		if ("failure" in message) answer?.reject(errorOf(message.failure));
		else answer?.resolve(message.result);
	}

	function send(call: SessionCall): Pending["answer"]["promise"] {
		if (closed) throw new Error("The store client is closed.");
		const request = requests++;
		const answer: Pending["answer"] = Promise.withResolvers();
		worker ??= start();
		pending.set(request, { path: call.args[0], answer, by: worker });
		worker.postMessage({ request, call } satisfies ToStoreWorker);
		return answer.promise;
	}

	async function end(): Promise<void> {
		const running = worker;
		if (!running) return;
		// What is called from now on is for another one.
		worker = undefined;
		const ended = new Promise<void>((resolve) => running.once("exit", () => resolve()));
		running.postMessage("close");
		await ended;
	}

	return {
		async run(name, ...args) {
			// The compiler does not see that a name and its own arguments make a call, nor that the answer, which has
			// the number of that call, is the result of that name's action.
			const result = await send({ name, args } as SessionCall);
			return result as SessionCalls[typeof name]["result"];
		},
		rest: end,
		async close() {
			closed = true;
			await end();
		},
	};
}

function errorOf({ name, message, path, code, reason }: ActionFailure): Error {
	if (path !== undefined && code !== undefined) return new StoreError(path, code, message, undefined, reason);
	return Object.assign(new Error(message), { name });
}

function workerEnded(path: string, reason: string): StoreError {
	const why = `the work was cut short, because its thread died (${reason}); check the session before you try again`;
	return new StoreError(path, "worker-ended", `Cannot say what was done: ${why}. Path: ${path}`);
}
