import { expect, test } from "vitest";
import { HERE } from "../../../src/catalog/model/row.ts";
import { SearchEverywhere } from "../../../src/catalog/places/search-everywhere.ts";
import type { SearchEvent } from "../../../src/catalog/search/search.ts";

function start() {
	const events: SearchEvent[] = [];
	const everywhere = new SearchEverywhere("zebra", (event) => events.push(event));
	/** What was passed on since the last time. */
	const told = () => events.splice(0);
	return { everywhere, told };
}

const settled = (watched: number, inForms = false): SearchEvent => ({ type: "settled", watched, inForms });
const progress = (searched: number, total: number): SearchEvent => ({ type: "progress", searched, total });
const lost: SearchEvent = { type: "lost", paths: ["/a"] };
const error: SearchEvent = { type: "error", message: "no" };

test("without places everything is passed on as it comes", () => {
	const { everywhere, told } = start();
	const here = everywhere.add(HERE, 10);
	for (const event of [progress(3, 10), lost, settled(0, true), settled(2), error]) {
		here(event);
		expect(told()).toEqual([event]);
	}
});

test("how far all are is the sum; it has settled when the last one has, for what all of them were told", () => {
	const { everywhere, told } = start();
	const [here, mini] = [everywhere.add(HERE, 10), everywhere.add("mini", 5)];
	here(progress(4, 10));
	expect(told()).toEqual([progress(4, 15)]);
	here(settled(3));
	expect(told()).toEqual([]);
	mini(progress(5, 6));
	mini(settled(0, true));
	expect(told()).toEqual([progress(9, 16), settled(0, true)]);
	mini(settled(3));
	expect(told()).toEqual([settled(3)]);
	// Not for an earlier number of what is visible.
	mini(settled(-1));
	expect(told()).toEqual([]);
	everywhere.settle("mini", 4);
	expect(told()).toEqual([settled(3)]);
	here(settled(4));
	expect(told()).toEqual([settled(4)]);
});

test("one that fails counts as searched, and never keeps the search from settling", () => {
	const { everywhere, told } = start();
	const here = everywhere.add(HERE, 10);
	const asked: { readonly take: (event: SearchEvent) => void; readonly signal: AbortSignal }[] = [];
	const link = {
		place: { name: "mini" },
		sessions: { rows: { size: 5 } },
		async search(words: string, take: (event: SearchEvent) => void, signal: AbortSignal) {
			expect(words).toBe("zebra");
			asked.push({ take, signal });
		},
	};
	everywhere.ask(link);
	everywhere.ask(link);
	expect(asked.length).toBe(1);
	const mini = (event: SearchEvent) => asked[0]?.take(event);
	here(settled(1));
	mini(error);
	expect(told()).toEqual([progress(5, 15), settled(1)]);
	// It is asked about nothing that becomes visible, whether or not it is its own.
	everywhere.settle("mini", 2);
	expect(told()).toEqual([]);
	here(settled(7));
	expect(told()).toEqual([settled(7)]);
	// Tried again, it takes part from the beginning, and what the earlier one still says is nothing.
	everywhere.ask(link);
	expect(asked.length).toBe(2);
	mini(settled(9));
	here(settled(8));
	expect(told()).toEqual([]);
	asked[1]?.take(settled(8));
	expect(told()).toEqual([settled(8)]);
	everywhere.stop();
	expect(asked.every(({ signal }) => signal.aborted)).toBe(true);
});

test("one that joins late is waited for; one that is removed is not", () => {
	const { everywhere, told } = start();
	const here = everywhere.add(HERE, 2);
	here(settled(0));
	told();
	const mini = everywhere.add("mini", 5);
	here(settled(1));
	expect(told()).toEqual([]);
	// It has not settled yet: it is asked, or will be.
	everywhere.settle("mini", 1);
	expect(told()).toEqual([]);
	everywhere.remove("mini");
	expect(told()).toEqual([progress(0, 2), settled(1)]);
	mini(error);
	mini(lost);
	everywhere.fail("mini");
	everywhere.remove("mini");
	expect(told()).toEqual([]);
});
