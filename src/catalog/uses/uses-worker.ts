import { parentPort } from "node:worker_threads";
import { explain } from "../../store/files/store-error.ts";
import type { FromUsesWorker, ToUsesWorker } from "./protocol.ts";
import { UseFinder } from "./use-finder.ts";
import { wholeText } from "./whole-text.ts";

/** The thread that reads prompts and commands in all sessions, so that no key waits for it. */
const port = parentPort;
if (!port) throw new Error("uses-worker runs in a worker thread only");
const post = (message: FromUsesWorker) => port.postMessage(message);
const finder = new UseFinder((request, event) => post({ type: "event", request, event }));

port.on("message", (message: ToUsesWorker) => {
	switch (message.type) {
		case "files":
			return finder.setFiles(message.files, message.anew);
		case "ask":
			return finder.ask(message.request, message.ask);
		case "whole":
			return post(readWhole(message));
	}
});

function readWhole({ request, use }: Extract<ToUsesWorker, { readonly type: "whole" }>): FromUsesWorker {
	try {
		const text = wholeText(use);
		if (text !== undefined) return { type: "whole", request, text };
		return { type: "failed", request, reason: "the session has been changed: it is not there any more" };
	} catch (error) {
		return { type: "failed", request, reason: explain(error) };
	}
}
