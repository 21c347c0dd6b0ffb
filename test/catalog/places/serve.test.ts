import { once } from "node:events";
import { PassThrough } from "node:stream";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { serve } from "../../../src/catalog/places/serve.ts";

/** A command that prints its arguments and odd bytes, then waits if it is told to. */
const COMMAND = `
	const { argv, stdout, stderr } = process;
	stdout.write(Buffer.from([0xff, 0x00, 0xc3]));
	stdout.write(argv.slice(2).join(" ") + "é".repeat(argv.includes("1000000") ? 100_000 : 0));
	stderr.write("a nöte\\n");
	if (argv.includes("60")) setInterval(() => undefined, 1000);
	process.exitCode = 1;`;

type Answer = Readonly<Record<string, string | number>>;

/** A server whose commands are threads, as they are in the program. */
function start() {
	const [input, output] = [new PassThrough(), new PassThrough()];
	const started: (readonly string[])[] = [];
	let running = 0;
	const served = serve(input, output, { version: "1.2.3", home: "/home/bo", sessions: "/s" }, (args) => {
		started.push(args);
		const worker = new Worker(COMMAND, { eval: true, argv: [...args], execArgv: [], stdout: true, stderr: true });
		running += 1;
		worker.once("exit", () => {
			running -= 1;
		});
		return worker;
	});
	onTestFinished(() => {
		input.end();
		return served;
	});
	let text = "";
	output.on("data", (chunk: Buffer) => {
		text += chunk.toString("utf8");
	});
	const answers = (): Answer[] =>
		text
			.trimEnd()
			.split("\n")
			.flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
	const of = (id: number, field: string) =>
		answers().flatMap((one) => (one.id === id && field in one ? [one[field]] : []));
	return {
		...{ input, output, served, started, answers, of },
		running: () => running,
		ask: (line: object) => input.write(`${JSON.stringify(line)}\n`),
		/** All that was printed for a request, once it has ended. */
		async printed(id: number, field: "out" | "err" = "out"): Promise<Buffer> {
			await vi.waitFor(() => expect(of(id, "code")).toHaveLength(1), { timeout: 20_000 });
			return Buffer.from(of(id, field).join(""), "latin1");
		},
	};
}

test("the first line says what is there; commands run beside each other, and their bytes come as they are, in pieces", async () => {
	const server = start();
	server.ask({ id: 1, run: ["list", "--json", "--raw", "--counted"] });
	server.ask({ id: 2, run: ["search", "--json", "--limit", "1000000", "--", "mini:x --place all"] });
	const bytes = Buffer.from([0xff, 0x00, 0xc3]);
	expect(await server.printed(1)).toEqual(Buffer.concat([bytes, Buffer.from("list --json --raw --counted")]));
	expect((await server.printed(1, "err")).toString()).toBe("a nöte\n");
	const long = await server.printed(2);
	expect(long.subarray(3).toString()).toBe(`search --json --limit 1000000 -- mini:x --place all${"é".repeat(100_000)}`);
	expect(Math.max(...server.of(2, "out").map((piece) => String(piece).length))).toBeLessThanOrEqual(65_536);
	expect(server.of(1, "code")).toEqual([1]);
	expect(server.answers()[0]).toEqual({
		...{ hello: 2, oldest: 2, version: "1.2.3", home: "/home/bo", sessions: "/s" },
		now: expect.any(Number),
	});
});

test("nothing is run but what reads the sessions of this machine", async () => {
	const server = start();
	const refused: readonly (readonly string[])[] = [
		["delete", "--yes", "--", "/s/a.jsonl"],
		["bring", "--", "old:a"],
		["export", "--", "a"],
		["serve", "--stdio"],
		["constructor"],
		[],
		["list", "--place", "all"],
		["list", "--session-dir", "/etc"],
		["show", "--html", "--", "a"],
		["show", "a"],
		["show", "--", "/s/a.jsonl"],
		["show", "--json", "--", "/s/a.jsonl"],
		["files", "--json", "--", "/s/a.jsonl"],
		["show", "--raw", "--", "old:/s/a.jsonl"],
		["stats", "--json", "--", "/s/a.jsonl", "mini:/s/b.jsonl"],
		["search", "--json", "--place=all", "--", "x"],
	];
	for (const [index, run] of refused.entries()) server.ask({ id: index + 1, run });
	for (const [index] of refused.entries()) {
		expect((await server.printed(index + 1, "err")).toString()).not.toBe("");
		expect(server.of(index + 1, "code")).toEqual([2]);
	}
	server.input.write('not json\n{"id":"x","run":["list"]}\n{"id":90,"run":"list"}\n{"cancel":77}\n\n');
	server.ask({ id: 99, run: ["files", "--json"] });
	await server.printed(99);
	expect(server.started).toEqual([["files", "--json"]]);
});

test("what is canceled ends at once, and nothing more is said of it; all ends with the input, or its reader", async () => {
	const server = start();
	for (const id of [1, 2]) server.ask({ id, run: ["search", "--limit", "60", "--", "x"] });
	await vi.waitFor(() => expect(server.of(2, "err")).toHaveLength(1), { timeout: 20_000 });
	server.ask({ cancel: 1 });
	await vi.waitFor(() => expect(server.running()).toBe(1), { timeout: 20_000 });
	expect(server.of(1, "code")).toEqual([]);
	server.input.end();
	await server.served;
	expect(server.running()).toBe(0);
	const other = start();
	other.ask({ id: 1, run: ["search", "--limit", "60", "--", "x"] });
	await once(other.output, "data");
	other.output.destroy();
	await other.served;
	expect(other.running()).toBe(0);
});
