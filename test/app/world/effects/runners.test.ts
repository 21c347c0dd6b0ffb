import { expect, test } from "vitest";
import { createEffectRunner, type FeatureTools } from "../../../../src/app/core/effects/run-effect.ts";
import { OUTLOOKS } from "../../../../src/app/features/history/history-state.ts";
import type { Capabilities } from "../../../../src/app/world/effects/capabilities.ts";
import { SESSION_EFFECTS, type SessionEffect } from "../../../../src/app/world/effects/sessions/session-effects.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { isChange } from "../../../../src/app/world/state/effect.ts";
import type { SearchEvent } from "../../../../src/catalog/search/search.ts";
import { someCapabilities } from "../../../support/capabilities.ts";
import { queryOf } from "../../../support/draw-tree.ts";

function runnerWith(capabilities: Capabilities, report: (action: Action) => void = () => undefined) {
	return createEffectRunner(capabilities, {} as FeatureTools, report);
}

test("effects that change sessions or hand one over run one after the other", () => {
	const types = Object.keys(SESSION_EFFECTS) as SessionEffect["type"][];
	// Going to the window that has a session changes none.
	expect(types.filter((type) => !isChange({ type } as SessionEffect))).toEqual(["go-to-use"]);
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
	const { run } = runnerWith(someCapabilities({ store: { search: (_, listener) => listener(event) } }), (action) =>
		heard.push(action),
	);
	expect(await run({ type: "search", request: 7, query: queryOf("word") })).toBeUndefined();
	expect(heard).toEqual([{ type: "search", request: 7, event }]);
});
