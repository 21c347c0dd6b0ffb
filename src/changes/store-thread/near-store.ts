import { stat } from "node:fs/promises";
import { createStoreClient, type StoreClient } from "./store-client.ts";
import { runAction, type SessionCalls } from "./worker-actions.ts";

/** Actions on a larger session take longer than starting a thread for them, and would delay Ctrl+C and notes of progress. */
const LARGE_BYTES = 4 * 1024 * 1024;

/**
 * Runs actions on sessions where there is no screen that must not wait: here if they are short, otherwise in a thread, which
 * takes 50 ms to start.
 */
export function createNearStore(): StoreClient {
	const thread = createStoreClient();
	/** Resolves when the actions before are done: they run one after the other, wherever that is. */
	let before: Promise<unknown> = Promise.resolve();

	async function runNext<Name extends keyof SessionCalls>(
		name: Name,
		args: SessionCalls[Name]["args"],
	): Promise<SessionCalls[Name]["result"]> {
		// This one reads files other than the session's.
		if (name === "findCreated" || (await isLarge(args[0]))) return thread.run(name, ...args);
		return runAction({ name, args });
	}

	return {
		run(name, ...args) {
			const result = before.then(() => runNext(name, args));
			before = result.catch(() => undefined);
			return result;
		},
		rest: () => before.then(thread.rest),
		close: () => before.then(thread.close),
	};
}

/** Whether reading a file may take long; false for one that is missing, which the action reports. */
async function isLarge(path: string): Promise<boolean> {
	const stats = await stat(path).catch(() => undefined);
	return stats !== undefined && (!stats.isFile() || stats.size > LARGE_BYTES);
}
