import { expect, test } from "vitest";
import { applyHits, goToHit, reconcileHits } from "../../../../src/app/features/reader/search-results.ts";
import { selectTreePane } from "../../../../src/app/features/tree/tree-pane.ts";
import { chosenFilter } from "../../../../src/app/world/state/opened-state.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
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
	const shown = { path, query, shown: "ask", ids: ["ask"], complete: false };
	const reading = {
		...state,
		detail: { status: "ready" as const, row: makeRow("a", { path }), session },
		tree: { ...state.tree, selected: "ask", hits: shown },
	};
	// The better hit that is found meanwhile is shown beside the list, but whoever has opened the session stays.
	const better = { hits, best: hits.find(({ entryId }) => entryId === "end") };
	expect(applyHits({ ...reading, focus: "list" }, better).tree.selected).toBe("end");
	expect(applyHits({ ...reading, focus: "tree" }, better).tree.selected).toBe("ask");
	let at = applyHits(reading, { hits, best: hits[0] });
	// The row of the call and its result has two.
	expect(at.tree.hits?.ids.toSorted()).toEqual(["ask", "end", "first", "late", "left", "result", "result"]);
	const order = [...new Set(at.tree.hits?.ids)];
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

test("the row of a hit shows the line that has it, not the last one of the output", async () => {
	const { state } = await opened();
	const session = await sessionOf(
		user("ask", null, 1, "Test it"),
		assistant("call", "ask", 2, "", [{ ...call, arguments: { command: "npm test" } }]),
		toolResult("result", "call", 3, "begin\nthe needle\nmore\n12 passed"),
		toolResult("other", "result", 4, "no hit\n3 passed"),
	);
	const shown = { path: session.path, query: queryOf("needle"), shown: "result", complete: true };
	const reading = (ids: readonly string[]): State => ({
		...state,
		detail: { status: "ready", row: makeRow("a", { path: session.path }), session },
		tree: { ...state.tree, hits: { ...shown, ids } },
	});
	const rowsOf = (ids: readonly string[]): string[] =>
		selectTreePane(reading(ids), { x: 0, y: 2, width: 70, height: 9 }).rows.map(({ line }) =>
			line.map(({ text, tone }) => (tone === "match" ? `[${text}]` : text)).join(""),
		);
	expect(rowsOf([])).toContainEqual(expect.stringContaining("$ npm test  12 passed"));
	const found = rowsOf(["result"]);
	expect(found).toContainEqual(expect.stringMatching(/\$ npm test {2}.*the \[needle\] more/));
	expect(found).toContainEqual(expect.stringContaining("3 passed"));
});

test("a filter in which the session was left gives way to the active path if it hides the hit, and comes back without a search", async () => {
	const { state } = await opened();
	const session = await sessionOf(user("ask", null, 1, "the needle?"), assistant("end", "ask", 2, "A needle."));
	const hitOf = (entryId: string) => {
		return { line: 1, entryId, kind: "assistant" as const, active: true, snippet: { text: "needle", ranges: [] } };
	};
	const hits = { path: session.path, query: queryOf("needle"), shown: "ask", ids: ["ask"], complete: false };
	const reading = {
		...state,
		detail: { status: "ready" as const, row: makeRow("a", { path: session.path }), session },
		tree: { ...state.tree, selected: "ask", filter: "user-only" as const, hits },
		focus: "list" as const,
	};
	expect(applyHits(reading, { hits: [hitOf("ask")], best: hitOf("ask") }).tree.filter).toBe("user-only");
	const widened = applyHits(reading, { hits: [hitOf("ask"), hitOf("end")], best: hitOf("end") });
	expect(widened.tree).toMatchObject({ filter: "default", selected: "end", hits: { hiddenBy: "user-only" } });
	expect(chosenFilter(widened.tree)).toBe("user-only");
	expect(reconcileHits(widened).tree).toMatchObject({ filter: "user-only", hits: undefined });
});

test("a hit that is known only after the name of its session is gone to, unless the person had come back to a place", async () => {
	const { state } = await opened();
	const session = await sessionOf(user("ask", null, 1, "the needle?"), assistant("end", "ask", 2, "Done."));
	const hit = { line: 1, entryId: "ask", kind: "user" as const, active: true };
	const best = { ...hit, snippet: { text: "needle", ranges: [] } };
	const hits = { path: session.path, query: queryOf("needle"), shown: undefined, ids: [], complete: false };
	const reading = {
		...state,
		detail: { status: "ready" as const, row: makeRow("a", { path: session.path }), session },
		tree: { ...state.tree, selected: undefined, hits },
	};
	expect(applyHits(reading, { hits: [best], best }).tree.selected).toBe("ask");
	const back = { ...reading, tree: { ...reading.tree, hits: { ...hits, stays: true as const } } };
	expect(applyHits(back, { hits: [best], best }).tree.selected).toBeUndefined();
});
