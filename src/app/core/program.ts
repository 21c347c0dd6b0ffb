import { setTimeout as delay } from "node:timers/promises";
import type { Catalog } from "../../catalog/catalog.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { rootOf, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { asksForText, type Query } from "../../catalog/query/parse-query.ts";
import type { Use } from "../../catalog/uses/use.ts";
import { createLongWork } from "../../changes/engine/long-work.ts";
import type { LookAtUse } from "../../changes/engine/look-sometimes.ts";
import { createUndoer } from "../../changes/engine/undo.ts";
import { createHistoryReader } from "../../changes/journal/history-reader.ts";
import { journalPath, openJournal } from "../../changes/journal/journal.ts";
import type { Run } from "../../changes/journal/journal-schema.ts";
import { marksPath, openMarksFile } from "../../changes/noted/marks-file.ts";
import { openSavedFile, savedPath } from "../../changes/noted/saved-file.ts";
import { createStoreClient } from "../../changes/store-thread/store-client.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import type { Size } from "../../ui/view.ts";
import { createBranchGatherer } from "../features/branches/effects/branch-gatherer.ts";
import { createPiFiles } from "../features/glance/effects/pi-files.ts";
import { createSessionCounter } from "../features/glance/effects/session-counter.ts";
import { applySavedFile } from "../features/list/saved-actions.ts";
import { createPlaceFinder } from "../features/maintenance/effects/find-places.ts";
import { gitNotesPath, openGitNotes } from "../features/maintenance/effects/git-notes.ts";
import { createProposer } from "../features/maintenance/effects/proposer.ts";
import { openViewMemory, viewsPath } from "../features/memory/effects/view-memory.ts";
import { usesAsked } from "../features/prompts/uses-asked.ts";
import type { HostPort } from "../features/sessions/effects/host-port.ts";
import { hostedStore } from "../features/sessions/effects/host-store.ts";
import type { PiCommand } from "../features/sessions/effects/pi-command.ts";
import type { ProgramEnd, TerminalProgram } from "../features/sessions/effects/terminal-program.ts";
import { createTreeDrawer } from "../features/tree/effects/tree-drawer.ts";
import type { Action } from "../world/action.ts";
import { type Effect, isChange } from "../world/effect.ts";
import { type DebugLog, NO_LOG } from "../world/effects/debug-log.ts";
import { createGently } from "../world/effects/gently.ts";
import { createPatientLook } from "../world/effects/patient-look.ts";
import { liveWithHost } from "../world/live-with-host.ts";
import type { Outcome } from "../world/outcome.ts";
import type { Environment, State } from "../world/state.ts";
import { runEffect } from "./effects/run-effect.ts";
import { createSessionReader } from "./effects/session-reader.ts";
import { initialState } from "./initial-state.ts";
import { update } from "./update.ts";

/** Runs a program in our terminal until it ends. */
type RunForeground = (program: TerminalProgram) => Promise<ProgramEnd>;

/** Gives the terminal away while `work` is done, and takes it back. */
type Lend = (work: () => Promise<void>) => Promise<void>;

export interface ProgramOptions {
	readonly environment: Environment;
	readonly size: Size;
	/** Not started yet; the program starts and closes it. */
	readonly catalog: Catalog;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** What resumes a session. */
	readonly pi: PiCommand;
	/** Whether the browser leaves when pi starts, instead of coming back after it. @default false */
	readonly leavesForPi?: boolean;
	/** The pi that started the browser; default: none did. */
	readonly host?: HostPort;
	/** Where sessions are; for new ones, and for pi. */
	readonly sessionRoots: SessionRoots;
	/** Present time, Unix ms. */
	readonly clock: () => number;
	/** Writes an escape sequence that draws nothing, for the clipboard. */
	readonly writeTerminal: (text: string) => void;
	/** Tells other windows that a process has a session; returns what ends that. @default nothing is told */
	readonly noteUse?: (path: string, pid: number) => () => void;
	/** Starts a program in the terminal and waits for its end; default: there is no terminal to give away. */
	readonly runForeground?: RunForeground;
	/** Which run of the program this is, for the journal; default: this process. */
	readonly run?: Run;
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
	/** Calls `lend` with what is to be done while the terminal is another program's; without one there is none to lend. */
	onLend(lend: Lend | undefined): void;
	/** Resolves when the person leaves, with what to do once the terminal is restored. */
	readonly exited: Promise<Outcome>;
	/** Stops reading and watching; resolves when changes under way are made. */
	close(): Promise<void>;
}

