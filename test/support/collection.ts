import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
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

/** Puts a program named pi where programs on a demo collection look for it; returns its path. */
export function installPi({ home }: Demo): string {
	const path = join(home, "bin", "pi");
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, "#!/bin/sh\n", { mode: 0o755 });
	return path;
}

/** The directories in a demo's home that hold what programs store. */
const STORED = ["cache", "state", "states"];

/**
 * A demo collection for all tests of a file: it is listed and counted once, by threads that start once, which takes longer
 * than most of these tests. `prepare` adds to it before. What a test changes in it is put back when the test is over; a
 * test in which other programs write, or their processes are looked at, needs a collection of its own. `temporary`: the
 * directory for it.
 */
export function collectionOfFile(
	prepare: (demo: Demo) => void = () => undefined,
	temporary: string = tmpdir(),
): () => Collection {
	let collection: Collection | undefined;
	let close = async (): Promise<void> => undefined;
	let restore = async (): Promise<void> => undefined;
	beforeAll(async () => {
		const demo = await within(temporary, () => createDemo(NOW));
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
		const files = filesIn(demo.home);
		restore = async () => {
			if (putBack(demo.home, files)) await catalog.refresh();
		};
	});
	afterEach(() => restore());
	afterAll(() => close());
	return () => {
		if (collection === undefined) throw new Error("The collection is there when the tests run.");
		return collection;
	};
}

/** Calls with another temporary directory. */
async function within<Result>(temporary: string, call: () => Promise<Result>): Promise<Result> {
	const before = tmpdir();
	process.env.TMPDIR = temporary;
	try {
		return await call();
	} finally {
		process.env.TMPDIR = before;
	}
}

/** What is below a directory, by path: the content and time of a file, undefined for a directory. */
type Files = ReadonlyMap<string, { readonly content: Buffer; readonly modified: Date } | undefined>;

function filesIn(home: string): Files {
	return new Map(
		pathsIn(home).map((path) => {
			const status = lstatSync(path);
			return [path, status.isFile() ? { content: readFileSync(path), modified: status.mtime } : undefined];
		}),
	);
}

function pathsIn(home: string): string[] {
	return readdirSync(home)
		.filter((name) => !STORED.includes(name))
		.flatMap((name) => [name, ...below(join(home, name)).map((path) => join(name, path))])
		.map((path) => join(home, path));
}

function below(path: string): string[] {
	return lstatSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];
}

/** Makes the directory hold exactly these files; returns whether it did not. */
function putBack(home: string, files: Files): boolean {
	const added = pathsIn(home).filter((path) => !files.has(path));
	for (const path of added) rmSync(path, { recursive: true, force: true });
	const changed = [...files].filter(([path, file]) => {
		const status = lstatSync(path, { throwIfNoEntry: false });
		if (file === undefined) return status === undefined;
		return status?.size !== file.content.length || status.mtimeMs !== file.modified.getTime();
	});
	for (const [path, file] of changed) {
		mkdirSync(file === undefined ? path : dirname(path), { recursive: true });
		if (file === undefined) continue;
		writeFileSync(path, file.content);
		utimesSync(path, file.modified, file.modified);
	}
	return added.length + changed.length > 0;
}

/** A started catalog that can be started again and again: each listener first gets all that was emitted before. */
function replaying(catalog: Catalog): Catalog {
	const emitted: CatalogEvent[] = [];
	let stopUses = (): void => undefined;
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
			stopUses();
			catalog.watchVisible([]);
		},
		stored: () => catalog.stored(),
		refresh: () => catalog.refresh(),
		changed: (paths) => catalog.changed(paths),
		watchVisible: (paths, watched) => catalog.watchVisible(paths, watched),
		checkUse: (paths) => catalog.checkUse(paths),
		listed: () => catalog.listed(),
		hits: (query, path) => catalog.hits(query, path),
		searchEach: (queries) => catalog.searchEach(queries),
		askUses(asked, onEvent) {
			stopUses = catalog.askUses(asked, onEvent);
			return stopUses;
		},
		counted: () => catalog.counted(),
		stats: (rows, isAsked, on) => catalog.stats(rows, isAsked, on),
		rest: () => catalog.rest(),
		wake: () => catalog.wake(),
	};
}
