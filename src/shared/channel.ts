/** What a thread does when it is called, by name: the table of its messages. */
type CallTable<Calls> = { readonly [Name in keyof Calls]: (...args: never[]) => unknown };
export type CallResult<Calls extends CallTable<Calls>, Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;

/** A call; of a question with a number, which its answer has, too. */
export interface CallMessage<Calls> {
	readonly name: keyof Calls;
	readonly args: readonly unknown[];
	readonly request?: number;
}

type Reply = { readonly request: number; readonly answer: unknown } | { readonly event: unknown };

interface ParentPort<Calls> {
	postMessage(reply: Reply): void;
	on(event: "message", listener: (message: CallMessage<Calls>) => void): unknown;
}

/** The other end of a channel: a `Worker`, or what does its work in this thread. */
export interface ThreadPort {
	postMessage(message: unknown): void;
	on(event: "message", listener: (reply: Reply) => void): unknown;
	on(event: "error", listener: (error: unknown) => void): unknown;
	on(event: "exit", listener: () => void): unknown;
}

interface ChannelOptions<Event> {
	readonly onEvent?: (event: Event) => void;
	/** The thread has failed, and is gone: start another one, or give up what it was asked. */
	readonly onFailure: (error: unknown) => void;
}

/** This thread's end of a channel to another thread, which is called by name, answers questions and emits events. */
export class Channel<Calls extends CallTable<Calls> & { close(): unknown }, Event = never> {
	readonly #options: ChannelOptions<Event>;
	/** Questions without an answer, by number; `by`: the thread that was asked. */
	readonly #questions = new Map<
		number,
		{ readonly message: CallMessage<Calls>; readonly answer: (answer?: unknown) => void; by: ThreadPort | undefined }
	>();
	#port: ThreadPort | undefined;
	/** Resolves when the last thread is gone. */
	#ended: Promise<void> = Promise.resolve();
	#requests = 0;

	constructor(options: ChannelOptions<Event>) {
		this.#options = options;
	}

	get isRunning(): boolean {
		return this.#port !== undefined;
	}

	/** Whether a question has no answer yet. */
	get isAsked(): boolean {
		return this.#questions.size > 0;
	}

	/** Takes a thread into use that has just been started. */
	start(port: ThreadPort): void {
		this.#port = port;
		port.on("message", (reply) => this.#receive(port, reply));
		const fail = (error: unknown): void => {
			if (port !== this.#port) return;
			this.#port = undefined;
			this.#options.onFailure(error);
		};
		port.on("error", fail);
		this.#ended = new Promise((resolve) => {
			// Comes last, after "error" and all answers.
			port.on("exit", () => {
				fail(new Error("it ended early"));
				this.giveUp((_, by) => by === port);
				resolve();
			});
		});
	}

	/** Calls the thread without waiting for an answer; does nothing if none is running. */
	tell<Name extends keyof Calls>(name: Name, ...args: Parameters<Calls[Name]>): void {
		this.#port?.postMessage({ name, args });
	}

	/** Asks the thread or, if none is running, the next one (`askAgain`). Resolves with undefined if there will be no answer. */
	ask<Name extends keyof Calls>(
		name: Name,
		...args: Parameters<Calls[Name]>
	): Promise<CallResult<Calls, Name> | undefined> {
		const request = this.#requests++;
		return new Promise((resolve) => {
			const message = { name, args, request };
			// A thread answers what it was asked.
			const answer = (value: unknown): void => resolve(value as CallResult<Calls, Name> | undefined);
			// What cannot be posted is no question.
			this.#port?.postMessage(message);
			this.#questions.set(request, { message, answer, by: this.#port });
		});
	}

	/** Asks the thread what an earlier one has not answered. */
	askAgain(): void {
		for (const question of this.#questions.values()) {
			if (question.by === this.#port) continue;
			question.by = this.#port;
			this.#port?.postMessage(question.message);
		}
	}

	/** What the thread still answers does not count; `askAgain` asks another one. */
	recall(): void {
		for (const question of this.#questions.values()) question.by = undefined;
	}

	/** Answers questions with undefined, all of them or those of certain names or threads. */
	giveUp(isGivenUp: (name: keyof Calls, by: ThreadPort | undefined) => boolean = () => true): void {
		for (const [request, { message, answer, by }] of this.#questions) {
			if (!isGivenUp(message.name, by)) continue;
			this.#questions.delete(request);
			answer();
		}
	}

	/** Ends the thread after what it was called for, which it still answers. Its events no longer count. Resolves when it is gone. */
	end(): Promise<void> {
		this.#port?.postMessage({ name: "close", args: [] });
		this.#port = undefined;
		return this.#ended;
	}

	#receive(port: ThreadPort, reply: Reply): void {
		if ("event" in reply) {
			// A thread emits what its type says.
			if (port === this.#port) this.#options.onEvent?.(reply.event as Event);
			return;
		}
		const question = this.#questions.get(reply.request);
		if (question?.by !== port) return;
		this.#questions.delete(reply.request);
		question.answer(reply.answer);
	}
}

/** A listener for messages that makes the calls, and posts the answers; `onFailure`: what a call has thrown. */
export function answerCalls<Calls extends CallTable<Calls>>(
	calls: Calls,
	post: (reply: Reply) => void,
	onFailure: (error: unknown) => void,
) {
	return ({ name, args, request }: CallMessage<Calls>): void => {
		const makeCall = async (): Promise<void> => {
			const answer: unknown = await Reflect.apply(calls[name], calls, args);
			if (request !== undefined) post({ request, answer });
		};
		makeCall().catch(onFailure);
	};
}

/**
 * The other end of a channel, in a worker thread; `port`: its `parentPort`. `fail` ends the thread after a bug, so that whoever has started
 * it gets an "error" event; so does what a call throws.
 */
export function serveThread<Calls extends CallTable<Calls>, Event>(
	port: ParentPort<Calls> | null,
	make: (emit: (event: Event) => void, fail: (error: unknown) => void) => Calls,
): void {
	if (!port) throw new Error("this runs in a worker thread only");
	const fail = (error: unknown): void =>
		queueMicrotask(() => {
			throw error;
		});
	const calls = make((event) => port.postMessage({ event }), fail);
	port.on(
		"message",
		answerCalls(calls, (reply) => port.postMessage(reply), fail),
	);
}
