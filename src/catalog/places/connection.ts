import type { Env } from "../../store/read/session-dir.ts";
import { readLines } from "./line-channel.ts";
import type { Place } from "./place.ts";
import { PlaceError } from "./place-error.ts";
import {
	type Answer,
	type Hello,
	MAX_LINE_BYTES,
	PROTOCOL,
	parseAnswer,
	parseHello,
	type RequestBody,
} from "./protocol.ts";
import { type DirectoryOptions, inProcess, overSsh, type Transport } from "./transport.ts";

export interface ConnectionOptions extends DirectoryOptions {
	readonly signal?: AbortSignal | undefined;
	/** The environment of ssh. @default process.env */
	readonly env?: Env;
	/** Milliseconds until the first line must be there; ssh itself gives up on a connection after five seconds. @default 15000 */
	readonly helloMs?: number;
	/** Milliseconds of silence while something is asked, and without progress for what is waited for. @default 15000 */
	readonly silenceMs?: number;
	/** UTF-16 units of all answers to one request that is waited for, besides the bytes of a file. @default 256 Mi, which 100,000 sessions do not take */
	readonly maxUnits?: number;
}

/** A request that is being answered. */
interface Open {
	/** `length`: of its line, in UTF-16 units. */
	readonly onAnswer: (answer: Answer, length: number) => void;
	readonly fail: (error: Error) => void;
}

/** Bytes that a shell may print before the first line: a greeting. */
const MAX_GREETING = 64 * 1024;
/** Bytes of requests that wait until the other side reads them. */
const MAX_UNREAD = 16 * 1024 * 1024;

/** A connection to the server of a place. */
export class PlaceConnection {
	readonly name: string;
	readonly hello: Hello;
	readonly #transport: Transport;
	readonly #silenceMs: number;
	readonly #maxUnits: number;
	readonly #open = new Map<number, Open>();
	#requests = 0;
	#failure: PlaceError | undefined;
	#silence: NodeJS.Timeout | undefined;

	private constructor(name: string, hello: Hello, transport: Transport, options: ConnectionOptions) {
		const { silenceMs = 15_000, maxUnits = 256 * 1024 * 1024 } = options;
		this.name = name;
		this.hello = hello;
		this.#transport = transport;
		this.#silenceMs = silenceMs;
		this.#maxUnits = maxUnits;
	}

