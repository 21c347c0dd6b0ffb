import { expect, onTestFinished, test, vi } from "vitest";
import { EventBatcher } from "../../../src/catalog/sync/event-batcher.ts";
import { makeRow } from "../../support/rows.ts";

test("a waiting row does not come after its file is gone", () => {
	const types: string[] = [];
	const events = new EventBatcher(({ type }) => types.push(type));
	const row = makeRow("a");
	events.add(row);
	events.gone([row.path]);
	events.flush();
	expect(types).toEqual(["rows", "gone"]);
});

test("rows wait for each other no longer than they may: those that only correct others may wait longer", () => {
	vi.useFakeTimers({ toFake: ["performance"] });
	onTestFinished(() => void vi.useRealTimers());
	const events = new EventBatcher(() => {});
	expect(events.add(makeRow("a"))).toBe(false);
	vi.advanceTimersByTime(60);
	expect(events.add(makeRow("b"), 2000)).toBe(false);
	expect(events.add(makeRow("c"))).toBe(true);
});
