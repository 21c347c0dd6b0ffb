import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttle } from "../../src/shared/throttle.ts";

let calls: number[];
let change: () => void;
let end: () => void;

beforeEach(() => {
	vi.useFakeTimers();
	calls = [];
	const listeners = new Set<() => void>();
	change = () => {
		for (const listener of listeners) listener();
	};
	end = throttle(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => calls.push(performance.now()),
	);
});
afterEach(() => vi.useRealTimers());

test("the first change is drawn at once", () => {
	change();
	expect(calls).toHaveLength(1);
});

test("many changes are drawn once a frame, the last one included", () => {
	for (let step = 0; step < 100; step++) {
		change();
		vi.advanceTimersByTime(1);
	}
	expect(calls.length).toBeLessThanOrEqual(8);
	const last = calls.length;
	change();
	vi.advanceTimersByTime(20);
	expect(calls.length).toBeGreaterThan(last);
	const gaps = calls.slice(1).map((time, index) => time - (calls[index] ?? 0));
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(16);
});

test("nothing is drawn after the end", () => {
	change();
	change();
	end();
	vi.advanceTimersByTime(100);
	expect(calls).toHaveLength(1);
});
