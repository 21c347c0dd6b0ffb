import { homedir } from "node:os";
import { join } from "node:path";
import type { SessionRow } from "../src/catalog/model/row.ts";
import { PlaceConnection } from "../src/catalog/places/connection.ts";
import { searchPlace } from "../src/catalog/places/place-sessions.ts";
import { rowFromWire } from "../src/catalog/places/wire.ts";
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

/** Results that a screen shows of each host. */
const SHOWN = 30;

const [names = "", ...words] = process.argv.slice(2);
const folder = homedir();
const directories = { home: folder, cacheDir: join(folder, "cache"), stateDir: join(folder, "state") };
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
	const connection = await PlaceConnection.open({ kind: "ssh", name, host: name }, directories);
	const hello = performance.now() - began;
	let first = 0;
	let count = 0;
	await connection.request({ type: "list" }, (answer) => {
		if (answer.type !== "rows") return answer.type === "listed";
		if (first === 0) {
			first = performance.now() - began;
			workedForFirst = worked();
		}
		for (const value of answer.rows) {
			const row = rowFromWire(value);
			if (row !== undefined) rows.set(`${name}:${row.path}`, row);
		}
		count += answer.rows.length;
		return false;
	});
	return { connection, hello, first, listed: performance.now() - began, rows: count };
}

async function search(connection: PlaceConnection, word: string) {
	const from = performance.now();
	const { results } = await searchPlace(connection, word, SHOWN);
	return { ms: performance.now() - from, results: results.length };
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
	searches.push(await Promise.all(listed.map(({ connection }) => search(connection, word))));
	workedForSearches.push(worked() - from);
}
const run: ClientRun = {
	hosts: listed.map(({ connection, ...times }, index) => ({
		...times,
		searches: searches.flatMap((one) => one[index] ?? []),
	})),
	worked: { first: workedForFirst, listed: workedForRows, searches: workedForSearches },
	peakMb: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(JSON.stringify(run));
await Promise.all(listed.map(({ connection }) => connection.close()));
process.exit();
