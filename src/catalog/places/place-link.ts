import { explain } from "../../store/files/store-error.ts";
import type { PlaceState } from "../model/event.ts";
import type { SearchEvent, SearchResult } from "../search/search.ts";
import type { StatsSums } from "../stats/aggregate-stats.ts";
import { type ConnectionOptions, PlaceConnection } from "./connection.ts";
import { followList } from "./follow-list.ts";
import { PlaceSessions } from "./listed-sessions.ts";
import { type Place, placedPath, unaskedState } from "./place.ts";
import { PlaceError } from "./place-error.ts";
import { keepSessions, readKept } from "./place-memory.ts";
import { readFromPlace } from "./place-sessions.ts";
import { statsOfPlace } from "./place-stats.ts";
import { type Differences, laterMs } from "./placed-rows.ts";
import type { Answer } from "./protocol.ts";
import { resultFromWire } from "./wire.ts";

/** What a link reports. */
export interface LinkListener {
	/** These rows or counts have changed, or are gone. Paths as they are there. */
	onSessions(link: PlaceLink, paths: readonly string[]): void;
	/** Its state has changed, or what is in use there. */
	onState(link: PlaceLink): void;
}

/** A clock that differs by less is right: the answer has been under way. */
const CLOCK_MS = 60_000;
const NONE_VISIBLE = { id: 0, paths: [], watched: 0 };

/**
 * The sessions of a place, as long as somebody wants to see them: what it has listed in an earlier run, then what it answers, then what
 * changes there. One connection for everything; a lost one is made again by the next `reach`.
 */
export class PlaceLink {
	readonly place: Place;
	#sessions: PlaceSessions;
	readonly #options: ConnectionOptions;
	readonly #listener: LinkListener;
	#state: Pick<PlaceState, "phase" | "asOfMs" | "reason"> = { phase: "unasked" };
	/** Home directory there, once it is known. */
	#home: string | undefined;
	/** What its clock is behind ours, in milliseconds; 0 if it is about right. */
	#behindMs = 0;
	#stamp = "";
	#hasReadKept = false;
	/** Ends what goes on; undefined if nothing does. */
	#running: AbortController | undefined;
	/** The connection that goes on, or is being made. */
	#connecting: Promise<PlaceConnection> | undefined;
	/** Resolves when what was ended has ended. */
	#ended: Promise<unknown> = Promise.resolve();
	/** Resolves when what was listed is kept. */
	#keeping: Promise<unknown> = Promise.resolve();
	/** What was last sent of the visible sessions: the id of that request, and its number among those of the browser. */
	#visible: { readonly id: number; readonly paths: readonly string[]; readonly watched: number } = NONE_VISIBLE;

	constructor(place: Place, options: ConnectionOptions, listener: LinkListener) {
		this.place = place;
		this.#options = options;
		this.#listener = listener;
		this.#sessions = new PlaceSessions(place.name);
	}

