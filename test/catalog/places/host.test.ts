import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { NO_SUMS } from "../../../src/catalog/stats/aggregate-stats.ts";
import { inLong, inShort } from "../../support/cases.ts";
import { answeringBy, ended, fakeSsh, HELLO } from "../../support/fake-ssh.ts";
import { startAllPlaces } from "../../support/start-all-places.ts";

const MINI = { name: "mini", ssh: "mini.local" };
const { signal } = new AbortController();

/** A host with this server, whose rows are there. */
async function listed(source: string) {
	const ssh = fakeSsh(answeringBy(source));
	const app = startAllPlaces({ ssh, places: [MINI] });
	app.all.reach(true);
	await app.until("its list", () => app.place("mini")?.phase === "listed");
	return app;
}

describe("the connection", () => {
	test("asks ssh for nothing that needs a person, and skips what a shell prints first", async () => {
		const ssh = fakeSsh(
			`echo "Welcome to mini"; echo; ${answeringBy("on.files = (id) => { out(id, 'é'); end(id, 1); };")}`,
		);
		const connection = ssh.open({ command: "nice pi-grove" });
		expect(await connection.hello).toEqual(HELLO);
		const pieces: Buffer[] = [];
		expect(await connection.run(["files"], (bytes) => pieces.push(bytes))).toEqual({ code: 1, notes: "" });
		expect(Buffer.concat(pieces).toString()).toBe("é");
		const options = ["BatchMode=yes", "ConnectTimeout=5", "ServerAliveInterval=5", "ServerAliveCountMax=3"];
		const words = ["-T", "-C", ...options.flatMap((option) => ["-o", option])];
		expect(ssh.arguments()).toEqual([...words, "--", "mini.local", "nice pi-grove serve --stdio"]);
		await connection.close();
		await ended(ssh.pid());
		await expect(connection.run(["files"], () => undefined)).rejects.toThrow("mini: the connection was closed");
	});

	const hello = (fields: object): string => `echo '${JSON.stringify({ ...HELLO, ...fields })}'; cat`;
	test.each([
		[
			"an older protocol",
			hello({ hello: undefined, oldest: undefined, type: "hello" }),
			/9\.9\.9 is too old there; update it on/,
		],
		[
			"a newer protocol",
			hello({ hello: 9, oldest: 3 }),
			/9\.9\.9 there is newer than this one understands; update it here/,
		],
		["silence", "exec sleep 60", /^mini: no answer within 0\.3 s$/],
		["another program", "yes hello", /the program that answers there is not pi-grove/],
		["one line without end", "tr '\\0' x < /dev/zero", /longer than the protocol allows/],
		["half a line", `printf '{"hel'`, /^mini: ssh ended with 0$/],
		[
			"nothing to start",
			"echo 'sh: pi-grove: not found' >&2; exit 127",
			/`ssh mini\.local npm install --global pi-grove` installs it/,
		],
		[
			"a reason of ssh",
			"echo 'Permission denied (publickey).' >&2; exit 255",
			/^mini: Permission denied \(publickey\)\.$/,
		],
	])("%s is told", async (_, script, reason) => {
		const ssh = fakeSsh(script);
		const connection = ssh.open({}, { helloMs: script.includes("sleep") ? 300 : 30_000 });
		await expect(connection.hello).rejects.toThrow(reason);
		await connection.close();
		await ended(ssh.pid());
	});

	test("does not wait for a machine that brings nothing new: silence, being busy without work, or a drip without end", async () => {
		const ssh = fakeSsh(
			answeringBy(`
				on.list = (id) => setInterval(() => send({ id, busy: 7 }), 20);
				on.stats = (id) => setInterval(() => out(id, "x"), 20);
				let work = 0;
				on.files = (id) => { const drip = setInterval(() => send({ id, busy: ++work }), 100);
					setTimeout(() => { clearInterval(drip); end(id); }, 1000); };`),
		);
		const ran = (command: string, limits: object): Promise<unknown> => {
			const connection = ssh.open({}, limits);
			onTestFinished(() => connection.close());
			return connection.run([command], () => undefined);
		};
		// One that works is waited for.
		expect(await ran("files", { silenceMs: 800 })).toEqual({ code: 0, notes: "" });
		await expect(ran("show", { silenceMs: 300 })).rejects.toThrow("mini: no answer for 0.3 s");
		await expect(ran("list", { silenceMs: 300 })).rejects.toThrow("mini: no answer for 0.3 s");
		await expect(ran("stats", { commandMs: 600 })).rejects.toThrow("mini: it was not done within 0.01 min");
	});
});

/** What a hostile machine needs to flood a pipe without filling its own memory. */
const FLOOD = `
	const flood = (next) => {
		let count = 0;
		const more = () => { for (let i = 0; i < 200; i++) if (!write(next(count++))) return process.stdout.once("drain", more); setImmediate(more); };
		more();
	};
	const line = (answer) => JSON.stringify(answer) + "\\n";
	const rows = (id, n, fields) => line({ id, out: Array.from({ length: 50 }, (_, i) => JSON.stringify(row({ path: "/s/" + n + "-" + i, id: "", ...fields }))).join(",\\n") + ",\\n" });`;

