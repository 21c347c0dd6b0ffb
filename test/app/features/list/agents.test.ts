import { expect, test } from "vitest";
import { candidatesFor } from "../../../../src/app/features/list/candidates.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { RunReport } from "../../../../src/catalog/families/run-report.ts";
import { NOTHING_IN_IT } from "../../../../src/catalog/model/counts.ts";
import { LISTED, makeRow } from "../../../support/rows.ts";
import { fresh, listed, pathOf, run } from "./narrowed-list.ts";

const report = (agent: string, index: number): RunReport => ({
	key: agent,
	entryId: `e-${agent}`,
	agent,
	task: "look",
	state: "done",
	runId: "r1",
	index,
});

/** Session a with the runs of a scout, which has a session, and of a writer in memory; session b. */
function known(): State {
	const rows = [
		makeRow("a", { age: 1 }),
		makeRow("s", { age: 2, run: { parent: pathOf("a"), runId: "r1", index: 0, isFork: false } }),
		makeRow("b", { age: 3 }),
	];
	const runs = [report("scout", 0), report("doc writer", 1)];
	const counted: Action = {
		type: "catalog",
		event: {
			type: "counts",
			counts: [
				[pathOf("a"), { ...NOTHING_IN_IT, runs }],
				[pathOf("s"), NOTHING_IN_IT],
				[pathOf("b"), NOTHING_IN_IT],
			],
		},
	};
	return run(fresh(), listed(rows), LISTED, counted);
}

const shown = (text: string): readonly string[] =>
	selectList(run(known(), { type: "text", text })).items.flatMap((item) => ("row" in item ? [item.row.id] : []));

test.each([
	["agent:scout", ["a", "s"]],
	["agent:writ", ["a"]],
	["-agent:writ", ["a", "s", "b"]],
	["runs:>1", ["a"]],
	["runs:0 -is:run", ["b"]],
	["agent:nobody", []],
])("%s lists %j: runs below the session that asked for them", (text, ids) => expect(shown(text)).toEqual(ids));

test("the agents that there are complete agent:, also those without a session", () => {
	const completed = (text: string) => candidatesFor(run(known(), { type: "text", text })).map((one) => one.text);
	expect(completed("agent:")).toEqual(['"doc writer"', "scout"]);
	expect(completed("agent:sc")).toEqual(["scout"]);
});
