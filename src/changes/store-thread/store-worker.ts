import { parentPort } from "node:worker_threads";
import { StoreError } from "../../store/files/store-error.ts";
import { type ActionFailure, type FromStoreWorker, runAction, type ToStoreWorker } from "./worker-actions.ts";

/** Runs the actions on sessions one after the other, in a thread of their own: the screen never waits for a large session. */
const port = parentPort;
if (!port) throw new Error("store-worker runs in a worker thread only");

function answer({ request, call }: ToStoreWorker): FromStoreWorker {
	try {
		return { request, result: runAction(call) };
	} catch (error) {
		return { request, failure: failureOf(error) };
	}
}

function failureOf(error: unknown): ActionFailure {
	if (error instanceof StoreError) {
		const { name, message, path, code, reason } = error;
		return { name, message, path, code, reason };
	}
	if (error instanceof Error) return { name: error.name, message: error.message };
	return { name: "Error", message: String(error) };
}

port.on("message", (message: ToStoreWorker | "close") => {
	if (message === "close") process.exit();
	else port.postMessage(answer(message));
});
