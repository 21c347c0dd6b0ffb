import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { PlaceConnection } from "../../../src/catalog/places/connection.ts";
import { PlaceError } from "../../../src/catalog/places/place-error.ts";
import { listPlace, readFromPlace, searchPlace } from "../../../src/catalog/places/place-sessions.ts";
import { statsOfPlace } from "../../../src/catalog/places/place-stats.ts";
import { answering, answeringBy, ended, fakeSsh, ROW } from "../../support/fake-ssh.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test("ssh gets the host and one command; it never asks, and gives up", async () => {
	const ssh = fakeSsh("cat hello; cat > rest");
	const connection = await ssh.open({ command: "~/bin/pi-grove" });
	expect(connection.hello.version).toBe("9.9.9");
	await connection.close();
	expect(ssh.arguments().slice(-3)).toEqual(["--", "mini.local", "~/bin/pi-grove serve --stdio"]);
	expect(ssh.arguments()).toEqual(expect.arrayContaining(["-T", "BatchMode=yes", "ConnectTimeout=5"]));
	await ended(ssh.pid());
});

test.each([
	[
		"what ssh says is the reason",
		"echo 'ada@mini: Permission denied (publickey).' >&2; exit 255",
		/^mini: ada@mini: Permission denied \(publickey\)\.$/,
	],
	[
		"no pi-grove there",
		"echo 'sh: 1: pi-grove: not found' >&2; exit 127",
		/^mini: pi-grove was not found there .*npm install --global pi-grove.*give the place the command/,
	],
	["silence", "exec sleep 60", /^mini: no answer within 0\.3 s$/],
	["an end without a word", "exit 3", /^mini: ssh ended with 3$/],
	["half a line", 'printf \'{"type":"hello"\'; exit 0', /^mini: ssh ended with 0$/],
	["an endless line", "yes x | tr -d '\\n'", /longer than the protocol allows/],
	["an endless greeting", "yes Welcome", /what answers there is not pi-grove/],
	[
		"an old protocol",
		"sed s/:1,/:0,/ hello; exec sleep 60",
		/pi-grove 9\.9\.9 is too old there; update it on that machine/,
	],
	["a new protocol", "sed s/:1,/:5,/g hello; exec sleep 60", /is newer than this one understands; update it here/],
])("a machine that cannot be used says why: %s", async (_, script, reason) => {
	const ssh = fakeSsh(script);
	const opening = ssh.open({}, { helloMs: script === "exec sleep 60" ? 300 : 30_000 });
	await expect(opening).rejects.toThrow(reason);
	await expect(opening).rejects.toBeInstanceOf(PlaceError);
	await ended(ssh.pid());
});

test("a greeting before the first line is left out; without ssh that is said", async () => {
	const ssh = fakeSsh("echo Welcome to mini; echo '{}'; cat hello; cat > rest");
	await (await ssh.open()).close();
	await expect(ssh.open({}, { env: { PATH: "/nowhere" } })).rejects.toThrow(/^mini: ssh cannot be started: /);
});

test("waiting can be given up, which ends ssh", async () => {
	const ssh = fakeSsh("exec sleep 60");
	const stop = new AbortController();
	const opening = ssh.open({}, { signal: stop.signal });
	await vi.waitFor(() => expect(existsSync(join(ssh.dir, "arguments"))).toBe(true));
	stop.abort(new Error("no longer wanted"));
	await expect(opening).rejects.toThrow("no longer wanted");
	await ended(ssh.pid());
});

