import { expect, test } from "vitest";
import { PlaceSessions } from "../../../src/catalog/places/listed-sessions.ts";
import { rowToWire } from "../../../src/catalog/places/wire.ts";
import { makeRow } from "../../support/rows.ts";

/** A session, and two conflict copies of it. */
function listed(): PlaceSessions {
	const sessions = new PlaceSessions("mini");
	const conflicts = [
		{ path: "/s/a.conflict.jsonl", own: 0 },
		{ path: "/s/a.conflict2.jsonl", own: 3 },
	];
	const copies = conflicts.map(({ path, own }) => makeRow("a", { path, conflictOf: { path: "/s/a.jsonl", own } }));
	const rows = [makeRow("a", { path: "/s/a.jsonl", conflicts }), ...copies];
	sessions.apply({ id: 1, type: "rows", rows: rows.map(rowToWire) });
	return sessions;
}

test("a conflict copy that is gone is no longer named by its session", () => {
	const sessions = listed();
	const gone = (path: string): readonly string[] => sessions.apply({ id: 1, type: "gone", paths: [path] });
	expect(gone("/s/a.conflict.jsonl")).toEqual(["/s/a.conflict.jsonl", "/s/a.jsonl"]);
	expect(sessions.rows.get("/s/a.jsonl")?.conflicts).toEqual([{ path: "/s/a.conflict2.jsonl", own: 3 }]);
	gone("/s/a.conflict2.jsonl");
	expect(sessions.rows.get("/s/a.jsonl")).not.toHaveProperty("conflicts");
	expect(gone("/s/a.conflict2.jsonl")).toEqual([]);
});

test("when its session is gone, a conflict copy is a session of its own", () => {
	const sessions = listed();
	expect(sessions.remove(["/s/a.jsonl"])).toHaveLength(3);
	expect([...sessions.rows.values()].map(({ path, conflictOf }) => [path, conflictOf])).toEqual([
		["/s/a.conflict.jsonl", undefined],
		["/s/a.conflict2.jsonl", undefined],
	]);
});
