import { messageOf } from "../../shared/attempt.ts";
import { Channel } from "../../shared/channel.ts";
import { startThread } from "../../shared/v8-settings.ts";
import { workerUrl } from "../../shared/worker-url.ts";
import { cannot, StoreError } from "../../store/files/store-error.ts";
import {
	type ActionFailure,
	runAction,
	type SessionCall,
	type SessionCalls,
	type StoreCalls,
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

/** Runs actions in this thread, for commands: they have no screen that must not wait, and starting a thread takes longer than most. */
export function createStoreHere(): StoreClient {
	const nothing = async (): Promise<void> => undefined;
	return { run: async (name, ...args) => runAction({ name, args }), rest: nothing, close: nothing };
}

/** The thread starts with the first action, and again with the next one if it has died. */
export function createStoreClient(url = workerUrl("store-worker")): StoreClient {
	let closed = false;
	let reason = "it ended early";
	const thread = new Channel<StoreCalls>({ onFailure: () => undefined });
	const start = (): void => {
		const worker = startThread(url, "store");
		reason = "it ended early";
		// Also of a thread that was asked to end.
		worker.on("error", (error) => {
			reason = messageOf(error);
		});
		thread.start(worker);
	};
	return {
		async run(name, ...args) {
			if (closed) throw new Error("The store client is closed.");
			if (!thread.isRunning) start();
			// The compiler cannot see that `args` belong to `name`, nor that the answer to this call is the result of that action.
			const answer = await thread.ask("run", { name, args } as SessionCall);
			if (answer === undefined) throw workerEnded(args[0], reason);
			if ("failure" in answer) throw errorOf(answer.failure);
			return answer.result as SessionCalls[typeof name]["result"];
		},
		rest: () => thread.end(),
		close() {
			closed = true;
			return thread.end();
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