test("rows that make no sense are left out and counted, and those of nobody's request are ignored", async () => {
	const odd = [
		{ ...ROW, path: "relative" },
		{ ...ROW, path: "/a\nb" },
		{ ...ROW, created: 1e300 },
		{ ...ROW, size: "10" },
		5,
		null,
	];
	const ssh = fakeSsh(
		answering(
			{ id: 99, type: "rows", rows: [{ ...ROW, path: "/s/other.jsonl" }] },
			{ id: 1, type: "surprise", of: "a newer version" },
			{
				id: 1,
				type: "rows",
				rows: [
					...odd,
					{ ...ROW, extra: "ignored", diagnostics: [{ code: "brand-new", severity: "damage", message: "x" }] },
				],
			},
			{ id: 1, type: "counts", counts: [["/s/one.jsonl", { turns: -1 }], ["/s/unknown.jsonl", {}], 7] },
			{ id: 1, type: "problems", problems: ["a disk is full"] },
			{ id: 1, type: "listed", signature: "" },
		),
	);
	const connection = await ssh.open();
	const { rows, counts, problems } = await listPlace(connection);
	await connection.close();
	expect([...rows.keys()]).toEqual(["/s/one.jsonl"]);
	expect(rows.get("/s/one.jsonl")).toMatchObject({
		id: "aa",
		diagnostics: [{ code: "newer-version", severity: "note" }],
	});
	expect(rows.get("/s/one.jsonl")).not.toHaveProperty("extra");
	expect(counts.size).toBe(0);
	expect(problems).toEqual([
		"mini: 6 sessions could not be understood; pi-grove may be newer there than here.",
		"mini: a disk is full",
	]);
});

test.each([
	["an error", answering({ id: 1, type: "error", message: "it is not a session" }), /^mini: it is not a session$/],
	["its end", `cat hello; read request; exit 1`, /^mini: ssh ended with 1$/],
	["silence", "cat hello; read request; exec sleep 60", /^mini: no answer for 0\.5 s$/],
	[
		"more bytes than were asked for",
		answering({ id: 1, type: "bytes", from: 0, data: "eHh4eA==" }, { id: 1, type: "bytes", from: 4, data: "eHh4eA==" }),
		/^mini: more bytes of \/s\/one\.jsonl came than were asked for$/,
	],
	["bytes out of order", answering({ id: 1, type: "bytes", from: 7, data: "eA==" }), /came out of order$/],
	["a line that is too long", `cat hello; read request; yes x | tr -d '\\n'`, /longer than the protocol allows/],
])("a request ends with %s", async (_, script, reason) => {
	const ssh = fakeSsh(script);
	const connection = await ssh.open({}, { silenceMs: reason.source.includes("no answer") ? 500 : 60_000 });
	const reading = readFromPlace(connection, "/s/one.jsonl", async () => undefined, { from: 0, to: 7 });
	await expect(reading).rejects.toThrow(reason);
	await connection.close();
	await expect(listPlace(connection)).rejects.toThrow(PlaceError);
	await ended(ssh.pid());
});

const STORED = { ...ROW, path: "mini:/s/one.jsonl", created: new Date(1), modified: new Date(2), diagnostics: [] };
const ASKED = {
	list: (connection: PlaceConnection) => listPlace(connection),
	search: (connection: PlaceConnection) => searchPlace(connection, "zebra", 10),
	stats: (connection: PlaceConnection) => statsOfPlace(connection, [STORED], () => true),
	show: (connection: PlaceConnection) =>
		readFromPlace(connection, "/s/one.jsonl", async () => undefined, { from: 0, to: 7 }),
};
/** A server that answers every request by calling `answer(id, n)` again and again. */
const repeating = (answer: string): string =>
	answeringBy(`const again = ({ id }) => { let n = 0; setInterval(() => { ${answer} }, 20); };
		for (const type of ["list", "search", "stats", "read"]) on[type] = again;`);

test.each(Object.entries(ASKED))("%s does not wait for a machine that brings nothing new", async (_, ask) => {
	for (const answer of [
		`send({ id, type: "busy" });`,
		`send({ id, type: "busy", done: 7 });`,
		`send({ id, type: "rows", rows: [row({})] }, { id, type: "results", results: [] });`,
	]) {
		const connection = await fakeSsh(repeating(answer)).open({}, { silenceMs: 300 });
		await expect(ask(connection)).rejects.toThrow(/^mini: it answers, but nothing new for 0\.3 s/);
		await connection.close();
	}
});

