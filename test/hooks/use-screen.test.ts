import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttle } from "../../hooks/use-screen.ts";

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

test("many changes are drawn once per frame, including the last one", () => {
	for (let step = 0; step < 100; step++) {
		change();
		vi.advanceTimersByTime(1);
	}
	vi.advanceTimersByTime(100);
	// Frames of 1000 / 60 ms, which the faked clock rounds down to 16. The last one shows the change at 99 ms.
	expect(calls.map((time) => time - (calls[0] ?? 0))).toEqual([0, 16, 32, 48, 64, 80, 96, 112]);
});

test("nothing is drawn after unsubscribing", () => {
	change();
	change();
	end();
	vi.advanceTimersByTime(100);
	expect(calls).toHaveLength(1);
});
