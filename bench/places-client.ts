import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SessionRow } from "../src/catalog/model/row.ts";
import { HostCatalog } from "../src/catalog/places/host-catalog.ts";
import { parseQuery } from "../src/catalog/query/parse-query.ts";
import { SILENT_HOST } from "./delayed-ssh.ts";

/*
 * What a client does with places, measured in a process of its own: `node bench/places-client.ts HOST,HOST WORD…` lists the sessions of
 * all hosts at once, then searches all of them for each word. Prints what each host took, and what the process needed, as JSON.
 */

/** What a host took, in ms from the moment in which it was asked. */
export interface HostTimes {
	/** Connecting included: to its greeting, its first rows and its last one. */
	readonly hello: number;
	readonly first: number;
	readonly listed: number;
	readonly rows: number;
	/** For each word: to the end of the search, and how many sessions have it. */
	readonly searches: readonly { readonly ms: number; readonly results: number }[];
}

/** What the process has worked on a processor, with all its threads, in ms: until all hosts had answered, or for a search of all. */
interface ClientWork {
	readonly first: number;
	readonly listed: number;
	readonly searches: readonly number[];
}

export interface ClientRun {
	readonly hosts: readonly HostTimes[];
	readonly worked: ClientWork;
	readonly peakMb: number;
}

const [names = "", ...words] = process.argv.slice(2);
const folder = homedir();
const directories = { cacheDir: join(folder, "cache") };
/** Kept, as the browser keeps them. */
const rows = new Map<string, SessionRow>();
let workedBefore = 0;
workedBefore = worked();
const began = performance.now();

function worked(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000 - workedBefore;
}

/** When the last of the hosts so far has sent its first rows. */
let workedForFirst = 0;

async function list(name: string) {
	const createDirectory = async () => ({ path: folder });
	const catalog = new HostCatalog({ kind: "ssh", name, host: name }, { ...directories, createDirectory });
	let first = 0;
	let count = 0;
	catalog.start((event) => {
		if (event.type !== "rows") return;
		if (first === 0) {
			first = performance.now() - began;
			workedForFirst = worked();
		}
		for (const row of event.rows) rows.set(`${name}:${row.path}`, row);
		count += event.rows.length;
	});
	while (catalog.hello === undefined) await delay(1);
	const hello = performance.now() - began;
	await catalog.listed();
	return { catalog, hello, first, listed: performance.now() - began, rows: count };
}

async function search(catalog: HostCatalog, word: string) {
	const from = performance.now();
	const parsed = parseQuery(word);
	if ("error" in parsed) throw new Error(parsed.error);
	const results = new Set<string>();
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const stop = catalog.search(parsed.query, (event) => {
		if (event.type === "results") for (const { path } of event.results) results.add(path);
		else if (event.type === "error") reject(new Error(event.message));
		else if (event.type === "settled") resolve();
	});
	await promise;
	stop();
	return { ms: performance.now() - from, results: results.size };
}

const hosts = names.split(",");
// It is asked like all others, and nobody waits for it.
for (const name of hosts.filter((one) => one === SILENT_HOST)) list(name).catch(() => undefined);
const listed = await Promise.all(hosts.filter((one) => one !== SILENT_HOST).map(list));
const workedForRows = worked();
const searches: { readonly ms: number; readonly results: number }[][] = [];
const workedForSearches: number[] = [];
for (const word of words) {
	const from = worked();
	searches.push(await Promise.all(listed.map(({ catalog }) => search(catalog, word))));
	workedForSearches.push(worked() - from);
}
const run: ClientRun = {
	hosts: listed.map(({ catalog: _, ...times }, index) => ({
		...times,
		searches: searches.flatMap((one) => one[index] ?? []),
	})),
	worked: { first: workedForFirst, listed: workedForRows, searches: workedForSearches },
	peakMb: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(JSON.stringify(run));
await Promise.all(listed.map(({ catalog }) => catalog.close()));
process.exit();
