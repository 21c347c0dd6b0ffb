import { expect, test } from "vitest";
import { createEffectRunner, type FeatureTools } from "../../../../src/app/core/effects/run-effect.ts";
import { OUTLOOKS } from "../../../../src/app/features/history/history-state.ts";
import type { Capabilities } from "../../../../src/app/world/effects/capabilities.ts";
import { SESSION_EFFECTS, type SessionEffect } from "../../../../src/app/world/effects/sessions/session-effects.ts";
import { LIST_SEARCH } from "../../../../src/app/world/list/list-search.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { isChange } from "../../../../src/app/world/state/effect.ts";
import type { Catalog } from "../../../../src/catalog/catalog.ts";
import type { SearchEvent } from "../../../../src/catalog/search/search.ts";
import { someCapabilities } from "../../../support/capabilities.ts";
import { queryOf } from "../../../support/follow-search.ts";

function runnerWith(capabilities: Capabilities, report: (action: Action) => void = () => undefined) {
	return createEffectRunner(capabilities, {} as FeatureTools, report);
}

test("effects that change sessions or hand one over run one after the other", () => {
	const types = Object.keys(SESSION_EFFECTS) as SessionEffect["type"][];
	// Finding out what files were, to ask about them, and going to the window that has a session change none.
	expect(types.filter((type) => !isChange({ type } as SessionEffect))).toEqual([
		"plan-files",
		"plan-apply",
		"plan-rewind",
		"go-to-use",
	]);
});

test("an expected error becomes a message; any other is a bug, and rejects", async () => {
	const broken = () => Promise.reject(new Error("the disk is full"));
	const { run } = runnerWith(someCapabilities({ journal: { undo: broken, outlooksOf: broken } }));
	expect(await run({ type: "undo" })).toEqual({ type: "done", message: { text: "the disk is full", tone: "error" } });
	await expect(run({ type: "load", query: OUTLOOKS.name, request: 1, key: [] })).rejects.toThrow("the disk is full");
});

test("results before the end of an effect are reported with its request", async () => {
	const heard: Action[] = [];
	const event = { type: "settled" } as unknown as SearchEvent;
	const ended: string[] = [];
	const search: Catalog["search"] = ({ text }, listener) => {
		listener(event);
		return () => ended.push(text);
	};
	const { run } = runnerWith(someCapabilities({ store: { catalog: { search } as Catalog } }), (action) =>
		heard.push(action),
	);
	const query = LIST_SEARCH.name;
	const ask = (text: string, request: number) =>
		run({ type: "load", query, request, key: { query: queryOf(text), began: 0 } });
	const [first, second] = [ask("word", 7), ask("other", 8)];
	expect(heard).toEqual(
		[7, 8].map((request) => ({ type: "loaded", query, request, outcome: { part: event }, isLast: false })),
	);
	expect([await first, ended]).toEqual([undefined, ["word"]]);
	await run({ type: "stop-load", query });
	expect([await second, ended]).toEqual([undefined, ["word", "other"]]);
});
