import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import type { CatalogEvent } from "../../src/catalog/model/event.ts";
import { findSessionRoots, type SessionRoots } from "../../src/catalog/model/session-roots.ts";
import { createDemo, type Demo } from "../../src/cli/browser/demo.ts";
import { NOW } from "./rows.ts";

/** A demo collection that the programs of a test file look at one after the other. */
export interface Collection {
	readonly demo: Demo;
	readonly sessionRoots: SessionRoots;
	/** Tells each program what is listed; its `close` leaves the threads running. */
	readonly catalog: Catalog;
	/** A directory of its own for what each program stores. */
	stateHome(): string;
}

/** The environment of a program on a demo collection: home, state and cache are all in the demo's directory. */
export function demoEnv({ home, agentDir }: Demo, stateHome = join(home, "state")) {
	return { HOME: home, PI_CODING_AGENT_DIR: agentDir, XDG_STATE_HOME: stateHome, PATH: join(home, "bin") } as const;
}

/**
 * A demo collection for all tests of a file that only look: it is listed and counted once, by threads that start once, which
 * takes longer than most of these tests. `prepare` adds to it before.
 */
export function collectionOfFile(prepare: (demo: Demo) => void = () => undefined): () => Collection {
	let collection: Collection | undefined;
	let close = async (): Promise<void> => undefined;
	beforeAll(async () => {
		const demo = await createDemo(NOW);
		prepare(demo);
		const env = demoEnv(demo);
		const sessionRoots = await findSessionRoots({ env, cwd: demo.cwd, home: demo.home });
		const stateDir = join(env.XDG_STATE_HOME, "pi-grove");
		const catalog = openCatalog({ sessionRoots, cacheDir: join(demo.home, "cache"), stateDir, processes: false });
		close = async () => {
			await catalog.close();
			await demo.remove();
		};
		let programs = 0;
		const stateHome = (): string => join(demo.home, "states", String(programs++));
		collection = { demo, sessionRoots, catalog: replaying(catalog), stateHome };
		await Promise.all([catalog.listed(), catalog.counted()]);
	});
	afterAll(() => close());
	return () => {
		if (collection === undefined) throw new Error("The collection is there when the tests run.");
		return collection;
	};
}

/** A started catalog that can be started again and again: each listener first gets all that was emitted before. */
function replaying(catalog: Catalog): Catalog {
	const emitted: CatalogEvent[] = [];
	let listener: ((event: CatalogEvent) => void) | undefined;
	let stopSearch = (): void => undefined;
	catalog.start((event) => {
		emitted.push(event);
		listener?.(event);
	});
	return {
		start(next) {
			listener = next;
			for (const event of [...emitted]) next(event);
		},
		search(query, onEvent) {
			stopSearch = catalog.search(query, onEvent);
			return stopSearch;
		},
		async close() {
			listener = undefined;
			stopSearch();
			catalog.stopUses();
			catalog.watchVisible([]);
		},
		stored: () => catalog.stored(),
		refresh: () => catalog.refresh(),
		changed: (paths) => catalog.changed(paths),
		watchVisible: (paths, watched) => catalog.watchVisible(paths, watched),
		checkUse: (paths) => catalog.checkUse(paths),
		listed: () => catalog.listed(),
		hits: (query, path) => catalog.hits(query, path),
		matches: (query, entries) => catalog.matches(query, entries),
		askUses: (asked, onEvent) => catalog.askUses(asked, onEvent),
		stopUses: () => catalog.stopUses(),
		wholeUse: (use) => catalog.wholeUse(use),
		counted: () => catalog.counted(),
		stats: (rows) => catalog.stats(rows),
		rest: () => catalog.rest(),
		wake: () => catalog.wake(),
	};
}
