import { expect, test } from "vitest";
import { applyHits, goToHit } from "../../../../src/app/features/reader/search-results.ts";
import { queryOf } from "../../../support/follow-search.ts";
import { opened } from "../../../support/listed-state.ts";
import { makeRow } from "../../../support/rows.ts";
import { assistant, sessionOf, toolResult, user } from "../../../support/session-builder.ts";

const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "rg needle" } };

test("the hits are gone through in the order of the conversation, and a call and its result are one", async () => {
	const { state } = await opened();
	const session = await sessionOf(
		user("ask", null, 1, "the needle?"),
		assistant("first", "ask", 2, "A needle."),
		user("left", "first", 3, "No needle."),
		assistant("call", "ask", 4, "", [call]),
		toolResult("result", "call", 5, "a needle"),
		assistant("late", "left", 6, "Still no needle."),
		assistant("end", "result", 7, "There is the needle."),
	);
	const query = queryOf("needle");
	const { path } = session;
	const hits = [...session.lines]
		.filter(([id]) => session.tree.byId.has(id))
		.map(([entryId, line]) => {
			const kind = entryId === "call" ? ("command" as const) : ("assistant" as const);
			return { line, entryId, kind, active: true, snippet: { text: "needle", ranges: [] } };
		});
	const shown = { path, query, shown: "ask", ids: ["ask"], count: 1, complete: false };
	const reading = {
		...state,
		detail: { status: "ready" as const, row: makeRow("a", { path }), session },
		tree: { ...state.tree, selected: "ask", hits: shown },
	};
	let at = applyHits(reading, { hits, best: hits[0] });
	const order = at.tree.hits?.ids ?? [];
	expect([...order].sort()).toEqual(["ask", "end", "first", "late", "left", "result"]);
	// Each branch is gone through before the other one.
	expect(Math.abs(order.indexOf("left") - order.indexOf("late"))).toBe(1);
	expect(order.indexOf("left")).toBe(order.indexOf("first") + 1);
	expect(order.indexOf("end")).toBe(order.indexOf("result") + 1);
	const visited = order.slice(1).map(() => {
		at = goToHit(at, 1);
		return at.tree.selected;
	});
	expect(visited).toEqual(order.slice(1));
	expect(goToHit(goToHit(at, 1), -1).tree.selected).toBe(order.at(-1));
});
