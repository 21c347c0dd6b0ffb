import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inLong, inShort } from "../../support/cases.ts";
import { answeringBy, ended, fakeSsh } from "../../support/fake-ssh.ts";
import { startAllPlaces } from "../../support/start-all-places.ts";

const MINI = { name: "mini", ssh: "mini.local" };

/** What a hostile machine needs to flood a pipe without filling its own memory. */
const FLOOD = `
	const flood = (next) => {
		let count = 0;
		const more = () => { for (let i = 0; i < 200; i++) if (!write(next(count++))) return process.stdout.once("drain", more); setImmediate(more); };
		more();
	};
	const line = (answer) => JSON.stringify(answer) + "\\n";
	const best = (text) => ({ line: 1, entryId: "a", kind: "user", active: true, snippet: { text, ranges: [] } });
	const result = (path, text = "zebra") => ({ path, rank: 1, modified: 1, count: 1, more: false, best: best(text) });
	const one = (id) => send({ id, type: "rows", rows: [row({ id: "1", size: 100 })] }, { id, type: "listed", signature: "1:" + require("node:zlib").crc32("/s/one.jsonl") });`;

/** The heap that is in use now, in MB. */
function heapMb(): number {
	return process.memoryUsage().heapUsed / 1024 ** 2;
}

/** The longest turn of the event loop in a time: so long the screen would have answered no key. */
function longestTurnMs(ms: number): Promise<number> {
	const end = performance.now() + ms;
	return longestTurnWhile(() => performance.now() < end);
}

async function longestTurnWhile(goesOn: () => boolean): Promise<number> {
	let longest = 0;
	for (let at = performance.now(); goesOn(); ) {
		await new Promise((resolve) => setImmediate(resolve));
		const now = performance.now();
		longest = Math.max(longest, now - at);
		at = now;
	}
	return longest;
}

/** Those that cost processor time are tried in the long run. */
const GIVEN_UP: readonly (readonly [name: string, source: string, reason: RegExp])[] = [
	[
		"rows without end",
		`on.list = ({ id }) => flood((n) => line({ id, type: "rows", rows: Array.from({ length: 400 }, (_, i) => row({ path: "/s/" + n + "-" + i, id: "" })) }))`,
		/it lists more than 100000 sessions/,
	],
	[
		"rows that are none",
		`on.list = ({ id }) => flood(() => line({ id, type: "rows", rows: Array(20000).fill(0) }))`,
		/it lists more than 100000 sessions/,
	],
	[
		"texts without end",
		`const long = "x".repeat(900000); on.list = ({ id }) => flood((n) => line({ id, type: "rows", rows: [row({ path: "/s/" + n, id: "", firstMessage: long })] }))`,
		/its list is larger than what can be kept here/,
	],
	[
		"a line without end",
		`on.list = () => flood(() => "x".repeat(1000))`,
		/a line from there is longer than the protocol allows/,
	],
	["an error", `on.list = ({ id }) => send({ id, type: "error", message: "no" })`, /^mini: no$/],
];
test.each(inShort(GIVEN_UP, (_, index) => index > 1))(
	"a machine that answers with %s is given up, and that is told",
	{ timeout: 120_000 },
	async (_, source, reason) => {
		const ssh = fakeSsh(answeringBy(`${FLOOD}${source};`));
		const app = startAllPlaces({ ssh, places: [MINI] });
		const before = heapMb();
		app.all.reach(true);
		const [longest] = await Promise.all([
			longestTurnWhile(() => app.place("mini")?.phase !== "failed"),
			app.until("the reason", () => app.place("mini")?.phase === "failed"),
		]);
		expect(app.place("mini")?.reason).toMatch(reason);
		expect(longest).toBeLessThan(1500);
		expect(heapMb() - before).toBeLessThan(500);
		await ended(ssh.pid());
	},
);

const WITHOUT_END: readonly (readonly [name: string, source: string])[] = [
	["garbage", `on.list = ({ id }) => { one(id); flood((n) => "{\\"id\\":" + n + "}\\nnot json\\n[[[[\\n"); }`],
	[
		"answers to what nobody asked",
		`on.list = ({ id }) => { one(id); flood((n) => line({ id: n + 50, type: "rows", rows: [row()] })); }`,
	],
	[
		"that it has listed all",
		`on.list = ({ id }) => { one(id); flood((n) => line({ id, type: "listed", signature: "" + n }) + line({ id, type: "counted", stamp: "" + n }) + line({ id: n % 9, type: "end", size: 0 })); }`,
	],
	[
		"one row, again and again",
		`on.list = ({ id }) => { one(id); flood((n) => line({ id, type: "rows", rows: [row({ id: "1", size: n })] }) + line({ id, type: "live", paths: ["/s/one.jsonl", "/s/other"] })); }`,
	],
	[
		"results of sessions that it has not listed",
		`on.list = ({ id }) => one(id); on.search = ({ id }) => flood((n) => line({ id, type: "results", rows: [], results: [result("/s/" + n)] }))`,
	],
	[
		"results that are too long",
		`const long = "x".repeat(100000); on.list = ({ id }) => one(id); on.search = ({ id }) => flood(() => line({ id, type: "results", results: [result("/s/one.jsonl", long)] }))`,
	],
	[
		"progress, up and down",
		`on.list = ({ id }) => one(id); on.search = ({ id }) => flood((n) => line({ id, type: "progress", done: n % 7, total: 5 }) + line({ id, type: "settled", visible: n, inForms: n % 2 === 0 }))`,
	],
];
test.each(inShort(WITHOUT_END, (_, index) => index % 3 === 0))(
	"a machine that says %s without end takes neither memory nor every turn",
	{
		timeout: 120_000,
	},
	async (_, source) => {
		const ssh = fakeSsh(answeringBy(`${FLOOD}${source};`));
		const app = startAllPlaces({ ssh, places: [MINI] });
		app.all.reach(true);
		await app.until("its row", () => app.rows.has("mini:/s/one.jsonl"));
		const search = app.search("zebra");
		app.here.find({ type: "settled", watched: 0, inForms: false });
		await longestTurnMs(100);
		const before = heapMb();
		// A screen does not keep events, either.
		const forget = setInterval(() => search.events.splice(0), 20);
		const longest = await longestTurnMs(inLong(3000, 250));
		clearInterval(forget);
		// What waits for the collector of garbage is included, and so is a busy machine.
		expect(heapMb() - before).toBeLessThan(150);
		expect(longest).toBeLessThan(1500);
		expect([...search.results.keys()].filter((path) => path !== "mini:/s/one.jsonl")).toEqual([]);
		expect([...app.rows.keys()]).toEqual(["mini:/s/one.jsonl"]);
		await app.all.close();
		await ended(ssh.pid());
	},
);

