import { once } from "node:events";
import { Script } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { startThread } from "../../src/shared/start-thread.ts";
import { holdV8Flags, setV8Flags } from "../../src/shared/v8-flags.ts";

let scripts = 0;
/** Another text each time, of the same length: of the same one V8 would remember the code, and not look at what it is given. */
const nextSource = (): string => `(function add(a, b) { return a + b; })(1, ${String(scripts++).padStart(9, "1")})`;
const made = new Script(nextSource()).createCachedData();

/** V8 takes compiled code only with the settings that it was made with. */
const isAsAtStart = (): boolean => new Script(nextSource(), { cachedData: made }).cachedDataRejected === false;

afterEach(() => setV8Flags({ "semi-space-growth-factor": 2, "heap-growing-percent": 0, "optimize-for-size": false }));

test("V8 has the settings of the start as long as anybody needs them, then those that were asked for last", () => {
	expect(isAsAtStart()).toBe(true);
	setV8Flags({ "semi-space-growth-factor": 1 });
	expect(isAsAtStart()).toBe(false);
	const [release, releaseOther] = [holdV8Flags(), holdV8Flags()];
	expect(isAsAtStart()).toBe(true);
	setV8Flags({ "semi-space-growth-factor": 2, "optimize-for-size": true });
	release();
	release();
	expect(isAsAtStart()).toBe(true);
	releaseOther();
	expect(isAsAtStart()).toBe(false);
	setV8Flags({ "optimize-for-size": false });
	expect(isAsAtStart()).toBe(true);
});

test("a thread starts with the settings of the start; once it runs, the others are back", async () => {
	setV8Flags({ "semi-space-growth-factor": 1, "optimize-for-size": true });
	const worker = startThread(new URL("data:text/javascript,setInterval(() => {}, 1000)"), {});
	try {
		expect(isAsAtStart()).toBe(true);
		await once(worker, "online");
		await expect.poll(isAsAtStart).toBe(false);
	} finally {
		await worker.terminate();
	}
});

test("a thread that ends before it runs leaves the settings as they were asked for", async () => {
	setV8Flags({ "heap-growing-percent": 50 });
	const worker = startThread(new URL("file:///no/such/thread.js"), {});
	const exit = new Promise((resolve) => worker.once("exit", resolve));
	worker.on("error", () => undefined);
	await exit;
	await expect.poll(isAsAtStart).toBe(false);
	expect(() => startThread(new URL("https://example.com/thread.js"), {})).toThrow();
	expect(isAsAtStart()).toBe(false);
});
