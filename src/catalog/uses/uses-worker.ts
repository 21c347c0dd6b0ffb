import { parentPort } from "node:worker_threads";
import { TimeSlice } from "../../shared/steps.ts";
import { explain, StoreError } from "../../store/files/store-error.ts";
import { type UseKind, wholeText } from "./use.ts";
import { UseLibrary } from "./use-library.ts";
import type { FromUsesWorker, ToUsesWorker, UseFile, UseSearch, UsesEvent } from "./uses-client.ts";

/** Time until the first report, and between later ones: longer, so that most of the time goes into reading. */
const FIRST_MS = 30;
const LATER_MS = 150;
/** Largest part of the time between two reports that making one may take. */
const REPORT_SHARE = 0.2;

/** Searches the uses in all files, for one request at a time: reports what has been read so far, and again as more is read. */
class UseFinder {
	readonly #emit: (request: number, event: UsesEvent) => void;
	readonly #library = new UseLibrary();
	#files: readonly UseFile[] = [];
	/** Paths of the files; the same array as long as they stay the same. */
	#paths: readonly string[] = [];
	/** The files that have been read, by path, as they were listed then. */
	readonly #read: Readonly<Record<UseKind, Map<string, UseFile>>> = { prompt: new Map(), command: new Map() };
	#current = new AbortController();

	constructor(emit: (request: number, event: UsesEvent) => void) {
		this.#emit = emit;
	}

	setFiles(files: readonly UseFile[], reread: boolean): void {
		this.#current.abort();
		const isSame = files.length === this.#paths.length && files.every(({ path }, at) => path === this.#paths[at]);
		this.#files = files;
		if (!isSame) this.#paths = files.map(({ path }) => path);
		if (!reread) return;
		this.#read.prompt.clear();
		this.#read.command.clear();
	}

	/** Starts a search, and ends the previous one. */
	search(request: number, search: UseSearch): void {
		this.#current.abort();
		const controller = new AbortController();
		this.#current = controller;
		this.#answer(request, search, controller.signal).catch((error: unknown) => {
			if (controller.signal.aborted) return;
			// A bug: let it end the thread, so that the client gets an "error" event.
			queueMicrotask(() => {
				throw error;
			});
		});
	}

	async #answer(request: number, search: UseSearch, signal: AbortSignal): Promise<void> {
		const slice = new TimeSlice();
		const known = this.#read[search.kind];
		const files = this.#files;
		const left = files.filter(({ path, size, modified }) => {
			const before = known.get(path);
			return before?.size !== size || before.modified !== modified;
		});
		let next = performance.now() + FIRST_MS;
		for (const [index, file] of left.entries()) {
			await slice.run(this.#library.readSteps(file.path, search.kind), signal);
			known.set(file.path, file);
			if (performance.now() < next || index === left.length - 1) continue;
			const from = performance.now();
			const read = files.length - left.length + index + 1;
			await this.#report(request, search, { slice, signal, read, isDone: false });
			const now = performance.now();
			next = now + Math.max(LATER_MS, (now - from) / REPORT_SHARE);
		}
		await this.#report(request, search, { slice, signal, read: files.length, isDone: true });
	}

	async #report(
		request: number,
		search: UseSearch,
		{ slice, signal, read, isDone }: { slice: TimeSlice; signal: AbortSignal; read: number; isDone: boolean },
	): Promise<void> {
		const paths = this.#paths;
		const found = await slice.run(this.#library.selectSteps({ ...search, paths }), signal);
		const unread = this.#library
			.unread(paths)
			.map(([path, reason]) => `Cannot read the session: ${reason}. Path: ${path}`);
		this.#emit(request, { type: "found", found, read, total: paths.length, unread, isDone });
	}
}

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
		return { type: "failed", request, reason: error instanceof StoreError ? error.reason : explain(error) };
	}
}
