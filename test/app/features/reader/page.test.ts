import { beforeAll, describe, expect, test } from "vitest";
import { turnAt, turnStarts } from "../../../../src/conversation/entries/turns.ts";
import { readSession, type Session } from "../../../../src/store/read/read-session.ts";
import { fixture } from "../../../support/fixture.ts";
import { readingOf, textOfLine } from "../../../support/reader.ts";

let session: Session;
beforeAll(async () => {
	session = await readSession(fixture("conversation").path);
});

test("turns begin with prompts", () => {
	const starts = turnStarts(session.entries);
	expect(starts.map((index) => session.entries[index]?.type)).toEqual(starts.map(() => "message"));
	expect([turnAt(session.entries, 0), turnAt(session.entries, starts[0] ?? -1)]).toEqual([0, 1]);
	expect(turnAt(session.entries, session.entries.length)).toBe(starts.length);
});

describe("the margin of a full page", () => {
	const margins = (page: boolean) => {
		const document = readingOf(session, { options: { page } });
		return session.entries.flatMap((_, entry) =>
			document
				.pieces(entry)
				.flatMap((__, piece) => document.rows(entry, piece))
				.flatMap(({ margin = [] }) => (margin.length === 0 ? [] : [textOfLine(margin)])),
		);
	};

	test("shows turns with their times, and labels, each once", () => {
		expect(margins(true)).toEqual([
			"turn 1  9:00",
			"⚑ diagnosis",
			"turn 2  9:00",
			"turn 3  9:00",
			"turn 4  9:00",
			"turn 5  12:00",
			"⚑ works",
			"turn 6  12:01",
		]);
	});

	test("does not exist in a pane, where labels and times are at the right", () => {
		expect(margins(false)).toEqual([]);
	});
});