test.each([
	["out of order", `send({ id, type: "bytes", from: 7, data: "eA==" })`, /came out of order/],
	[
		"without end",
		`flood((n) => line({ id, type: "bytes", from: n * 3, data: "eHh4" }))`,
		/more bytes of .* came than were asked for/,
	],
	["of nothing, and then an end", `send({ id, type: "error", message: "it was removed" })`, /^mini: it was removed$/],
])("a machine whose bytes come %s leaves no file, and no copy that anything reads", async (_, source, reason) => {
	const ssh = fakeSsh(answeringBy(`${FLOOD}on.list = ({ id }) => one(id); on.read = ({ id }) => { ${source} };`));
	const app = startAllPlaces({ ssh, places: [MINI] });
	app.all.reach(true);
	await app.until("its row", () => app.rows.has("mini:/s/one.jsonl"));
	await expect(app.all.fileOf("mini:/s/one.jsonl", new AbortController().signal)).rejects.toThrow(reason);
	expect(readdirSync(app.copies)).toEqual([]);
});

test("one that drips holds up nobody else, and can be given up", async () => {
	const ssh = fakeSsh(
		answeringBy(`${FLOOD}on.list = ({ id }) => one(id);
			on.read = ({ id }) => setInterval(() => send({ id, type: "busy" }), 20);`),
	);
	const app = startAllPlaces({ ssh, places: [MINI, { name: "other", ssh: "other.local" }] });
	app.all.reach(true);
	await app.until("both rows", () => app.state().states.every(({ phase }) => phase === "listed"));
	const stop = new AbortController();
	const reading = app.all.fileOf("mini:/s/one.jsonl", stop.signal);
	const state = expect(reading).rejects.toThrow("no longer wanted");
	stop.abort(new Error("no longer wanted"));
	await state;
	expect(readdirSync(app.copies)).toEqual([]);
});

test("no path from there is one here: nothing is written, read or run where it says", async () => {
	const ssh = fakeSsh("");
	const secret = join(ssh.dir, "secret.jsonl");
	writeFileSync(secret, "a secret of this machine\n");
	const evil = [
		secret,
		`${ssh.dir}/../../etc/passwd`,
		"/s/$(touch ran)'; touch ran; '.jsonl",
		"/s/\u001b]52;c;eA==\u0007.jsonl",
		"/s/-rf",
		"C:\\x\\..\\y.jsonl",
	];
	ssh.write(
		answeringBy(`
			const rows = ${JSON.stringify(evil)}.map((path, n) => row({ path, id: "e" + n, cwd: ${JSON.stringify(ssh.dir)}, size: 3,
				place: "here", alsoIn: ["here"], parentSession: ${JSON.stringify(secret)} }));
			on.list = ({ id }) => send({ id, type: "rows", rows }, { id, type: "counted", stamp: "../../x" });
			on.read = ({ id, from }) => send({ id, type: "bytes", from, data: "eHh4" }, { id, type: "end", size: 3 });`),
	);
	const app = startAllPlaces({ ssh, places: [MINI] });
	app.all.reach(true);
	await app.until("its rows", () => app.rows.size === evil.length);
	for (const row of app.rows.values()) {
		expect(row).toMatchObject({ place: "mini", parentSession: `mini:${secret}` });
		expect(row.alsoIn).toBeUndefined();
		const copy = await app.all.fileOf(row.path, new AbortController().signal);
		expect(copy.startsWith(join(app.copies, "session-"))).toBe(true);
		expect(readFileSync(copy, "utf8")).toBe("xxx");
		// One word for the shell of that machine, after the host: whatever it has, it is neither an option nor a command.
		const { command, args } = app.all.resumeThere(row.path, "a'; touch ran; '");
		expect([command, ...args.slice(0, -1)]).toEqual(["ssh", "-t", "-o", "ConnectTimeout=5", "--", "mini.local"]);
		expect(args.at(-1)).toMatch(/^pi-grove 'resume' '(?:[^']|'\\'')*'$/);
	}
	await app.all.close();
	expect(readFileSync(secret, "utf8")).toBe("a secret of this machine\n");
	expect(readdirSync(ssh.dir).toSorted()).toEqual(
		["arguments", "bin", "cache", "hello", "host.cjs", "pid", "pids", "places.json", "secret.jsonl"].toSorted(),
	);
	expect(readdirSync(join(ssh.dir, "cache", "places"))).toEqual(["mini.jsonl"]);
});