	/** Connects, and waits for the first line. Rejects with a `PlaceError`, or, when its process has ended, with the signal's reason. */
	static async open(place: Place, options: ConnectionOptions): Promise<PlaceConnection> {
		const { signal, helloMs = 15_000 } = options;
		signal?.throwIfAborted();
		const transport = place.kind === "ssh" ? overSsh(place, options.env) : inProcess(place, options);
		const connected = Promise.withResolvers<PlaceConnection>();
		let connection: PlaceConnection | undefined;
		let greeting = 0;
		const fail = (why: string): void => {
			const error = new PlaceError(`${place.name}: ${why}`);
			connected.reject(error);
			connection?.fail(error);
			transport.end();
		};
		const greet = (line: string): void => {
			const hello = parseHello(line);
			greeting += line.length;
			const mistake = hello && versionMistake(hello);
			if (hello !== undefined && mistake === undefined) {
				connection = new PlaceConnection(place.name, hello, transport, options);
				connected.resolve(connection);
			} else if (mistake !== undefined || greeting > MAX_GREETING)
				fail(mistake ?? "what answers there is not pi-grove");
		};
		const take = (line: string): void => (connection === undefined ? greet(line) : connection.#take(line));
		transport.ended.then(fail, fail);
		const onTooLong = (): void => fail("a line from there is longer than the protocol allows");
		readLines(transport.output, MAX_LINE_BYTES, { onLine: take, onTooLong });
		const late = setTimeout(() => fail(`no answer within ${helloMs / 1000} s`), helloMs);
		const abort = (): void => {
			connected.reject(signal?.reason);
			transport.end();
		};
		signal?.addEventListener("abort", abort, { once: true });
		try {
			return await connected.promise;
		} catch (error) {
			if (signal?.aborted) await transport.ended;
			throw error;
		} finally {
			clearTimeout(late);
			signal?.removeEventListener("abort", abort);
		}
	}

	/**
	 * Sends a request, in several lines if it is too long for one. `onAnswer` gets each answer until it returns true: then the promise
	 * resolves, and what follows is left out. Rejects with a `PlaceError` if the other side reports an error, is silent for too long, or
	 * ends; with the signal's reason; and with what `onAnswer` throws.
	 *
	 * `held` is for a request that somebody waits for: how much has come so far, in any unit. Then it also ends if what comes is no progress
	 * for as long, or more than can be held. What the browser asks for goes on by design, and holds nobody: a list is drawn as it comes,
	 * bounded by `ListedSessions`, and a search ends with the next key.
	 */
	async request(
		body: RequestBody | readonly RequestBody[],
		onAnswer: (answer: Answer) => boolean,
		{ signal, held }: { readonly signal?: AbortSignal | undefined; readonly held?: () => number } = {},
	): Promise<void> {
		signal?.throwIfAborted();
		if (this.#failure !== undefined) throw this.#failure;
		const id = ++this.#requests;
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		let [most, units, progressMs] = [held?.() ?? 0, 0, performance.now()];
		/** Of each type of answer that says how much was done, the most. */
		const work = new Map<Answer["type"], number>();
		/** Why no more is waited for after an answer; undefined while it is. */
		const reasonToEnd = (answer: Answer, length: number): string | undefined => {
			if (held === undefined) return undefined;
			const [now, done] = [held(), "done" in answer ? (answer.done ?? 0) : 0];
			if (now > most || done > (work.get(answer.type) ?? 0)) progressMs = performance.now();
			most = Math.max(now, most);
			work.set(answer.type, Math.max(done, work.get(answer.type) ?? 0));
			if (answer.type !== "bytes") units += length;
			if (units > this.#maxUnits) return "it sends more than can be held here";
			if (performance.now() - progressMs <= this.#silenceMs) return undefined;
			return `it answers, but nothing new for ${this.#silenceMs / 1000} s; try again, or update pi-grove there`;
		};
		const take = (answer: Answer, length: number): void => {
			try {
				if (answer.type === "error") reject(new PlaceError(`${this.name}: ${answer.message}`));
				else if (onAnswer(answer)) resolve();
				else {
					const reason = reasonToEnd(answer, length);
					if (reason !== undefined) reject(new PlaceError(`${this.name}: ${reason}`));
				}
			} catch (error) {
				reject(error);
			}
		};
		this.#open.set(id, { onAnswer: take, fail: reject });
		const abort = (): void => reject(signal?.reason);
		signal?.addEventListener("abort", abort, { once: true });
		this.#listen();
		for (const part of [body].flat()) this.#send({ ...part, id });
		try {
			await promise;
		} finally {
			signal?.removeEventListener("abort", abort);
			this.#open.delete(id);
			this.#send({ type: "cancel", id });
			this.#listen();
		}
	}

	/** Sends a request that has no answers of its own; returns its id. */
	notify(body: RequestBody): number {
		const id = ++this.#requests;
		this.#send({ ...body, id });
		return id;
	}

	/** Ends the connection; resolves when the other side has ended, too. */
	async close(): Promise<void> {
		this.fail(new PlaceError(`${this.name}: the connection was closed`));
		this.#transport.end();
		await this.#transport.ended;
	}

	/** Rejects what is asked, and whatever will be. */
	fail(error: PlaceError): void {
		this.#failure ??= error;
		clearTimeout(this.#silence);
		for (const { fail } of this.#open.values()) fail(error);
	}

	#take(line: string): void {
		const answer = parseAnswer(line);
		this.#listen();
		// Unknown answers are those of a newer version, or to what was canceled.
		if (answer !== undefined) this.#open.get(answer.id)?.onAnswer(answer, line.length);
	}

	#send(message: object): void {
		if (this.#failure !== undefined) return;
		const { input } = this.#transport;
		input.write(`${JSON.stringify(message)}\n`);
		if (input.writableLength <= MAX_UNREAD) return;
		this.fail(new PlaceError(`${this.name}: what is asked is not read there`));
		this.#transport.end();
	}

	/** Waits for the next line, if something is asked. */
	#listen(): void {
		clearTimeout(this.#silence);
		if (this.#open.size === 0 || this.#failure !== undefined) return;
		this.#silence = setTimeout(() => {
			this.fail(new PlaceError(`${this.name}: no answer for ${this.#silenceMs / 1000} s`));
			this.#transport.end();
		}, this.#silenceMs);
	}
}

function versionMistake({ protocol, oldest, version }: Hello): string | undefined {
	if (protocol < PROTOCOL.oldest) return `pi-grove ${version} is too old there; update it on that machine`;
	if (oldest > PROTOCOL.newest) return `pi-grove ${version} there is newer than this one understands; update it here`;
	return undefined;
}
