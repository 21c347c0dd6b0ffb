import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRateLimited } from "../../../../src/app/core/effects/capabilities.ts";

test("work that is requested all the time leaves most of the time to other work, and is done at once if it must be", async () => {
	const times: { readonly input: string; readonly began: number; readonly ended: number }[] = [];
	const work = createRateLimited(async (input: string) => {
		const began = performance.now();
		await delay(40);
		times.push({ input, began, ended: performance.now() });
		if (input === "fails") throw new Error("no");
		return input;
	});
	expect(await work("first", true)).toBe("first");
	await expect(work("fails", true)).rejects.toThrow("no");
	expect(await work("last", true)).toBe("last");
	const pauses = times.slice(1).map(({ began }, index) => began - (times[index]?.ended ?? 0));
	for (const pause of pauses) expect(pause).toBeGreaterThan(100);
	const gentle = work("gentle", true);
	expect(await work("now", false)).toBe("now");
	expect(times.at(-1)?.input).toBe("now");
	expect(await gentle).toBe("gentle");
});
