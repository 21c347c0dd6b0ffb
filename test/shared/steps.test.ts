import { expect, test } from "vitest";
import { MAX_BUSY_MS, runToEnd, type Steps, TimeSlice } from "../../src/shared/steps.ts";

/** Three steps that each take longer than a slice; notes each one, and its own end. */
function* longSteps(order: string[]): Steps<string> {
	try {
		for (let step = 1; step <= 3; step += 1) {
			order.push(`step ${step}`);
			const start = performance.now();
			while (performance.now() - start < MAX_BUSY_MS + 1);
			yield;
		}
		return "done";
	} finally {
		order.push("ended");
	}
}

test("the event loop turns after each step that takes long", async () => {
	const order: string[] = [];
	let turns = 0;
	const tick = () => {
		order.push("turn");
		turns += 1;
		if (turns < 3) setImmediate(tick);
	};
	setImmediate(tick);
	expect(await new TimeSlice().run(longSteps(order))).toBe("done");
	expect(order).toEqual(["step 1", "turn", "step 2", "turn", "step 3", "turn", "ended"]);
});

test("steps can be run at once, without a turn", () => {
	const order: string[] = [];
	setImmediate(() => order.push("turn"));
	expect(runToEnd(longSteps(order))).toBe("done");
	expect(order).toEqual(["step 1", "step 2", "step 3", "ended"]);
});

test("an aborted signal, of the slices or of one run, ends the steps", async () => {
	for (const make of [
		(signal: AbortSignal, order: string[]) => new TimeSlice(signal).run(longSteps(order)),
		(signal: AbortSignal, order: string[]) => new TimeSlice().run(longSteps(order), signal),
	]) {
		const controller = new AbortController();
		const order: string[] = [];
		setImmediate(() => controller.abort(new Error("another one was chosen")));
		await expect(make(controller.signal, order)).rejects.toThrow("another one was chosen");
		expect(order).toEqual(["step 1", "ended"]);
	}
});
