import { expect, test } from "vitest";
import { selectCandidates } from "../../../../src/app/features/list/candidates.ts";
import { type EditedText, editedText } from "../../../../src/ui/field/edit.ts";
import {
	acceptCandidate,
	type Candidate,
	complete,
	type Edit,
	insert,
	NOT_TYPING,
	type Typing,
	takeBack,
	undoTyping,
} from "../../../../src/ui/field/typing.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";

/** Candidates for the text from `start` on. */
function candidates(field: EditedText, start: number, ...texts: readonly string[]): Candidate[] {
	return texts.map((text) => ({
		text,
		start,
		end: field.cursor,
		meaning: `what ${text} is`,
		isWhole: !text.endsWith(":"),
	}));
}

function run(field: EditedText, ...edits: readonly Edit[]): readonly [EditedText, Typing] {
	return edits.reduce<readonly [EditedText, Typing]>(([now, typing], edit) => edit(now, typing), [field, NOT_TYPING]);
}

function shown([{ text, cursor }]: readonly [EditedText, Typing]): string {
	return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

test("a single candidate is inserted, a value with a blank behind it", () => {
	const field = editedText("bug mod");
	expect(shown(run(field, complete(candidates(field, 4, "model:"))))).toBe("bug model:|");
	const value = { text: "is:or bug", cursor: 5 };
	expect(shown(run(value, complete(candidates(value, 3, "orphan"))))).toBe("is:orphan |bug");
	expect(shown(run(value, complete(candidates(value, 3, "orphan")), takeBack))).toBe("is:or| bug");
	expect(shown(run(value, complete(candidates(value, 3, "orphan")), undoTyping))).toBe("is:or| bug");
});

test("several candidates insert their common prefix, then each of them in turn", () => {
	const field = editedText("is:b");
	const all = candidates(field, 3, "branched", "branch-old");
	const tab = complete(all);
	expect(shown(run(field, tab))).toBe("is:branch|");
	expect(shown(run(field, tab, tab))).toBe("is:branched|");
	expect(shown(run(field, tab, tab, tab))).toBe("is:branch-old|");
	expect(shown(run(field, tab, tab, tab, tab))).toBe("is:branched|");
	expect(shown(run(field, tab, complete([], -1)))).toBe("is:branch-old|");
	expect(shown(run(field, tab, tab, complete([], -1)))).toBe("is:branch-old|");
	expect(shown(run(field, tab, tab, acceptCandidate))).toBe("is:branched |");
	expect(shown(run(field, tab, tab, tab, takeBack))).toBe("is:b|");
	expect(shown(run(field, tab, tab, insert("x")))).toBe("is:branchedx|");
	expect(run(field, tab, tab, insert("x"))[1].last?.kind).toBe("type");
});

test("the typed text stays if no candidate begins with it", () => {
	const field = editedText("project:gro");
	expect(shown(run(field, complete(candidates(field, 8, "grove", "pi-grove"))))).toBe("project:gro|");
	expect(shown(run(field, complete([])))).toBe("project:gro|");
	const upper = editedText("is:BR");
	expect(shown(run(upper, complete(candidates(upper, 3, "branched", "brown"))))).toBe("is:BR|");
	expect(shown(run(upper, complete(candidates(upper, 3, "branched", "branches"))))).toBe("is:branche|");
});

test.each([40, 80, 200])("the row of candidates shows the current one, in %i columns", (columns) => {
	const field = editedText("project:");
	const names = Array.from({ length: 50 }, (_, index) => `project-${index}-日本語${"x".repeat(index)}`);
	const tab = complete(candidates(field, 8, ...names));
	let state = run(field, tab);
	for (let index = -1; index < names.length; index++) {
		const line = selectCandidates(state[1], { columns, rows: 24 }) ?? [];
		expect(lineWidth(line)).toBe(columns);
		const lit = line.filter(({ ground }) => ground === "cursor").map(({ text }) => text.trim());
		expect(lit.map((text) => text.replace(/…$/, ""))).toEqual(
			index === -1 ? [] : [expect.stringMatching(`^project-${index}-`)],
		);
		state = tab(...state);
	}
});