	get state(): PlaceState {
		return { ...unaskedState(this.place), count: this.#sessions.rows.size, ...this.#state };
	}

	/** How it differs from this machine, as far as that is known. */
	get differences(): Differences {
		const { home } = this.#options;
		return { there: this.#home ?? home, here: home, behindMs: this.#behindMs };
	}

	get sessions(): PlaceSessions {
		return this.#sessions;
	}

	/** Lists the place and follows its changes; nothing if that goes on already. */
	reach(): void {
		if (this.#running !== undefined) return;
		const controller = new AbortController();
		this.#running = controller;
		this.#setState({ phase: "asking", asOfMs: this.#state.asOfMs });
		const connected = Promise.withResolvers<PlaceConnection>();
		// Searches wait for it, or fail with it; the state reports it.
		connected.promise.catch(() => undefined);
		this.#connecting = connected.promise;
		const following = this.#ended.then(() => this.#follow(connected, controller.signal));
		this.#ended = following.catch((error: unknown) => {
			connected.reject(error);
			if (this.#running !== controller) return;
			controller.abort();
			this.#running = undefined;
			this.#connecting = undefined;
			if (!(error instanceof PlaceError)) throw error;
			this.#sessions.live = new Set();
			const asOfMs = this.#state.phase === "listed" ? Date.now() : this.#state.asOfMs;
			this.#setState({ phase: "failed", asOfMs, reason: error.message });
		});
	}

	/** Ends the connection; its rows stay. Resolves when its process has ended, and what it has listed is kept. */
	async rest(): Promise<void> {
		const controller = this.#running;
		this.#running = undefined;
		this.#connecting = undefined;
		if (controller !== undefined) {
			const asOfMs = this.#state.phase === "listed" ? Date.now() : this.#state.asOfMs;
			this.#state = { phase: "unasked", asOfMs };
			this.#sessions.live = new Set();
			controller.abort();
		}
		await this.#ended;
		await this.#keeping;
	}

	/**
	 * Searches the place until the signal is aborted; paths in the events are those of all places. Reports its failure as an event of the
	 * type "error".
	 */
	async search(query: string, onEvent: (event: SearchEvent) => void, signal: AbortSignal): Promise<void> {
		try {
			const connection = await this.#connected();
			if (this.#state.phase !== "failed") this.#setState({ ...this.#state, reason: undefined });
			await connection.request({ type: "search", query }, (answer) => this.#found(answer, onEvent), { signal });
		} catch (error) {
			if (signal.aborted) return;
			const message = explain(error);
			if (this.#state.phase !== "failed") this.#setState({ ...this.#state, reason: message });
			onEvent({ type: "error", message });
		}
	}

	/** Sets the visible sessions, by paths there; returns false if the place need not be asked. */
	watchVisible(paths: readonly string[], watched: number): boolean {
		const isAsked = this.#running !== undefined && paths.length + this.#visible.paths.length > 0;
		// Not answered before it is sent.
		const id = isAsked ? Number.POSITIVE_INFINITY : this.#visible.id;
		this.#visible = { id, paths, watched };
		if (isAsked)
			this.#connected().then(
				(connection) => this.#sendVisible(connection),
				() => undefined,
			);
		return isAsked;
	}

	/** Reads the bytes of a session from one offset to another. Rejects with a `PlaceError`, or the signal's reason. */
	async read(
		path: string,
		onBytes: (bytes: Buffer) => Promise<unknown>,
		range: { readonly from: number; readonly to: number; readonly signal: AbortSignal },
	): Promise<void> {
		this.reach();
		const connection = await this.#connected();
		await readFromPlace(connection, path, onBytes, range);
	}

	/** Sums over the sessions whose paths there are asked for, counted there. Rejects with a `PlaceError`. */
	async stats(isAsked: (path: string) => boolean): Promise<StatsSums> {
		return statsOfPlace(await this.#connected(), [...this.#sessions.rows.values()], ({ path }) => isAsked(path));
	}

	#connected(): Promise<PlaceConnection> {
		return this.#connecting ?? Promise.reject(new PlaceError(`${this.place.name}: it is not connected`));
	}

	#setState(state: Pick<PlaceState, "phase" | "asOfMs" | "reason">): void {
		this.#state = state;
		this.#listener.onState(this);
	}

	async #follow({ resolve }: PromiseWithResolvers<PlaceConnection>, signal: AbortSignal): Promise<void> {
		const connecting = PlaceConnection.open(this.place, { ...this.#options, signal });
		connecting.catch(() => undefined);
		await this.#readKept(signal);
		const connection = await connecting;
		this.#home = connection.hello.home;
		this.#setClock(connection.hello.now);
		resolve(connection);
		if (this.#visible.paths.length > 0) this.#sendVisible(connection);
		else this.#visible = { ...this.#visible, id: 0 };
		try {
			const since = this.#sessions.rows.size === 0 ? "" : this.#stamp;
			await followList(connection, this.#sessions, since, signal, {
				onSessions: (paths) => this.#listener.onSessions(this, paths),
				onState: () => this.#listener.onState(this),
				onListed: () => this.#setState({ phase: "listed" }),
				onCounted: (stamp) => this.#keep(connection, stamp),
			});
		} finally {
			await connection.close();
		}
	}

	/** Notes what clock the machine has; what is known of its sessions is told by it again. */
	#setClock(now: number): void {
		const behindMs = Date.now() - now;
		const before = this.#behindMs;
		this.#behindMs = Math.abs(behindMs) < CLOCK_MS ? 0 : behindMs;
		if (this.#behindMs !== before) this.#listener.onSessions(this, [...this.#sessions.rows.keys()]);
	}

	async #readKept(signal: AbortSignal): Promise<void> {
		if (this.#hasReadKept) return;
		const kept = await readKept(this.#options.cacheDir, this.place);
		if (signal.aborted) return;
		this.#hasReadKept = true;
		if (kept === undefined) return;
		this.#sessions = kept.sessions;
		this.#home ??= kept.home;
		this.#stamp = kept.stamp;
		this.#setState({ phase: "asking", asOfMs: kept.listedMs });
		this.#listener.onSessions(this, [...kept.sessions.rows.keys()]);
	}

	#keep({ hello }: PlaceConnection, stamp: string): void {
		this.#stamp = stamp;
		const kept = { home: hello.home, stamp, listedMs: Date.now(), sessions: this.#sessions };
		this.#keeping = this.#keeping
			.then(() => keepSessions(this.#options.cacheDir, this.place, kept))
			// Without it everything is sent again.
			.catch(() => undefined);
	}

	#sendVisible(connection: PlaceConnection): void {
		const id = connection.notify({ type: "visible", paths: [...this.#visible.paths] });
		this.#visible = { ...this.#visible, id };
	}

	#found(answer: Answer, onEvent: (event: SearchEvent) => void): false {
		const { name } = this.place;
		const placed = (result: SearchResult): SearchResult => ({
			...result,
			path: placedPath(name, result.path),
			modified: laterMs(result.modified, this.#behindMs),
		});
		switch (answer.type) {
			case "results":
				onEvent({
					type: "results",
					results: answer.results.flatMap((value) => {
						const result = resultFromWire(value);
						// Their number is bounded by that of the rows, which come first.
						return result !== undefined && this.#sessions.rows.has(result.path) ? [placed(result)] : [];
					}),
				});
				break;
			case "lost":
				onEvent({ type: "lost", paths: answer.paths.map((path) => placedPath(name, path)) });
				break;
			case "progress":
				onEvent({ type: "progress", searched: answer.done, total: answer.total });
				break;
			case "settled": {
				const watched = answer.visible >= this.#visible.id ? this.#visible.watched : -1;
				onEvent({ type: "settled", watched, inForms: answer.inForms });
			}
		}
		return false;
	}
}
