import { expect, test } from "vitest";
import { describeOutcome, eachSession } from "../../../src/changes/engine/each-session.ts";
import { createLongWork } from "../../../src/changes/engine/long-work.ts";
import { CannotError } from "../../../src/changes/reason.ts";

const nameOf = (item: number): string => `“${item}”`;

test("what fails does not keep the others from being done, and is told with its reason alone", async () => {
	const one = async (item: number): Promise<number> => {
		if (item % 2 === 0) throw new CannotError(`archive ${nameOf(item)}`, new Error("The disk is full."));
		return item;
	};
	const outcome = await eachSession(
		[1, 2, 3, 4],
		"Archiving",
		{ nameOf, one },
		createLongWork(() => undefined),
	);
	expect([outcome.count, outcome.done, outcome.left]).toEqual([4, [1, 3], 0]);
	expect(describeOutcome(outcome, { changed: 2, done: "Archived 2 of 4 sessions", left: "" })).toEqual({
		text: "Archived 2 of 4 sessions; 2 failed: “2”, “4”: The disk is full",
		tone: "warning",
		undoing: "undoes this",
	});
	expect(describeOutcome(outcome, { changed: 0, done: "Nothing was done", left: "" }).tone).toBe("error");
});

test("it stops between two; what was done stays done, and what is left is counted", async () => {
	const work = createLongWork(() => undefined);
	const one = async (item: number): Promise<number> => {
		if (item === 2) work.stop();
		return item;
	};
	const outcome = await eachSession([1, 2, 3, 4, 5], "Archiving", { nameOf, one }, work);
	expect([outcome.done, outcome.left]).toEqual([[1, 2], 3]);
	const told = { changed: 2, done: "Archived 2 of 5 sessions", left: "unchanged", notes: ["1 had none"] };
	expect(describeOutcome(outcome, { ...told, made: [{ unnoted: new Error("the disk is full.") }] })).toEqual({
		text: "Stopped: Archived 2 of 5 sessions; 3 unchanged; 1 had none; undo may not know of it, since the disk is full",
		tone: "warning",
	});
});

test("work that begins while other work is under way does not forget that the person has stopped that", async () => {
	const work = createLongWork(() => undefined);
	const first = work.begin("Archiving", 2);
	work.stop();
	const second = work.begin("Saving as Markdown", 2);
	expect([await first.goesOn(1), await second.goesOn(1)]).toEqual([false, true]);
	work.stop();
	expect(await second.goesOn(1)).toBe(false);
});
