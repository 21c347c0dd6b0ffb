import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { CatalogEvent, PlaceState } from "../../src/catalog/model/event.ts";
import { type LiveReport, NOTHING_LIVE } from "../../src/catalog/model/live.ts";
import type { SessionRow } from "../../src/catalog/model/row.ts";
import { AllPlaces } from "../../src/catalog/places/all-places.ts";
import { readPlaces } from "../../src/catalog/places/places-file.ts";
import { parseQuery } from "../../src/catalog/query/parse-query.ts";
import type { SearchEvent, SearchResult } from "../../src/catalog/search/search.ts";
import { fakeSsh } from "./fake-ssh.ts";
import { tempDir } from "./temp-dir.ts";
import { Changes, until } from "./wait.ts";

/** A catalog of this machine that a test tells what it has, and that notes what it is asked. */
function fakeHere() {
	let listener: ((event: CatalogEvent) => void) | undefined;
	let searching: ((event: SearchEvent) => void) | undefined;
	const asked: { visible: readonly string[]; changed: readonly string[] } = { visible: [], changed: [] };
	const nothing = async (): Promise<void> => undefined;
	const catalog: Pick<
		Catalog,
		"start" | "search" | "watchVisible" | "changed" | "close" | "rest" | "wake" | "refresh"
	> = {
		start: (to) => {
			listener = to;
		},
		search: (_, to) => {
			searching = to;
			return () => undefined;
		},
		watchVisible: (paths, watched = 0) => {
			asked.visible = paths;
			searching?.({ type: "settled", watched, inForms: false });
		},
		changed: async (paths) => {
			asked.changed = paths;
		},
		...{ close: nothing, rest: nothing, wake: nothing, refresh: nothing },
	};
	return {
		catalog: catalog as Catalog,
		asked,
		emit: (event: CatalogEvent) => listener?.(event),
		find: (event: SearchEvent) => searching?.(event),
	};
}

/** All places over a program called ssh, with a file of places; what was reported, as a screen would have it. */
export function startAllPlaces({
	ssh = fakeSsh("exit 1"),
	places,
}: {
	ssh?: ReturnType<typeof fakeSsh>;
	places: readonly object[];
}) {
	const here = fakeHere();
	const file = join(ssh.dir, "places.json");
	const put = (all: readonly object[]): void => writeFileSync(file, JSON.stringify(all));
	put(places);
	const copies = tempDir();
	const all = new AllPlaces(here.catalog, {
		...ssh.options,
		file,
		readPlaces: () => readPlaces(file, ssh.dir),
		createDirectory: async () => ({ path: copies }),
	});
	const rows = new Map<string, SessionRow>();
	const counts = new Map<string, unknown>();
	let states: readonly PlaceState[] = [];
	let problems: readonly string[] = [];
	let live: LiveReport = NOTHING_LIVE;
	const changes = new Changes();
	all.start((event) => {
		if (event.type === "rows") for (const row of event.rows) rows.set(row.path, row);
		else if (event.type === "gone") for (const path of event.paths) rows.delete(path);
		else if (event.type === "counts") for (const [path, one] of event.counts) counts.set(path, one);
		else if (event.type === "places") states = event.places;
		else if (event.type === "problems") problems = event.problems.map(({ message }) => message);
		else if (event.type === "live") live = event.report;
		changes.notify();
	});
	onTestFinished(() => all.close());
	const state = () => ({ states, paths: [...rows.keys()], problems });
	return {
		...{ all, here, ssh, rows, counts, put, file, copies },
		state,
		live: () => [...live.sessions],
		place: (name: string) => states.find((one) => one.name === name),
		until: (what: string, condition: () => boolean) => until(what, { subscribe: changes.subscribe, state }, condition),
		/** Searches, and collects what is found. */
		search(text: string) {
			const results = new Map<string, SearchResult>();
			const events: SearchEvent[] = [];
			const found = new Changes();
			const parsed = parseQuery(text);
			if ("error" in parsed) throw new Error(parsed.error);
			const stop = all.search(parsed.query, (event) => {
				events.push(event);
				if (event.type === "results") for (const one of event.results) results.set(one.path, one);
				else if (event.type === "lost") for (const path of event.paths) results.delete(path);
				found.notify();
			});
			const settled = () => events.findLast((event) => event.type === "settled")?.watched;
			const now = () => ({ results: [...results.keys()], settled: settled() });
			return {
				...{ results, events, stop, settled },
				until: (what: string, condition: () => boolean) =>
					until(what, { subscribe: found.subscribe, state: now }, condition),
			};
		},
	};
}
