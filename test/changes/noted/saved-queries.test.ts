import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeChange } from "../../../src/changes/engine/make-change.ts";
import type { ChangesTools } from "../../../src/changes/engine/tools.ts";
import { openJournal } from "../../../src/changes/journal/journal.ts";
import {
	applySaved,
	openSavedFile,
	type ReadSaved,
	type SavedChange,
} from "../../../src/changes/noted/saved-queries.ts";
import { caseCount } from "../../support/cases.ts";
import { madeChanges } from "../../support/made-changes.ts";
import { tempDir } from "../../support/temp-dir.ts";

function savedIn(directory = tempDir()) {
	const path = join(directory, "state", "pi-grove", "queries.jsonl");
	return { path, saved: openSavedFile(path), other: openSavedFile(path) };
}

const put = (name: string, text: string): SavedChange => ({ name, text });
const drop = (name: string): SavedChange => ({ name, text: null });
const shown = ({ queries }: ReadSaved) => Object.fromEntries(queries.map(({ name, text }) => [name, text]));

test("each name has one query, whichever window gave it; a name in other letters is the same", () => {
	const { saved, other } = savedIn();
	saved.append("1", [put("Flaky", "error"), put("last week", "since:7d")]);
	// What version 0.2.0 noted besides is no problem.
	other.append("2", [put("flaky", "is:branched"), { shown: false }]);
	saved.append("3", [drop("LAST WEEK"), put("this week", "since:1d")]);
	expect(shown(other.read())).toEqual({ flaky: "is:branched", "this week": "since:1d" });
	expect(saved.read().problems).toEqual([]);
});

test("taking back leaves what others have changed since", () => {
	const { saved, other } = savedIn();
	saved.append("1", [put("a", "one")]);
	saved.append("2", [put("a", "two"), put("b", "new"), drop("c")]);
	other.append("3", [put("b", "newer")]);
	saved.takeBack("2");
	expect(shown(saved.read())).toEqual({ a: "one", b: "newer" });
	saved.takeBack("2");
	saved.takeBack("never");
	expect(shown(saved.read())).toEqual({ a: "one", b: "newer" });
});

test("a renamed one has its name back, and a deleted one is there again", () => {
	const { saved } = savedIn();
	saved.append("1", [put("old", "text")]);
	saved.append("2", [drop("old"), put("new", "text")]);
	saved.takeBack("2");
	expect(shown(saved.read())).toEqual({ old: "text" });
	saved.append("3", [drop("old"), put("OLD", "text")]);
	saved.takeBack("3");
	expect(shown(saved.read())).toEqual({ old: "text" });
	saved.append("4", [drop("old")]);
	saved.takeBack("4");
	expect(shown(saved.read())).toEqual({ old: "text" });
});

const change = fc.oneof(
	fc.record({ name: fc.constantFrom("a", "b", "C", "c"), text: fc.constantFrom("one", "two", null) }),
	fc.record({ shown: fc.boolean() }),
);

test("what was noted last is taken back whole", () => {
	fc.assert(
		fc.property(
			fc.array(change, { maxLength: 8 }),
			fc.array(change, { minLength: 1, maxLength: 4 }),
			(before, last) => {
				const { saved } = savedIn();
				saved.append("before", before);
				saved.append("last", last);
				saved.takeBack("last");
				expect(saved.read().queries).toEqual(applySaved([], before));
			},
		),
		{ numRuns: caseCount(20) },
	);
});

describe("what is wrong with the file", () => {
	test("damaged lines and lines of a newer version are reported, kept and ignored", () => {
		const { path, saved } = savedIn();
		saved.append("1", [put("a", "one")]);
		const odd = [
			'{"version":1,"tok',
			'{"version":2,"star":"b"}',
			"[]",
			'{"version":1,"token":"y","changes":[{"name":1}]}',
		];
		appendFileSync(path, `${odd.join("\n")}\n`);
		saved.append("2", [put("b", "two")]);
		const read = saved.read();
		expect(shown(read)).toEqual({ a: "one", b: "two" });
		expect(read.problems).toEqual([
			`Line 2 of ${path} cannot be read (and 2 more like it): it is kept but ignored, so a saved query may be missing.`,
			`Line 3 of ${path} was written by a newer version of pi-grove: it is kept but ignored, so a saved query may be missing.`,
		]);
		for (const line of odd) expect(readFileSync(path, "utf8")).toContain(`\n${line}\n`);
	});

	test("where it cannot be written nothing is saved, and the journal has nothing to undo", async () => {
		const { path, saved } = savedIn();
		mkdirSync(path, { recursive: true });
		const notes = join(dirname(path), "journal.jsonl");
		const journal = openJournal({ path: notes, root: "/sessions" });
		const effect = {
			type: "save-query",
			what: "save the query “a”",
			done: "Saved",
			changes: [put("a", "one")],
		} as const;
		const tools: Partial<ChangesTools> = { journal, saved, titleOf: () => undefined, refresh: () => undefined };
		// Saving a query needs no more.
		await expect(makeChange(effect, tools as ChangesTools)).rejects.toThrow(
			/^Cannot save the query “a”: the saved queries cannot be written: it is a directory/,
		);
		expect(await madeChanges(notes, "/sessions")).toEqual([]);
		expect(saved.read().problems).toEqual([expect.stringMatching(/^The saved queries cannot be read: /)]);
	});
});