test("a machine that works is waited for", async () => {
	const answer = `n += 1; send(n < 40 ? { id, type: "busy", done: n } : { id, type: "listed", signature: "" });`;
	const connection = await fakeSsh(repeating(answer)).open({}, { silenceMs: 300 });
	const began = performance.now();
	expect((await listPlace(connection)).rows.size).toBe(0);
	expect(performance.now() - began).toBeGreaterThan(600);
	await connection.close();
});

test("what comes is held up to a limit, also if it is the same again and again", async () => {
	const answer = `send({ id, type: "rows", rows: [row({ firstMessage: "x".repeat(50000) })] });`;
	const connection = await fakeSsh(repeating(answer)).open({}, { maxUnits: 200_000 });
	await expect(listPlace(connection)).rejects.toThrow("mini: it sends more than can be held here");
	await connection.close();
});

test("what cannot be stored ends the reading, with what goes wrong there, when all of it has ended", async () => {
	const bytes = (from: number) => ({ id: 1, type: "bytes", from, data: Buffer.alloc(1000).toString("base64") });
	const ssh = fakeSsh(answering(...Array.from({ length: 50 }, (_, index) => bytes(index * 1000))));
	const connection = await ssh.open();
	let [storing, calls] = [0, 0];
	const onBytes = async (): Promise<void> => {
		storing += 1;
		calls += 1;
		await new Promise((resolve) => setImmediate(resolve));
		storing -= 1;
		if (calls === 3) throw new Error("the disk is full");
	};
	await expect(readFromPlace(connection, "/s/one.jsonl", onBytes)).rejects.toThrow("the disk is full");
	expect({ storing, calls }).toEqual({ storing: 0, calls: 3 });
	await connection.close();
});

test("ten million rows cost bounded memory, and are told", async () => {
	const [before = "", behind = ""] = JSON.stringify({
		id: 1,
		type: "rows",
		rows: [{ ...ROW, path: "/s/#.jsonl" }],
	}).split("#");
	const program = `BEGIN { for (i = 0; i < 10000000; i++) print b i e }`;
	const ssh = fakeSsh(
		`cat hello; read request; awk -v b='${before.replaceAll('"', '\\"')}' -v e='${behind.replaceAll('"', '\\"')}' '${program}'`,
	);
	const connection = await ssh.open();
	await expect(listPlace(connection, { maxSessions: 20_000 })).rejects.toThrow(
		"mini: it lists more than 20000 sessions",
	);
	await connection.close();
	await ended(ssh.pid());
});

test("a directory is a place of its own: listed, searched and read like a machine", async () => {
	const { agent, base, write } = tempAgentDir();
	const text = lines(
		header({ id: "0198-aa" }),
		user("a1", null, 1, "Find the zebra."),
		assistant("a2", "a1", 2, "There."),
	);
	const path = write("--p--/one.jsonl", text);
	const options = { home: base, cacheDir: join(base, "places"), stateDir: join(base, "state") };
	for (const directory of [agent, join(agent, "sessions"), join(agent, "sessions", "--p--")]) {
		const connection = await PlaceConnection.open({ kind: "dir", name: "old", path: directory }, options);
		const { rows, counts } = await listPlace(connection, { counted: true });
		expect([...rows.keys()]).toEqual([path]);
		expect(counts.get(path)).toMatchObject({ turns: 1, cost: 0.03 });
		expect((await searchPlace(connection, "zebra", 10)).results).toMatchObject([{ path, count: 1, more: false }]);
		const parts: Buffer[] = [];
		await readFromPlace(connection, path, async (bytes) => {
			parts.push(bytes);
		});
		expect(Buffer.concat(parts).toString()).toBe(text);
		await connection.close();
	}
	const gone = PlaceConnection.open({ kind: "dir", name: "old", path: join(base, "gone") }, options);
	await expect(gone).rejects.toThrow(/^old: .*gone cannot be read: it does not exist/);
});
