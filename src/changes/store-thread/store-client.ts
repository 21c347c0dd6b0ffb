import type { Worker } from "node:worker_threads";
import { messageOf } from "../../shared/attempt.ts";
import { startThread } from "../../shared/v8-settings.ts";
import { workerUrl } from "../../shared/worker-url.ts";
import { cannot, StoreError } from "../../store/files/store-error.ts";
import {
	type ActionFailure,
	type FromStoreWorker,
	runAction,
	type SessionCall,
	type SessionCalls,
	type ToStoreWorker,
} from "./worker-actions.ts";

export interface StoreClient {
	/**
	 * Runs an action of `worker-actions.ts` after those called before. Rejects with what the action throws (a `StoreError`
	 * stays one), and with a `StoreError` with the code "worker-ended" if the thread dies.
	 */
	run<Name extends keyof SessionCalls>(
		name: Name,
		...args: SessionCalls[Name]["args"]
	): Promise<SessionCalls[Name]["result"]>;
	/** Ends the thread after the actions called before; the next call starts another one. */
	rest(): Promise<void>;
	/** Ends the thread for good after the actions called before. */
	close(): Promise<void>;
}

interface PendingCall {
	readonly path: string;
	readonly answer: PromiseWithResolvers<SessionCalls[keyof SessionCalls]["result"]>;
	readonly by: Worker;
}

/** Runs actions in this thread, for commands: they have no screen that must not wait, and starting a thread takes longer than most. */
export function createStoreHere(): StoreClient {
	const nothing = async (): Promise<void> => undefined;
	return { run: async (name, ...args) => runAction({ name, args }), rest: nothing, close: nothing };
}

/** The thread starts with the first action, and again with the next one if it has died. */
export function createStoreClient(url = workerUrl("store-worker")): StoreClient {
	const pending = new Map<number, PendingCall>();
	let worker: Worker | undefined;
	let requests = 0;
	let closed = false;

	function start(): Worker {
		const started = startThread(url, "store");
		let reason = "it ended early";
		started.on("message", receive);
		started.on("error", (error) => {
			reason = messageOf(error);
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

	function send(call: SessionCall): PendingCall["answer"]["promise"] {
		if (closed) throw new Error("The store client is closed.");
		const request = requests++;
		const answer: PendingCall["answer"] = Promise.withResolvers();
		worker ??= start();
		pending.set(request, { path: call.args[0], answer, by: worker });
		worker.postMessage({ request, call } satisfies ToStoreWorker);
		return answer.promise;
	}

	async function end(): Promise<void> {
		const running = worker;
		if (!running) return;
		// Calls from now on go to another one.
		worker = undefined;
		const ended = new Promise<void>((resolve) => running.once("exit", () => resolve()));
		running.postMessage("close");
		await ended;
	}

	return {
		async run(name, ...args) {
			// The compiler cannot see that `args` belong to `name`, nor that the answer to this call is the result of that action.
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
	return cannot("say what was done", path, "worker-ended", why);
}
