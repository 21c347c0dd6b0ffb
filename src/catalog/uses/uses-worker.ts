import { parentPort } from "node:worker_threads";
import { explain } from "../../store/files/store-error.ts";
import { wholeText } from "./entry-texts.ts";
import type { FromUsesWorker, ToUsesWorker } from "./protocol.ts";
import { UseFinder } from "./use-finder.ts";

/** The thread that reads prompts and commands in all sessions, so that keys never wait for it. */
const port = parentPort;
if (!port) throw new Error("uses-worker runs in a worker thread only");
const post = (message: FromUsesWorker) => port.postMessage(message);
const finder = new UseFinder((request, event) => post({ type: "event", request, event }));

port.on("message", (message: ToUsesWorker) => {
	switch (message.type) {
		case "files":
			return finder.setFiles(message.files, message.reread);
		case "search":
			return finder.search(message.request, message.search);
		case "whole":
			return post(readWhole(message));
	}
});

function readWhole({ request, use }: Extract<ToUsesWorker, { readonly type: "whole" }>): FromUsesWorker {
	try {
		const text = wholeText(use);
		if (text !== undefined) return { type: "whole", request, text };
		return { type: "failed", request, reason: "the session has changed, and the text is no longer there" };
	} catch (error) {
		return { type: "failed", request, reason: explain(error) };
	}
}
