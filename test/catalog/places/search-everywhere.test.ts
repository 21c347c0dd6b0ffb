import { expect, test } from "vitest";
import { HERE } from "../../../src/catalog/model/row.ts";
import { SearchEverywhere } from "../../../src/catalog/places/search-everywhere.ts";
import type { SearchEvent } from "../../../src/catalog/search/search.ts";
import { queryOf } from "../../support/follow-search.ts";

function start() {
	const events: SearchEvent[] = [];
	const everywhere = new SearchEverywhere(queryOf("zebra"), (event) => events.push(event));
	const stopped: string[] = [];
	return {
		everywhere,
		stopped,
		/** What was passed on since the last time. */
		told: () => events.splice(0),
		/** Adds a place with so many sessions; returns what takes its events. */
		add(name: string, total: number): (event: SearchEvent) => void {
			let take = (_: SearchEvent): void => undefined;
			everywhere.add(name, total, {
				search(_, to) {
					take = to;
					return () => stopped.push(name);
				},
			});
			return (event) => take(event);
		},
	};
}

const settled = (watched: number, inForms = false): SearchEvent => ({ type: "settled", watched, inForms });
const progress = (searched: number, total: number): SearchEvent => ({ type: "progress", searched, total });

test("without places everything is passed on as it comes", () => {
	const { add, told } = start();
	const here = add(HERE, 10);
	const other: readonly SearchEvent[] = [
		{ type: "lost", paths: ["/a"] },
		{ type: "error", message: "no" },
	];
	for (const event of [progress(3, 10), settled(0, true), settled(2), ...other]) {
		here(event);
		expect(told()).toEqual([event]);
	}
});

test("how far all are is the sum; it has settled when the last one has, for what all of them were told", () => {
	const { add, told } = start();
	const [here, mini] = [add(HERE, 10), add("mini", 5)];
	here(progress(4, 10));
	expect(told()).toEqual([progress(4, 15)]);
	here(settled(3));
	expect(told()).toEqual([]);
	mini(progress(5, 6));
	mini(settled(0, true));
	expect(told()).toEqual([progress(9, 16), settled(0, true)]);
	mini(settled(3));
	expect(told()).toEqual([settled(3)]);
});

test("a place that fails or is removed never keeps the search from settling, is ended, and may join it again", () => {
	const { add, everywhere, told, stopped } = start();
	const [here, mini] = [add(HERE, 10), add("mini", 5)];
	here(settled(3));
	here(progress(10, 10));
	told();
	everywhere.remove("mini");
	expect(told()).toEqual([progress(10, 10), settled(3)]);
	expect(stopped).toEqual(["mini"]);
	mini(settled(9));
	expect(told()).toEqual([]);
	const again = add("mini", 7);
	again(settled(4));
	expect(told()).toEqual([settled(3)]);
	again({ type: "error", message: "no" });
	expect(told()).toEqual([settled(3)]);
	everywhere.stop();
	expect(stopped).toEqual(["mini", "mini", HERE]);
});
