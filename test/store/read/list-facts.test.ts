import { expect, test } from "vitest";
import type { RawEntry } from "../../../src/store/format/raw-entry.ts";
import { emptyFacts, gatherFacts, listedFields } from "../../../src/store/read/list-facts.ts";

/** The session that one with such a header comes from. */
function originOf(header: RawEntry): string | undefined {
	const facts = emptyFacts();
	gatherFacts(facts, { type: "session", id: "x", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w", ...header });
	return listedFields(facts, 0).parentSession;
}

test("the session that one was forked from, in all versions of pi", () => {
	expect(originOf({ parentSession: "/s/a.jsonl" })).toBe("/s/a.jsonl");
	// pi 0.12 to 0.29
	expect(originOf({ branchedFrom: "/s/a.jsonl" })).toBe("/s/a.jsonl");
	expect(originOf({ parentSession: "/s/b.jsonl", branchedFrom: "/s/a.jsonl" })).toBe("/s/b.jsonl");
	for (const damaged of [{}, { parentSession: 7 }, { branchedFrom: null }]) expect(originOf(damaged)).toBeUndefined();
});