/** Leaving waits this long, in milliseconds, for a change that was asked for before. */
const LEAVE_MS = 2000;

/** Keys wait at most this long, in milliseconds, for a changed session to be listed: its disk may not answer. */
const READING_MS = 3000;

/** pi waits at most this long, in milliseconds, for our threads to end. */
const RESTING_MS = 300;

/** Ages are shown in minutes at the finest. */
const TICK_MS = 20_000;

export function createProgram(options: ProgramOptions): Program {
	const { catalog, clock, log = NO_LOG } = options;
	const listeners = new Set<() => void>();
	const left = Promise.withResolvers<Outcome>();
	const reader = createSessionReader();
	const treeDrawer = createTreeDrawer(
		(query, entries) => catalog.matches(query, entries),
		(drawing) => dispatch({ type: "tree-drawn", drawing }),
	);
	const branchGatherer = createBranchGatherer();
	const counter = createSessionCounter(options.environment.home);
	const proposer = createProposer();
	const piFiles = createPiFiles({ pi: options.pi.program, env: options.env, agentDir: options.sessionRoots.agentDir });
	const { host } = options;
	const openInPi = (): string | undefined => state.environment.host?.open.path;
	const ownStore = createStoreClient();
	const store = host === undefined ? ownStore : hostedStore(ownStore, { port: host, open: openInPi });
	const lookingStore = createStoreClient();
	const { sessionRoots } = options;
	const journal = openJournal({
		path: journalPath(options.env, options.environment.home),
		root: rootOf(sessionRoots),
		...(options.run === undefined ? {} : { run: options.run }),
	});
	const history = createHistoryReader(
		journalPath(options.env, options.environment.home),
		rootOf(sessionRoots),
		journal.run,
	);
	const marks = openMarksFile(marksPath(options.env, options.environment.home));
	const saved = openSavedFile(savedPath(options.env, options.environment.home));
	const patientLook = createPatientLook();
	const gitNotes = openGitNotes(gitNotesPath(options.env, options.environment.home), patientLook, clock);
	const placeFinder = createPlaceFinder({
		look: patientLook,
		notes: () => gitNotes.read(),
		lookingStore,
		home: options.environment.home,
	});
	const look: LookAtUse = async (paths) => liveWithHost(await catalog.checkUse(paths), state.environment.host);
	const rowOf = (path: string): SessionRow | undefined => state.catalog.rows.get(path);
	const memory = openViewMemory(viewsPath(options.env, options.environment.home), clock);
	let state = initialState(options.environment, options.size, clock(), { ...memory.remembered, ...marks.read() });
	state = applySavedFile(state, saved.read());

	/** The changes under way: one after the other, since undo must know the change before it. */
	let changes = Promise.resolve();
	/** Files that the catalog reads because they were changed here. */
	let reading: Promise<unknown> = Promise.resolve();

	const changed = (paths: readonly string[]): void => {
		// The catalog itself reports why it fails, as a problem.
		const read = catalog.changed(paths).catch(() => undefined);
		reading = Promise.all([reading, read]);
	};

	const noSearch = (): void => undefined;
	let stopSearch = noSearch;
	let suspend: (() => void) | undefined;
	let lend: Lend | undefined;
	/** Resolves when the program to which the terminal is lent has ended. */
	let lent: Promise<unknown> | undefined;
	let isLeaving = false;

	/** One program at a time gets it: keys that were pressed in the same moment ask for a second one. */
	async function lendTerminal(program: TerminalProgram): Promise<ProgramEnd | undefined> {
		const { runForeground } = options;
		if (lent !== undefined || isLeaving || lend === undefined || runForeground === undefined) return undefined;
		let end: ProgramEnd | undefined;
		try {
			lent = lend(async () => {
				if (program.session === undefined) end = await runForeground(program);
				else end = await whileResting(() => runForeground(program));
			});
			await lent;
			return end;
		} finally {
			lent = undefined;
		}
	}

	/** While pi works nothing is read, watched or counted here: the threads end, and start again afterwards. */
	async function whileResting<Result>(work: () => Promise<Result>): Promise<Result> {
		await Promise.race([Promise.all([catalog.rest(), store.rest()]), delay(RESTING_MS, undefined, { ref: false })]);
		clearInterval(ticking);
		try {
			return await work();
		} finally {
			ticking = startTicking();
			dispatch({ type: "tick", now: clock() });
			// The catalog itself reports why it fails, as a problem.
			reading = catalog.wake().catch(() => undefined);
		}
	}

	const work = createLongWork((progress) => dispatch({ type: "progress", progress }));
	const tools = {
		...options,
		work,
		reader,
		treeDrawer,
		branchGatherer,
		counter,
		proposer,
		piFiles,
		patientLook,
		gitNotes,
		placeFinder,
		store,
		home: options.environment.home,
		search(request: number, query: Query) {
			// A search ends the one before it by itself.
			if (asksForText(query)) {
				stopSearch = catalog.search(query, (event) => dispatch({ type: "search", request, event }));
				return;
			}
			stopSearch();
			stopSearch = noSearch;
		},
		askUses({ request, asked, anew, now }: Extract<Effect, { type: "ask-uses" }>) {
			catalog.askUses(usesAsked(asked, anew, now), (event) => dispatch({ type: "uses", request, event }));
		},
		stopUses: () => catalog.stopUses(),
		wholeUse: (use: Use) => catalog.wholeUse(use),
		count: createGently((rows: readonly SessionRow[]) => catalog.stats(rows)),
		watchVisible: (paths: readonly string[], watched: number) => catalog.watchVisible(paths, watched),
		look,
		hits: (query: Query, path: string) => catalog.hits(query, path),
		journal,
		memory,
		lookingStore,
		history,
		rowOf,
		marks,
		saved,
		undoer: createUndoer({ journal, history, store, marks, saved, sessionRoots, clock, changed, look, work, rowOf }),
		titleOf(path: string) {
			const row = state.catalog.rows.get(path);
			return row && sessionTitle(row);
		},
		changed,
		refresh: () => {
			// The catalog itself reports why it fails, as a problem.
			catalog.refresh().catch(() => undefined);
		},
		suspend: () => {
			suspend?.();
			return suspend !== undefined;
		},
		cwd: options.environment.cwd,
		noteUse: options.noteUse ?? (() => () => undefined),
		lendTerminal,
		chooses: host !== undefined || options.environment.picks !== undefined,
		isInPi: host !== undefined,
		isPiBusy: () => state.environment.host?.busy === true,
		leavesForPi: () => options.leavesForPi === true || lend === undefined || options.runForeground === undefined,
		leave: left.resolve,
	};

	function dispatch(action: Action): void {
		const [next, effects] = log("action", action, () => update(state, action, clock()));
		const changed = next !== state;
		state = next;
		if (changed) for (const listener of listeners) listener();
		for (const effect of effects) {
			if (isChange(effect)) change(effect);
			else if (effect.type === "leave") {
				isLeaving = true;
				// What is done by then can be undone by the next run.
				work.stop();
				void Promise.race([changes, delay(LEAVE_MS, undefined, { ref: false })])
					// Nobody leaves while another program has the terminal.
					.then(() => lent)
					.then(() => run(effect));
			} else void run(effect);
		}
	}

	async function run(effect: Effect): Promise<void> {
		try {
			const answer = await log("effect", effect, () => runEffect(effect, tools));
			if (answer !== undefined) dispatch(answer);
		} catch (error) {
			// Expected failures come as actions; what is thrown is a bug and must be seen.
			dispatch({ type: "failed", error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
		}
	}

	/** Changes a session after all changes before it, and says so when the list has what came of it. */
	function change(effect: Effect): void {
		changes = changes.then(() => run(effect));
		const seen = changes.then(() => Promise.race([reading, delay(READING_MS, undefined, { ref: false })]));
		void seen.then(() => dispatch({ type: "changed" }));
	}

	const startTicking = (): NodeJS.Timeout =>
		setInterval(() => dispatch({ type: "tick", now: clock() }), TICK_MS).unref();
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
		onSuspend(listener) {
			suspend = listener;
		},
		onLend(listener) {
			lend = listener;
		},
		exited: left.promise,
		async close() {
			clearInterval(ticking);
			marks.close();
			saved.close();
			reader.close();
			treeDrawer.close();
			branchGatherer.close();
			counter.close();
			proposer.close();
			await Promise.all([changes.then(() => store.close()), lookingStore.close(), catalog.close(), memory.close()]);
		},
	};
}
