import type { Catalog } from "../catalog/catalog.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import type { SessionRoots } from "../catalog/model/session-roots.ts";
import type { Query } from "../catalog/query/parse-query.ts";
import { type DebugLog, NO_LOG } from "./effects/debug-log.ts";
import { runEffect } from "./effects/run-effect.ts";
import { createSessionReader } from "./effects/session-reader.ts";
import { createStoreClient } from "./effects/store-client.ts";
import { createTreeDrawer } from "./effects/tree-drawer.ts";
import { journalPath, openJournal } from "./journal/journal.ts";
import type { Action } from "./model/action.ts";
import { initialState } from "./model/initial-state.ts";
import type { Outcome } from "./model/outcome.ts";
import type { Environment, Size, State } from "./model/state.ts";
import { update } from "./update/update.ts";

export interface ProgramOptions {
	readonly environment: Environment;
	readonly size: Size;
	/** Not started yet; the program starts and closes it. */
	readonly catalog: Catalog;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Program that resumes a session. */
	readonly pi: string;
	/** Where sessions are; for new ones, and for pi. */
	readonly sessionRoots: SessionRoots;
	/** Present time, Unix ms. */
	readonly clock: () => number;
	/** Writes an escape sequence that draws nothing, for the clipboard. */
	readonly writeTerminal: (text: string) => void;
	/** Logs actions and effects; default: nowhere. */
	readonly log?: DebugLog;
}

/** The running application without a terminal: holds the state, runs the effects, notifies its listeners. */
export interface Program {
	/** The present state; the same object until something changes. */
	getState(): State;
	dispatch(action: Action): void;
	/** Calls `listener` after each change; returns an unsubscribe function. */
	subscribe(listener: () => void): () => void;
	/** Calls `suspend` when the person wants back to the shell for a while; without one, a message says that it cannot be. */
	onSuspend(suspend: (() => void) | undefined): void;
	/** Resolves when the person leaves, with what to do once the terminal is restored. */
	readonly exited: Promise<Outcome>;
	/** Stops reading and watching; resolves when changes under way are made. */
	close(): Promise<void>;
}

/** Ages are shown in minutes at the finest. */
const TICK_MS = 20_000;

export function createProgram(options: ProgramOptions): Program {
	const { catalog, clock, log = NO_LOG } = options;
	const listeners = new Set<() => void>();
	const left = Promise.withResolvers<Outcome>();
	const reader = createSessionReader();
	const treeDrawer = createTreeDrawer();
	const store = createStoreClient();
	let state = initialState(options.environment, options.size, clock());

	const noSearch = (): void => undefined;
	let stopSearch = noSearch;
	let suspend: (() => void) | undefined;

	const tools = {
		...options,
		reader,
		treeDrawer,
		store,
		home: options.environment.home,
		search(request: number, query: Query) {
			// A search ends the one before it by itself.
			if (query.terms.length > 0) {
				stopSearch = catalog.search(query, (event) => dispatch({ type: "search", request, event }));
				return;
			}
			stopSearch();
			stopSearch = noSearch;
		},
		count: (rows: readonly SessionRow[]) => catalog.stats(rows),
		watchVisible: (paths: readonly string[]) => catalog.watchVisible(paths),
		hits: (query: Query, path: string) => catalog.hits(query, path),
		journal: openJournal(journalPath(options.env, options.environment.home)),
		changed: (paths: readonly string[]) => catalog.changed(paths),
		refresh: () => {
			// The catalog itself reports why it fails, as a problem.
			catalog.refresh().catch(() => undefined);
		},
		suspend: () => {
			suspend?.();
			return suspend !== undefined;
		},
		leave: left.resolve,
	};

	function dispatch(action: Action): void {
		const [next, effects] = log("action", action, () => update(state, action));
		const changed = next !== state;
		state = next;
		if (changed) for (const listener of listeners) listener();
		for (const effect of effects) {
			log("effect", effect, () => runEffect(effect, tools)).then(
				(answer) => answer !== undefined && dispatch(answer),
				// Expected failures come as actions; what is thrown is a bug and must be seen.
				(error: unknown) =>
					dispatch({ type: "failed", error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
			);
		}
	}

	const ticking = setInterval(() => dispatch({ type: "tick", now: clock() }), TICK_MS);
	ticking.unref();
	catalog.start((event) => dispatch({ type: "catalog", event }));

	return {
		getState: () => state,
		dispatch,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		onSuspend(listener) {
			suspend = listener;
		},
		exited: left.promise,
		async close() {
			clearInterval(ticking);
			reader.close();
			treeDrawer.close();
			await Promise.all([store.close(), catalog.close()]);
		},
	};
}
