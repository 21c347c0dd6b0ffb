import { setTimeout as delay } from "node:timers/promises";
import { marksPath, openMarksFile } from "../../changes/noted/marks.ts";
import { openSavedFile, savedPath } from "../../changes/noted/saved-queries.ts";
import type { Env } from "../../shared/system.ts";
import { explain } from "../../store/files/store-error.ts";
import type { Size } from "../../ui/view.ts";
import { applySavedFile } from "../features/list/saved-queries.ts";
import { openViewMemory, readLastOpened, viewsPath } from "../features/memory/effects/view-memory.ts";
import { type LastOpened, listedToNote } from "../features/memory/memory-state.ts";
import { type DebugLog, NO_LOG } from "../world/effects/debug-log.ts";
import type { Action } from "../world/state/action.ts";
import { liveWithHost } from "../world/state/catalog-state.ts";
import { type Effect, isChange, type Outcome } from "../world/state/effect.ts";
import type { State } from "../world/state/state.ts";
import { type CapabilityOptions, openCapabilities } from "./effects/capabilities.ts";
import { createProgramTerminal, type Lend, type TerminalOptions } from "./effects/program-terminal.ts";
import { createEffectRunner } from "./effects/run-effect.ts";
import { initialState } from "./initial-state.ts";
import { update } from "./update.ts";

interface ProgramOptions extends CapabilityOptions, TerminalOptions {
	readonly size: Size;
	/** Logs actions and effects. @default no log */
	readonly log?: DebugLog;
}

/** The running application without a terminal: holds the state, runs the effects, notifies its listeners. */
export interface Program {
	/** The present state; the same object until something changes. */
	getState(): State;
	dispatch(action: Action): void;
	/** Calls `listener` after each change; returns an unsubscribe function. */
	subscribe(listener: () => void): () => void;
	/** Sets what draws the whole screen again; undefined: there is no screen. */
	onRedraw(redraw: (() => void) | undefined): void;
	/** Sets what is called to suspend the program; without it, a message says that this is impossible. */
	onSuspend(suspend: (() => void) | undefined): void;
	/** Sets what lends the terminal to another program; without it, there is no terminal to lend. */
	onLend(lend: Lend | undefined): void;
	/** Resolves when the person leaves, with what to do once the terminal is restored. */
	readonly exited: Promise<Outcome>;
	/** Stops reading and watching; resolves when changes under way are made. */
	close(): Promise<void>;
}

/** Leaving waits this long for changes that were requested before. */
const LEAVE_MS = 2000;

/** Keys wait at most this long for a changed session to be listed: its disk may not answer. */
const READING_MS = 3000;

/** pi waits at most this long for our threads to end. */
const RESTING_MS = 300;

/** Interval at which ages are updated, in ms; they are shown in minutes at best. */
const TICK_MS = 20_000;

/** The session that was opened last, in any window; undefined if none was. */
export function lastOpenedBy(env: Env, home: string): LastOpened | undefined {
	return readLastOpened(viewsPath(env, home));
}

export function createProgram(options: ProgramOptions): Program {
	const { catalog, clock, env, environment, host, log = NO_LOG } = options;
	const { home } = environment;
	const listeners = new Set<() => void>();
	const outcome = Promise.withResolvers<Outcome>();
	const marks = openMarksFile(marksPath(env, home));
	const saved = openSavedFile(savedPath(env, home));
	const memory = openViewMemory(viewsPath(env, home), clock, (error) =>
		dispatch({ type: "not-remembered", why: explain(error) }),
	);
	const first = initialState(environment, options.size, clock(), { ...memory.remembered, ...marks.read() });
	let state = applySavedFile(first, saved.read());
	/** Once it is, results of what is still under way are dropped. */
	let isClosed = false;
	/** Resolves when all changes are made: one after the other, since undo must know the previous change. */
	let changes = Promise.resolve();

	const terminal = createProgramTerminal(options, {
		whileResting,
		showProgress: (progress) => dispatch({ type: "progress", progress }),
		leave: outcome.resolve,
	});
	const opened = openCapabilities(options, { marks, saved, terminal, getState: () => state });
	const effects = createEffectRunner(opened.capabilities, { memory }, dispatch);

	function dispatch(action: Action): void {
		if (isClosed) return;
		if (environment.plain === true && action.type === "keys" && clock() - state.now >= TICK_MS)
			dispatch({ type: "tick", now: clock() });
		const [next, wanted] = log("action", action, () => update(state, action, clock()));
		const changed = next !== state;
		state = next;
		if (changed) for (const listener of listeners) listener();
		for (const effect of wanted) {
			if (isChange(effect)) change(effect);
			else if (effect.type === "leave") leave(effect);
			else void run(effect);
		}
	}

	async function run(effect: Effect): Promise<void> {
		try {
			const answer = await log("effect", effect, () => effects.run(effect));
			if (answer !== undefined) dispatch(answer);
		} catch (error) {
			// Expected failures are returned as actions; an error that is thrown is a bug and must be visible.
			dispatch({ type: "failed", error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
		}
	}

	/** Runs a change after all previous ones, and reports when the list shows its result. */
	function change(effect: Effect): void {
		changes = changes.then(() => run(effect));
		const shownChanges = changes.then(() =>
			Promise.race([opened.caughtUp(), delay(READING_MS, undefined, { ref: false })]),
		);
		void shownChanges.then(() => dispatch({ type: "changed" }));
	}

	function leave(effect: Effect): void {
		terminal.startLeaving();
		void Promise.race([changes, delay(LEAVE_MS, undefined, { ref: false })])
			// Do not leave while another program has the terminal.
			.then(() => terminal.returned())
			.then(() => run(effect));
	}

	/** While pi runs nothing is read, watched or counted here: the threads end, and start again afterwards. */
	async function whileResting<Result>(work: () => Promise<Result>): Promise<Result> {
		await Promise.race([opened.rest(), delay(RESTING_MS, undefined, { ref: false })]);
		clearInterval(ticking);
		try {
			return await work();
		} finally {
			ticking = startTicking();
			dispatch({ type: "tick", now: clock() });
			opened.wake();
		}
	}

	/** A screen reader would read each age that changes: there they change with the next key. */
	const startTicking = (): NodeJS.Timeout | undefined =>
		environment.plain === true
			? undefined
			: setInterval(() => dispatch({ type: "tick", now: clock() }), TICK_MS).unref();
	let ticking = startTicking();
	marks.watch((read) => dispatch({ type: "marks", read }));
	saved.watch((read) => dispatch({ type: "saved", read }));
	catalog.start((event) => {
		if (event.type !== "live") dispatch({ type: "catalog", event });
		else {
			const report = liveWithHost(event.report, state.environment.host);
			dispatch({ type: "catalog", event: { ...event, report } });
		}
	});
	host?.listen((now) => dispatch({ type: "host", now }));

	return {
		getState: () => state,
		dispatch,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		onRedraw: terminal.onRedraw,
		onSuspend: terminal.onSuspend,
		onLend: terminal.onLend,
		exited: outcome.promise,
		async close() {
			clearInterval(ticking);
			marks.close();
			saved.close();
			effects.close();
			const listed = listedToNote(state, memory.remembered);
			if (listed !== undefined) memory.note({ listed });
			await Promise.all([opened.close(changes), memory.close()]);
			isClosed = true;
		},
	};
}
