import { parentPort } from "node:worker_threads";
import { serveThread } from "../../shared/channel.ts";
import { StoreError } from "../../store/files/store-error.ts";
import { type ActionFailure, runAction, type StoreCalls } from "./worker-actions.ts";

/** Runs the actions on sessions one after the other, in a thread of their own: the screen never waits for a large session. */
serveThread<StoreCalls, never>(parentPort, () => ({
	run(call) {
		try {
			return { result: runAction(call) };
		} catch (error) {
			return { failure: failureOf(error) };
		}
	},
	close: () => process.exit(),
}));

function failureOf(error: unknown): ActionFailure {
	if (error instanceof StoreError) {
		const { name, message, path, code, reason } = error;
		return { name, message, path, code, reason };
	}
	if (error instanceof Error) return { name: error.name, message: error.message };
	return { name: "Error", message: String(error) };
}
