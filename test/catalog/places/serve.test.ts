import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import {
	type Answer,
	type Hello,
	MAX_LINE_BYTES,
	parseAnswer,
	parseHello,
	type RequestBody,
} from "../../../src/catalog/places/protocol.ts";
import { serve } from "../../../src/catalog/places/serve.ts";
import { countsFromWire, resultFromWire, rowFromWire } from "../../../src/catalog/places/wire.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** A server of a new agent directory, and what it has said. */
function startServer(agentDir = tempAgentDir()) {
	const { sessionRoots, base, cache: cacheDir } = agentDir;
	const [input, output] = [new PassThrough(), new PassThrough()];
	const said: string[] = [];
	let text = "";
	output.on("data", (chunk: Buffer) => {
		text += chunk.toString("utf8");
		const whole = text.split("\n");
		text = whole.pop() ?? "";
		said.push(...whole);
	});
	const served = serve(input, output, { sessionRoots, home: base, cacheDir, stateDir: join(base, "state") });
	onTestFinished(async () => {
		input.end();
		await served;
	});
	const answers = (id: number): Answer[] => {
		return said.flatMap((line) => parseAnswer(line) ?? []).filter((answer) => answer.id === id);
	};
	return {
		...agentDir,
		served,
		input,
		said,
		answers,
		hello: (): Hello | undefined => parseHello(said[0] ?? ""),
		send: (id: number, body: RequestBody | { readonly type: "cancel" }): void => {
			input.write(`${JSON.stringify({ ...body, id })}\n`);
		},
		/** Waits for an answer of a type. */
		until: <Type extends Answer["type"]>(id: number, type: Type): Promise<Extract<Answer, { readonly type: Type }>> =>
			vi.waitFor(
				() => {
					const found = answers(id).find((answer) => answer.type === type);
					if (found === undefined) throw new Error(`no ${type} among ${answers(id).map((one) => one.type)}`);
					return found as Extract<Answer, { readonly type: Type }>;
				},
				{ timeout: 60_000, interval: 5 },
			),
		/** Paths of the sessions whose counts were sent in answer to a request. */
		counts: (id: number) => [
			...new Set(
				answers(id).flatMap((answer) =>
					answer.type === "counts" ? answer.counts.flatMap((one) => countsFromWire(one)?.[0] ?? []) : [],
				),
			),
		],
		/** The rows that were sent in answer to a request, the last of each path. */
		rows: (id: number) => {
			const sent = answers(id).flatMap((answer) => (answer.type === "rows" ? answer.rows.map(rowFromWire) : []));
			return new Map(sent.map((row) => [row?.path, row]));
		},
	};
}

const session = (id: string, text: string) =>
	lines(header({ id, cwd: "/work/api" }), user("a1", null, 1, text), assistant("a2", "a1", 2, "Done."));

test("it says what it is at once, and lists all sessions, their counts, and what changes until that is canceled", async () => {
	const server = startServer();
	const one = server.write("--p--/one.jsonl", session("0198-aa", "Find the zebra."));
	await vi.waitFor(() =>
		expect(server.hello()).toMatchObject({ protocol: 1, oldest: 1, home: server.base, sessions: server.root }),
	);
	server.send(1, { type: "list" });
	await server.until(1, "counted");
	expect(server.rows(1).get(one)).toMatchObject({
		id: "0198-aa",
		firstMessage: "Find the zebra.",
		messageCount: 2,
		size: readFileSync(one).length,
	});
	expect(server.answers(1)).toContainEqual(
		expect.objectContaining({
			type: "counts",
			counts: [[one, expect.objectContaining({ turns: 1, cost: 0.03, model: "claude-sonnet-4-5" })]],
		}),
	);
	appendFileSync(one, lines(user("a3", "a2", 3, "And the lion.")));
	await vi.waitFor(() => expect(server.rows(1).get(one)?.messageCount).toBe(3), { timeout: 60_000 });
	const two = server.write("--p--/two.jsonl", session("0198-bb", "Second."));
	await vi.waitFor(() => expect(server.rows(1).has(two)).toBe(true), { timeout: 60_000 });
	rmSync(two);
	expect(await server.until(1, "gone")).toMatchObject({ paths: [two] });
	server.send(1, { type: "cancel" });
	server.send(2, { type: "paths" });
	await server.until(2, "end");
	const before = server.answers(1).length;
	appendFileSync(one, lines(user("a4", "a3", 4, "Nobody hears.")));
	server.send(3, { type: "list" });
	await vi.waitFor(() => expect(server.rows(3).get(one)?.messageCount).toBe(4), { timeout: 60_000 });
	expect(server.answers(1)).toHaveLength(before);
});

