import { setTimeout as delay } from "node:timers/promises";
import type { Catalog } from "../../../catalog/catalog.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { SessionRoots } from "../../../catalog/model/session-roots.ts";
import { PlaceError, THIS_MACHINE } from "../../../catalog/places/place.ts";
import { openChangeJournal } from "../../../changes/engine/changes.ts";
import type { CheckUse } from "../../../changes/engine/tools.ts";
import { journalPath } from "../../../changes/journal/journal.ts";
import type { ProgramRun } from "../../../changes/kinds/change.ts";
import type { MarksFile } from "../../../changes/noted/marks.ts";
import type { SavedFile } from "../../../changes/noted/saved-queries.ts";
import { createStoreClient, type StoreClient } from "../../../changes/store-thread/store-client.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { Env } from "../../../shared/system.ts";
import { createDiskRead } from "../../../store/files/disk-read.ts";
import { checkHeldSteps } from "../../../store/held/held-message.ts";
import { holdSession, readOdd } from "../../../store/held/hold-session.ts";
import { extendSession, type Session } from "../../../store/read/read-session.ts";
import type { Capabilities, CountRequest, Pi, Places, SessionReader } from "../../world/effects/capabilities.ts";
import type { PiCommand } from "../../world/effects/find-program.ts";
import { type HostPort, hostedStore } from "../../world/effects/host-store.ts";
import { createPiFiles } from "../../world/effects/pi-files.ts";
import { LatestWork } from "../../world/effects/runners.ts";
import { liveWithHost } from "../../world/state/catalog-state.ts";
import type { Environment, State } from "../../world/state/state.ts";
import type { ProgramTerminal } from "./program-terminal.ts";

export interface CapabilityOptions {
	readonly environment: Environment;
	/** Not started yet; the program starts and closes it. */
	readonly catalog: Catalog;
	/** The places besides this machine, whose sessions the catalog has, too. @default there are none */
	readonly places?: Places | undefined;
	readonly env: Env;
	readonly pi: PiCommand;
	/** Whether the browser exits when pi starts, instead of continuing after it. @default false */
	readonly leavesForPi?: boolean;
	readonly host?: HostPort;
	/** Where sessions are, including new ones, and those of pi. */
	readonly sessionRoots: SessionRoots;
	/** Unix ms. */
	readonly clock: () => number;
	/** Lets other windows know that a process has a session; returns a function that withdraws this. @default does nothing */
	readonly noteUse?: (path: string, pid: number) => () => void;
	/** This run of the program, for the journal. @default this process */
	readonly run?: ProgramRun;
	/** Starts a thread for actions on sessions: there is one for changes, and one for what is only read. @default its own */
	readonly createStore?: () => StoreClient;
}

interface ProgramParts {
	readonly marks: MarksFile;
	readonly saved: SavedFile;
	readonly terminal: ProgramTerminal;
	readonly getState: () => State;
}

interface OpenCapabilities {
	readonly capabilities: Capabilities;
	/** Resolves when the catalog has read the files that this program has changed. */
	caughtUp(): Promise<unknown>;
	/** Ends the threads until `wake` is called; resolves when they have ended. */
	rest(): Promise<unknown>;
	wake(): void;
	/** Ends reading at once, and the threads once `changes` are made. */
	close(changes: Promise<void>): Promise<unknown>;
}

