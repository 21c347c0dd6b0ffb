import { mkdirSync, mkdtempSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { KEYMAP } from "../../src/app/core/keys/keymap.ts";
import { createProgram, type Program } from "../../src/app/core/program.ts";
import { isAnswered } from "../../src/app/core/update.ts";
import type { QueryAnswer } from "../../src/app/world/effects/define-query.ts";
import { searchOf } from "../../src/app/world/list/list-search.ts";
import { selectedEntry } from "../../src/app/world/opened/select-tree.ts";
import type { Action } from "../../src/app/world/state/action.ts";
import { bindingFor, bindingsFor, commandFor, contextOf } from "../../src/app/world/state/binding.ts";
import type { Scope } from "../../src/app/world/state/list-state.ts";
import type { State } from "../../src/app/world/state/state.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import type { LiveReport } from "../../src/catalog/model/live.ts";
import type { SessionRow } from "../../src/catalog/model/row.ts";
import { findSessionRoots } from "../../src/catalog/model/session-roots.ts";
import { AllPlaces } from "../../src/catalog/places/all-places.ts";
import { readPlaces } from "../../src/catalog/places/places-file.ts";
import type { ProgramRun } from "../../src/changes/kinds/change.ts";
import { createStoreClient, type StoreClient } from "../../src/changes/store-thread/store-client.ts";
import { createDemo, type Demo } from "../../src/cli/browser/demo.ts";
import { type Collection, demoEnv, installPi } from "./collection.ts";
import { command } from "./command.ts";
import { NOW } from "./rows.ts";
import { until } from "./wait.ts";

/** The whole application on real files, driven by the keys of named bindings; only the terminal is left out. */
export interface Driver {
	readonly program: Program;
	readonly demo: Demo;
	/** What was written directly to the terminal, not as part of a frame. */
	readonly written: readonly string[];
	/** Environment of the program: home, state and cache are all in the demo's directory. */
	readonly env: Readonly<Record<string, string>>;
	send(action: Action): void;
	/** Presses the keys that the bindings with these ids have now, one after the other; what has no key is run by its name. */
	press(...ids: readonly string[]): void;
	type(text: string): void;
	/** Puts a program named pi where the `PATH` of the program finds it; returns its path. */
	installPi(): string;
	/** Compares everything with the disk, as a click on a place that has failed does, for what need not wait to be noticed. */
	refresh(): void;
	/** Resolves when the screen shows the answer to all that was typed and changed, so that no key has to wait. */
	idle(): Promise<State>;
	/** Resolves with the state once the condition holds. */
	until(what: string, condition: (state: State) => boolean): Promise<State>;
	/** Puts the cursor on the session whose name or first message holds the text, and waits for its tree. */
	select(text: string): Promise<State>;
}

export interface StartProgramOptions {
	/** The sessions of another driver, as a second window has them; default: a new copy of the demo collection. */
	readonly demo?: Demo;
	/** A collection that this program only looks at, instead of one of its own. */
	readonly collection?: Collection;
	/** Which run of the program this is, for the journal; default: the test's process. */
	readonly run?: ProgramRun;
	/** The sessions of other places beside them: what `places.json` has, and the environment of ssh. */
	readonly places?: { readonly list: readonly object[]; readonly env?: Readonly<Record<string, string | undefined>> };
	/** Whether to look at the running programs, those of the person who runs the tests included. @default false */
	readonly processes?: boolean;
}

/** The threads for changes and for reading, which all programs of a process have one after the other. */
const THREADS = [createStoreClient(), createStoreClient()] as const;
let programs = 0;

/** A thread of those that outlives the program. */
function createStore(): StoreClient {
	const { run } = THREADS[programs++ % 2 === 0 ? 0 : 1];
	return { run, rest: async () => undefined, close: async () => undefined };
}

/** Starts with everything listed. */
export async function startProgram(
	size = { columns: 160, rows: 45 },
	{ collection, demo: given = collection?.demo, run, places, processes = false }: StartProgramOptions = {},
): Promise<Driver> {
	// `data-home.ts` sets it up, which not every project of the tests loads.
	if (process.env.XDG_DATA_HOME?.startsWith(inject("dataHomes") ?? "no directory") !== true)
		throw new Error("deleting would use the trash of the person");
	const demo = given ?? (await createDemo(NOW));
	const env = demoEnv(demo, collection?.stateHome());
	// As after an earlier run: what is there from the start is watched at once, and not first looked at two seconds later.
	mkdirSync(join(env.XDG_STATE_HOME, "pi-grove"), { recursive: true });
	const written: string[] = [];
	const sessionRoots = collection?.sessionRoots ?? (await findSessionRoots({ env, cwd: demo.cwd, home: demo.home }));
	const here =
		collection?.catalog ??
		openCatalog({
			sessionRoots,
			cacheDir: join(demo.home, "cache"),
			stateDir: join(demo.home, "state", "pi-grove"),
			processes,
		});
	const all = places === undefined ? undefined : openPlaces(here, demo, places);
	const program = createProgram({
		environment: { home: demo.home, cwd: demo.cwd, demo: true, keymap: KEYMAP, problems: [] },
		size,
		catalog: all ?? here,
		places: all,
		env,
		pi: { program: "pi", args: [] },
		sessionRoots,
		clock: () => NOW,
		createStore,
		writeTerminal: (text) => written.push(text),
		...(run === undefined ? {} : { run }),
	});
	onTestFinished(async () => {
		await program.close();
		if (given === undefined) await demo.remove();
	});
	let failure: string | undefined;
	const failed = program.exited.then((outcome) => {
		if (outcome.kind === "failed") failure = outcome.error;
	});
	const observed = {
		subscribe(listener: () => void) {
			void failed.then(listener);
			return program.subscribe(listener);
		},
		state: program.getState,
		describe: (state: State) => {
			const { message, detail, list } = state;
			return JSON.stringify({ message, detail: detail.status, selected: list.selected, ...loadingIn(state) });
		},
	};
	const driver: Driver = {
		program,
		demo,
		written,
		env,
		send: (action) => program.dispatch(action),
		press(...ids) {
			for (const id of ids) {
				const key = keyOf(program.getState(), id);
				const actions =
					key === undefined ? commandOf(program.getState(), id) : [{ type: "keys", keys: [key] } as const];
				for (const action of actions) program.dispatch(action);
			}
		},
		type: (text) => program.dispatch({ type: "text", text }),
		installPi: () => installPi(demo),
		refresh: () => void here.refresh(),
		idle: () =>
			driver.until(
				"all answers",
				(state) => state.waiting.length === 0 && isAnswered(state, "entry", 0) && !searchOf(state).inForms,
			),
		until: (what, condition) =>
			until(what, observed, (state) => {
				if (failure !== undefined) throw new Error(failure);
				return condition(state);
			}),
		async select(text) {
			// A file that was just written may have been read while it had only a part of its text.
			const rowIn = ({ catalog }: State): SessionRow | undefined =>
				catalog.rows.values().find((each) => `${each.name ?? ""} ${each.firstMessage}`.includes(text));
			const row = rowIn(await driver.until(`a session that says "${text}"`, (state) => rowIn(state) !== undefined));
			if (row === undefined) throw new Error("it is there");
			driver.press("first");
			for (let moves = 0; program.getState().list.selected !== row.path; moves++) {
				if (moves > program.getState().catalog.rows.size) throw new Error(`the cursor cannot reach "${text}"`);
				driver.press("down");
			}
			return driver.until(
				`the tree of "${text}"`,
				({ detail }) => detail.status === "ready" && detail.row.path === row.path,
			);
		},
	};
	await driver.until("the whole list", ({ catalog }) => catalog.complete && catalog.rows.size > 0);
	// Those of a shared collection are known; what a test before has changed is counted again later.
	if (collection === undefined)
		await driver.until("all numbers", ({ catalog }) => catalog.countable > 0 && catalog.counted === catalog.countable);
	if (size.columns >= 100) {
		await driver.until(
			"the first tree",
			(state) => state.detail.status === "ready" && selectedEntry(state) !== undefined,
		);
	}
	return driver;
}

/** What is still loaded for the open session. */
function loadingIn({ reader, slices, waiting }: State): Readonly<Record<string, unknown>> {
	const queries = Object.getOwnPropertySymbols(slices).filter(({ description }) => description?.startsWith("query "));
	return {
		placed: reader.placed,
		queries: Object.fromEntries(
			queries.map((key) => {
				const { isLoading, error, request } = slices[key] as QueryAnswer<unknown, unknown>;
				return [key.description, { isLoading, error, request }];
			}),
		),
		waiting: waiting.length,
	};
}

/** Goes to a scope with its key, from one to the next. */
export function toScope({ press, program }: Driver, scope: Scope): void {
	for (let turns = 0; program.getState().list.scope !== scope; turns++) {
		if (turns > 6) throw new Error(`the scope ${scope} cannot be reached`);
		press("scope");
	}
}

function openPlaces(
	here: Catalog,
	{ home }: Demo,
	{ list, env = process.env }: NonNullable<StartProgramOptions["places"]>,
): AllPlaces {
	const file = join(home, "places.json");
	writeFileSync(file, JSON.stringify(list));
	const directories = { home, cacheDir: join(home, "cache"), stateDir: join(home, "state") };
	const createDirectory = async () => ({ path: mkdtempSync(join(home, "copies-")) });
	return new AllPlaces(here, { ...directories, file, env, createDirectory, readPlaces: () => readPlaces(file, home) });
}

/**
 * Resolves once the condition holds on the running programs, at which the catalog looks every five seconds, and when a
 * session changes; but not twice in a second, so one that is not selected is touched again and again.
 */
export async function untilRunning(
	{ program, until }: Driver,
	what: string,
	condition: (live: LiveReport) => boolean,
): Promise<State> {
	const { catalog, list } = program.getState();
	const path = catalog.rows.keys().find((each) => each !== list.selected);
	if (path === undefined) throw new Error("There is no other session.");
	let { mtimeMs } = statSync(path);
	const touching = setInterval(() => {
		mtimeMs++;
		utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
	}, 100);
	try {
		return await until(what, (state) => condition(state.catalog.live));
	} finally {
		clearInterval(touching);
	}
}

function keyOf(state: State, id: string): string | undefined {
	const bindings = bindingsFor(state).filter((binding) => binding.id === id);
	return bindings.flatMap(({ keys }) => keys).find((name) => bindingFor(state, name)?.id === id);
}

function commandOf(state: State, id: string): readonly Action[] {
	if (commandFor(state, id) === undefined)
		throw new Error(`no key or command does "${id}" now, in the ${contextOf(state)}`);
	return command(id);
}