/** Those that cost processor time are tried in the long run. */
const GIVEN_UP: readonly (readonly [name: string, source: string, reason: RegExp])[] = [
	["rows without end", "on.list = (id) => flood((n) => rows(id, n))", /it lists more than 100000 sessions/],
	[
		"texts without end",
		`const long = "x".repeat(10000); on.list = (id) => flood((n) => rows(id, n, { firstMessage: long }))`,
		/it sends more than fits into memory here/,
	],
	[
		"rows that are none",
		`on.list = (id) => flood(() => line({ id, out: "{},\\n".repeat(10000) }))`,
		/it lists more than 100000 sessions/,
	],
	["a line without end", `on.list = () => flood(() => "x".repeat(1000))`, /longer than the protocol allows/],
	[
		"a row without end",
		`on.list = (id) => flood(() => line({ id, out: "x".repeat(60000) }))`,
		/it sends a line that does not fit into memory here/,
	],
	[
		"half a list",
		`on.list = (id) => { out(id, "[\\n" + JSON.stringify(row()) + ",\\n"); end(id); }`,
		/its list has ended too early/,
	],
	["a failure", `on.list = (id) => { send({ id, err: "pi-grove: no\\n" }); end(id, 2); }`, /^mini: no$/],
];
test.each(inShort(GIVEN_UP, (_, index) => index > 1))(
	"a machine that answers with %s is given up, and that is told",
	{ timeout: 120_000 },
	async (_, source, reason) => {
		const ssh = fakeSsh(answeringBy(`${FLOOD}${source};`));
		const app = startAllPlaces({ ssh, places: [MINI] });
		app.all.reach(true);
		await app.until("the reason", () => app.place("mini")?.phase === "failed");
		expect(app.place("mini")?.reason).toMatch(reason);
		expect(process.memoryUsage().heapUsed / 1024 ** 2).toBeLessThan(1000);
		await ended(ssh.pid());
	},
);

const WITHOUT_END: readonly (readonly [name: string, source: string])[] = [
	["garbage", `flood((n) => line({ id: n }) + "not json\\n[[[[\\n")`],
	["what nobody has asked for", `flood((n) => line({ id: n + 50, out: "x", code: 0 }))`],
	["that it is done", `flood((n) => line({ id: 1, code: 0 }) + line({ id: 2, out: "[]\\n", code: n }))`],
];
test.each(inShort(WITHOUT_END, (_, index) => index === 0))(
	"a machine that says %s without end takes neither memory nor every turn",
	{ timeout: 120_000 },
	async (_, source) => {
		const app = await listed(`${FLOOD}let n = 0; on.list = (id) => { list(id, row()); if (n++ === 1) ${source}; };`);
		await app.until("its row", () => app.rows.has("mini:/s/one.jsonl"));
		const before = process.memoryUsage().heapUsed;
		let longest = 0;
		for (let at = performance.now(), end = at + inLong(3000, 250); at < end; at = performance.now()) {
			await new Promise((resolve) => setImmediate(resolve));
			longest = Math.max(longest, performance.now() - at);
		}
		expect(longest).toBeLessThan(1500);
		expect((process.memoryUsage().heapUsed - before) / 1024 ** 2).toBeLessThan(150);
		expect([...app.rows.keys()]).toEqual(["mini:/s/one.jsonl"]);
		await app.all.close();
		await ended(app.ssh.pid());
	},
);

test("a search asks for the first results, then for all, by words alone; results of unknown sessions, and odd ones, are left out", async () => {
	const app = await listed(`
		on.list = (id) => list(id, ...Array.from({ length: 300 }, (_, n) => row({ path: "/s/" + n, id: "i" + n })));
		on.search = (id, args) => {
			require("node:fs").appendFileSync("asked", JSON.stringify(args) + "\\n");
			const all = Array.from({ length: args.includes("--limit") ? 200 : 290 }, (_, n) => result("/s/" + n));
			list(id, ...all, result("/etc/passwd"), result("/s/1", "x".repeat(2000)), { path: "/s/2" });
		};`);
	const search = app.search("zebra is:archived is:named place:mini");
	app.here.find({ type: "settled", watched: 0, inForms: false });
	await search.until("the end", () => search.settled() === 0);
	expect(search.results.size).toBe(290);
	expect([...search.results.keys()].every((path) => /^mini:\/s\/\d+$/.test(path))).toBe(true);
	const asked = readFileSync(join(app.ssh.dir, "asked"), "utf8").trimEnd().split("\n");
	expect(asked.map((line) => JSON.parse(line))).toEqual([
		["--json", "--raw", "--limit", "200", "--", "zebra is:archived"],
		["--json", "--raw", "--", "zebra is:archived"],
	]);
	app.all.watchVisible(["mini:/s/1"], 3);
	await search.until("what is visible", () => search.settled() === 3);
});