test("after a stamp only what has changed since is sent; another signature tells that a session is gone", async () => {
	const first = startServer();
	const [one, two, three] = ["one", "two", "three"].map((name) =>
		first.write(`--p--/${name}.jsonl`, session(`0198-${name}`, name)),
	);
	first.send(1, { type: "list" });
	const { signature } = await first.until(1, "listed");
	const { stamp } = await first.until(1, "counted");
	first.input.end();
	await first.served;
	if (one === undefined || two === undefined || three === undefined) throw new Error("three were written");
	appendFileSync(two, lines(user("a3", "a2", 3, "More.")));
	rmSync(three);
	const second = startServer(first);
	second.send(1, { type: "list", since: stamp });
	// Asked for at the same time, which starts the reading earlier.
	second.send(9, { type: "search", query: "more" });
	const listed = await second.until(1, "listed");
	await second.until(1, "counted");
	expect([...second.rows(1).keys()]).toEqual([two]);
	expect(second.rows(1).get(two)?.messageCount).toBe(3);
	expect(second.counts(1)).toEqual([two]);
	await second.until(9, "settled");
	expect(listed.signature).not.toBe(signature);
	second.send(2, { type: "paths" });
	expect((await second.until(2, "paths")).paths.toSorted()).toEqual([one, two].toSorted());
	// Nothing is left out for a stamp of another index.
	second.send(3, { type: "list", since: "1-2-3:4" });
	await second.until(3, "listed");
	expect(second.rows(3).size).toBe(2);
});

test("a search sends results as they come; the next one replaces it; a mistake is an error", async () => {
	const server = startServer();
	const one = server.write("--p--/one.jsonl", session("0198-aa", "Find the zebra in the zoo."));
	server.write("--p--/two.jsonl", session("0198-bb", "Nothing of it."));
	server.send(1, { type: "search", query: "zebra" });
	await server.until(1, "settled");
	server.send(2, { type: "visible", paths: [one] });
	await vi.waitFor(() => expect(server.answers(1).at(-1)).toMatchObject({ type: "settled", visible: 2 }), {
		timeout: 60_000,
	});
	const results = server.answers(1).flatMap((answer) => (answer.type === "results" ? answer.results : []));
	expect(results.at(-1)).toMatchObject({ path: one, count: 1, more: false, best: { entryId: "a1", kind: "title" } });
	server.send(3, { type: "search", query: "nothing" });
	await server.until(3, "settled");
	server.send(4, { type: "search", query: "re:(" });
	expect(await server.until(4, "error")).toMatchObject({
		message: expect.stringMatching(/^cannot read the query re:\(: /),
	});
});

test("a session that says something enormous costs the others nothing", async () => {
	const server = startServer();
	const text = "\u0001".repeat(250_000);
	const odd = server.write("--p--/odd.jsonl", lines(header({ id: text, cwd: text }), user(text, null, 1, "A zebra.")));
	const one = server.write("--p--/one.jsonl", session("0198-aa", "Find the zebra."));
	server.send(1, { type: "list" });
	await server.until(1, "counted");
	expect([...server.rows(1).keys()].toSorted()).toEqual([odd, one].toSorted());
	server.send(2, { type: "search", query: "zebra" });
	await server.until(2, "settled");
	const results = server.answers(2).flatMap((answer) => (answer.type === "results" ? answer.results : []));
	expect(new Set(results.map((result) => resultFromWire(result)?.path))).toEqual(new Set([odd, one]));
	for (const line of server.said) expect(Buffer.byteLength(line)).toBeLessThan(MAX_LINE_BYTES);
});

test("only listed sessions are read, byte for byte, or a part", async () => {
	const server = startServer();
	const large = lines(
		header(),
		...Array.from({ length: 4000 }, (_, index) => user(`a${index}`, null, index, "é".repeat(200))),
	);
	const path = server.write("--p--/one.jsonl", large);
	const other = server.write("notes.txt", "a secret");
	server.send(1, { type: "read", path, from: 0 });
	const bytesOf = (id: number) =>
		Buffer.concat(
			server
				.answers(id)
				.map((answer) => (answer.type === "bytes" ? Buffer.from(answer.data, "base64") : Buffer.alloc(0))),
		);
	expect(await server.until(1, "end")).toMatchObject({ size: Buffer.byteLength(large) });
	expect(bytesOf(1).equals(Buffer.from(large))).toBe(true);
	server.send(2, { type: "read", path, from: 10, to: 20 });
	await server.until(2, "end");
	expect(bytesOf(2)).toEqual(Buffer.from(large).subarray(10, 20));
	for (const [index, wrong] of [
		other,
		"/etc/passwd",
		`${path}/../../notes.txt`,
		join(path, "..", "one.jsonl."),
	].entries()) {
		server.send(10 + index, { type: "read", path: wrong, from: 0 });
		expect(await server.until(10 + index, "error")).toMatchObject({
			message: "it is not a session that is listed there",
		});
		expect(bytesOf(10 + index)).toHaveLength(0);
	}
});

test("what is not a request is refused, and the others are answered", async () => {
	const server = startServer();
	for (const line of ["{", "[]", '{"id":1}', '{"id":1,"type":"delete","path":"/x"}', '{"id":"1","type":"list"}', ""])
		server.input.write(`${line}\n`);
	await vi.waitFor(() => expect(server.answers(0)).toHaveLength(3));
	// Its client waits for an answer to each request with an id.
	expect(server.answers(1).map(({ type }) => type)).toEqual(["error", "error"]);
	server.send(7, { type: "paths" });
	await server.until(7, "end");
	server.input.write("x".repeat(2_000_000));
	await server.served;
	expect(server.answers(0).at(-1)).toMatchObject({ message: "A request is longer than a line may be." });
});