/** Threads start when they are needed. */
export function openCapabilities(options: CapabilityOptions, parts: ProgramParts): OpenCapabilities {
	const { catalog, clock, createStore = createStoreClient, env, environment, host, sessionRoots } = options;
	const { marks, saved, terminal, getState } = parts;
	const { home, cwd, savesTo = cwd } = environment;
	const ownStore = createStore();
	const openInPi = (): string | undefined => getState().environment.host?.open.path;
	const writing = host === undefined ? ownStore : hostedStore(ownStore, { port: host, open: openInPi });
	const readThread = createStore();
	const places = options.places ?? ONLY_HERE;
	const reader = createSessionReader((path, signal) => places.fileOf(path, signal));
	let reading: Promise<unknown> = Promise.resolve();

	const rowOf = (path: string): SessionRow | undefined => getState().catalog.rows.get(path);
	const titleOf = (path: string): string | undefined => {
		const row = rowOf(path);
		return row && sessionTitle(row);
	};
	const checkUse: CheckUse = async (paths) => liveWithHost(await catalog.checkUse(paths), getState().environment.host);
	// The catalog itself reports its failures as problems.
	const changed = (paths: readonly string[]): void => {
		const read = catalog.changed(paths).catch(() => undefined);
		reading = Promise.all([reading, read]);
	};
	const refresh = (): void => {
		catalog.refresh().catch(() => undefined);
	};

	const journal = openChangeJournal({
		...{ path: journalPath(env, home), run: options.run, work: terminal.work, store: writing },
		...{ marks, saved, sessionRoots, readThread, rowOf, titleOf, checkUse, changed, refresh, clock, home },
	});

	const readDisk = createDiskRead();

	return {
		capabilities: {
			store: {
				...{
					roots: sessionRoots,
					catalog,
					reader,
					readThread,
					rowOf,
					rows: () => [...getState().catalog.rows.values()],
					titleOf,
					checkUse,
					refresh,
				},
				places,
				count: createRateLimited(({ all, only, on }: CountRequest) => {
					const rows = only && new Set(only);
					return catalog.stats(all, rows && ((row) => rows.has(row)), on);
				}),
			},
			journal,
			disk: { home, cwd, savesTo, env, clock, readDisk },
			terminal,
			pi: piOf(options, parts),
		},
		caughtUp: () => reading,
		rest: () => Promise.all([catalog.rest(), writing.rest()]),
		wake() {
			reading = catalog.wake().catch(() => undefined);
		},
		close(changes) {
			reader.close();
			return Promise.all([changes.then(() => writing.close()), readThread.close(), catalog.close()]);
		},
	};
}

export const ONLY_HERE: Places = {
	file: undefined,
	reach: () => undefined,
	reload: () => undefined,
	fileOf: async (path) => path,
	machineOf: () => THIS_MACHINE,
	resumeThere() {
		throw new PlaceError("there is no other place");
	},
};

function piOf(options: CapabilityOptions, { terminal, getState }: ProgramParts): Pi {
	const { pi, env, environment, host, sessionRoots, noteUse, leavesForPi = false } = options;
	return {
		command: pi,
		files: createPiFiles({ pi: pi.program, env, agentDir: sessionRoots.agentDir }),
		chooses: host !== undefined || environment.picks !== undefined,
		isHost: host !== undefined,
		isBusy: () => getState().environment.host?.busy === true,
		replacesBrowser: () => leavesForPi || !terminal.canLend(),
		noteUse: noteUse ?? (() => () => undefined),
	};
}

/** The pause is this many times as long as the last run. */
const REST_FACTOR = 3;

/**
 * Rate-limits work that may be requested all the time: when `gently`, it pauses three times as long as the last run took
 * before it runs again, so that other work gets most of the time.
 */
export function createRateLimited<Input, Result>(
	work: (input: Input) => Promise<Result>,
): (input: Input, gently: boolean) => Promise<Result> {
	let freeAt = 0;
	return async (input, gently) => {
		const wait = freeAt - performance.now();
		if (gently && wait > 0) await delay(wait, undefined, { ref: false });
		const began = performance.now();
		try {
			return await work(input);
		} finally {
			const ended = performance.now();
			freeAt = ended + (ended - began) * REST_FACTOR;
		}
	};
}

/** A session that the cursor leaves within this time is not read. */
const SETTLE_MS = 40;

/** Reads sessions for the tree. `fileOf`: as in `Places`. */
export function createSessionReader(fileOf: Places["fileOf"] = ONLY_HERE.fileOf): SessionReader {
	const reading = new LatestWork();
	const unsoundPaths = new Set<string>();
	const readFile = async (file: string, before: Session | undefined, signal: AbortSignal): Promise<Session> => {
		const grown = before && (await extendSession(before, signal));
		if (grown !== undefined) return grown;
		const held = unsoundPaths.has(file) ? undefined : await holdSession(file, { signal });
		return held ?? (await readOdd(file, { signal }));
	};
	/** A session that was read from a copy → the session as it was read. */
	const copies = new WeakMap<Session["entries"], Session>();
	return {
		async read(path, before) {
			const passing = reading.isRunning;
			return reading.run(async (_, signal) => {
				if (passing) await delay(SETTLE_MS, undefined, { signal });
				const file = await fileOf(path, signal);
				const copied = before && copies.get(before.entries);
				const session = await readFile(
					file,
					file === path || copied?.path === file ? (copied ?? before) : undefined,
					signal,
				);
				if (file === path) return session;
				copies.set(session.entries, session);
				return { ...session, path };
			});
		},
		async check(session, slice) {
			const isSound = await slice.run(checkHeldSteps(session));
			if (!isSound) unsoundPaths.add(copies.get(session.entries)?.path ?? session.path);
			return isSound;
		},
		close: () => reading.close(),
	};
}