test("where a condition suffices instead of a word, the host says which sessions lack the word", async () => {
	const app = await listed(`
		on.list = (id) => list(id, row());
		on.search = (id, args) =>
			list(id, { ...result("/s/one.jsonl"), lacks: args.at(-1) === "stripe bug or messages:>=0" ? [0] : [] });`);
	const search = app.search("stripe bug or is:named -is:error");
	await search.until("what it has", () => search.results.size > 0);
	expect(search.results.get("mini:/s/one.jsonl")?.lacks).toEqual([0]);
});

test("a search that fails there is said beside the place, and the others go on", async () => {
	const app = await listed(`
		on.list = (id) => list(id, row());
		on.search = (id) => { send({ id, err: "pi-grove: ripgrep cannot be started\\n" }); end(id, 2); };`);
	const search = app.search("zebra");
	app.here.find({ type: "settled", watched: 0, inForms: false });
	await search.until("the end", () => search.settled() === 0);
	await app.until("the reason", () => app.place("mini")?.reason !== undefined);
	expect(app.place("mini")).toMatchObject({ phase: "listed", reason: "mini: ripgrep cannot be started" });
});

test("sums are those of the sessions that are asked for; what is none is refused", async () => {
	const app = await listed(`
		on.list = (id) => list(id, row({ path: "/s/1", id: "1" }), row({ path: "/s/2", id: "2" }));
		on.stats = (id, args) => {
			const sessions = args.length === 1 ? 2 : args.length - 2;
			out(id, args.includes("/s/1") ? "{}" : JSON.stringify({ ...${JSON.stringify(NO_SUMS)}, sessions }));
			end(id);
		};`);
	const here = { ...app.here.catalog, stats: async () => NO_SUMS };
	Object.assign(app.here.catalog, here);
	await app.until("both rows", () => app.rows.size === 2);
	const rows = [...app.rows.values()];
	const sumsOf = async (paths: readonly string[]) =>
		(await app.all.stats(rows, ({ path }) => paths.includes(path))).places;
	expect(await sumsOf(["mini:/s/1", "mini:/s/2"])).toMatchObject([{}, { name: "mini", sessions: 2 }]);
	expect(await sumsOf(["mini:/s/2"])).toMatchObject([{}, { name: "mini", sessions: 1 }]);
	// Not understood: only their number and size are known.
	expect(await sumsOf(["mini:/s/1"])).toMatchObject([{}, { name: "mini", sessions: 1, bytes: 10, counted: 0 }]);
});

test("a session is fetched; one that fails, never ends or claims any size leaves no file", async () => {
	const app = await listed(`${FLOOD}
		const sessions = ["whole", "flood", "fails"].map((id) => row({ id, path: "/s/" + id, size: 9 }));
		on.list = (id) => list(id, ...sessions, row({ id: "huge", path: "/s/huge", size: 5 * 2 ** 30 }));
		on.show = (id, args) => {
			const path = args.at(-1);
			if (path === "/s/flood") flood(() => line({ id, out: "\\u00ff".repeat(60000) }));
			else if (path === "/s/whole") { send({ id, out: "\\u00ff\\u0000é\\n" }); send({ id, out: "12345" }); end(id); }
			else { out(id, "half"); send({ id, err: "pi-grove: it was removed\\n" }); end(id, 2); }
		};`);
	await app.until("its rows", () => app.rows.size === 4);
	const copy = await app.all.fileOf("mini:/s/whole", signal);
	expect(readFileSync(copy)).toEqual(Buffer.from("\u00ff\u0000é\n12345", "latin1"));
	await expect(app.all.fileOf("mini:/s/fails", signal)).rejects.toThrow("mini: it was removed");
	for (const path of ["mini:/s/flood", "mini:/s/huge"])
		await expect(app.all.fileOf(path, signal)).rejects.toThrow("mini: the session is too large to be fetched");
	await expect(app.all.fileOf("mini:/s/none", signal)).rejects.toThrow("mini: the session is no longer listed there");
	expect(readdirSync(app.copies)).toHaveLength(1);
	const stop = new AbortController();
	const reading = expect(app.all.fileOf("mini:/s/fails", stop.signal)).rejects.toThrow("no longer wanted");
	stop.abort(new Error("no longer wanted"));
	await reading;
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
			on.list = (id) => list(id, ...rows, row({ path: "relative" }), row({ path: "/a\\nb" }));
			on.show = (id) => { out(id, "xxx"); end(id); };`),
	);
	const app = startAllPlaces({ ssh, places: [MINI] });
	app.all.reach(true);
	await app.until("its rows", () => app.rows.size === evil.length && app.place("mini")?.phase === "listed");
	for (const row of app.rows.values()) {
		expect(row).toMatchObject({ place: "mini", parentSession: `mini:${secret}` });
		expect(row.alsoIn).toBeUndefined();
		const copy = await app.all.fileOf(row.path, signal);
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
