import { expect, test } from "vitest";
import { placeOf } from "../../../src/conversation/entries/place.ts";
import { addEntry, emptySum, type Sum, sumParts } from "../../../src/conversation/entries/turn-sum.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { fixture } from "../../support/fixture.ts";
import { assistant, label, message, sessionOf, user } from "../../support/session-builder.ts";

function sumOf(session: Session, from = 0): Sum {
	const sum = emptySum();
	const place = placeOf(session, "/home/ada");
	for (const entry of session.entries.slice(from)) addEntry(sum, entry, session, place);
	return sum;
}

test("all that pi 1.5.2 writes", async () => {
	const session = await readSession(fixture("pi-1.5.2").path);
	const sum = sumOf(session);
	expect(sum).toMatchObject({ turns: 4, steps: 19, errors: 5 });
	expect([...sum.files]).toEqual([
		["src/retry.ts", "c5200009"],
		["test/retry.test.ts", "c520000b"],
	]);
	// Usage of answers, a tool, a compaction, a branch summary and a `usage` entry.
	const usages = session.entries.map((entry) => JSON.parse(JSON.stringify(entry)));
	const costs = usages.map((entry) => entry.usage ?? entry.message?.usage).map((usage) => usage?.cost.total ?? 0);
	expect(sum.cost).toBeCloseTo(costs.reduce((a, b) => a + b, 0));
	expect(costs.filter((cost) => cost > 0).length).toBeGreaterThan(10);
	expect(sumParts(sum)).toEqual(["19 steps", "5✗", "2 files", "21s", "20k sent, 950 received, 122k cached", "$0.14"]);
});

test("the time is that of the model, not of the person, nor of labels set later", async () => {
	const session = await sessionOf(
		user("a", null, 0, "one"),
		assistant("b", "a", 10, "done"),
		user("c", "b", 1000, "two"),
		assistant("d", "c", 1005, "done"),
		label("e", "d", 90_000, "d", "good"),
	);
	const sum = sumOf(session);
	expect(sum.workedMs).toBe(15_000);
	expect((sum.endMs ?? 0) - (sum.startMs ?? 0)).toBe(1_005_000);
	expect(sumParts(sum)).toEqual(["15s", "20 sent, 40 received", "$0.06"]);
	expect(sumParts(sumOf(session, 4))).toEqual([]);
});

test("an answer that failed and a command that did are errors, an aborted answer is none", async () => {
	const bash = { role: "bashExecution", command: "x", output: "", cancelled: false, truncated: false };
	const session = await sessionOf(
		message("a", null, 1, { role: "assistant", content: [], stopReason: "error", errorMessage: "529" }),
		message("b", "a", 2, { role: "assistant", content: [], stopReason: "aborted" }),
		message("c", "b", 3, { ...bash, exitCode: 1 }),
		message("d", "c", 4, { ...bash, exitCode: 0 }),
	);
	expect(sumOf(session)).toMatchObject({ errors: 2, steps: 2, turns: 0 });
});
