import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { COMPARE_BRANCHES_KEYS } from "../../../../src/app/features/branches/compare-keys.ts";
import { COMPARISON } from "../../../../src/app/features/branches/compare-state.ts";
import { drawBranchRow } from "../../../../src/app/features/branches/draw-branch.ts";
import { previewRows } from "../../../../src/app/features/branches/draw-path.ts";
import { drawTurn } from "../../../../src/app/features/branches/draw-turn.ts";
import { loadDifference } from "../../../../src/app/features/branches/effects/compare-effects.ts";
import { selectBranches, selectShownBranches } from "../../../../src/app/world/opened/select-branches.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { type Comparison, compareEnds } from "../../../../src/conversation/branches/compare-ends.ts";
import { runToEnd, TimeSlice } from "../../../../src/shared/steps.ts";
import { readSession, type Session } from "../../../../src/store/read/read-session.ts";
import { lineText } from "../../../../src/ui/text/line.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { branchingSession } from "../../../support/branching-session.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { makeRow, NOW } from "../../../support/rows.ts";
import { assistant, label, message, sessionOf, user } from "../../../support/session-builder.ts";
import { SYSTEMS } from "../../../support/systems.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const HOME = "/home/me";

function stateOf(session: Session, columns = 160): State {
	const state = initialState(
		{ home: HOME, cwd: "/home/me/project", demo: false, keymap: [], problems: [] },
		{ columns, rows: 45 },
		NOW,
	);
	const row = makeRow("a", { path: session.path });
	return { ...state, focus: "branches", detail: { status: "ready", row, session } };
}

function compare(one: Session, entryId: string | undefined, other: Session, otherId: string | undefined): Comparison {
	return runToEnd(
		compareEnds(
			[
				{ session: one, entryId },
				{ session: other, entryId: otherId },
			],
			HOME,
		),
	);
}

/** "Begin > Yes." for each turn of an end, "–" where the other one has more of the turn in which they part. */
function outline({ ends }: Comparison): readonly string[][] {
	return ends.map((end) =>
		end.turns.map((turn) => {
			const words = drawTurn(turn, end, { width: 60, rows: 2, selected: false, home: HOME })
				.map((line) =>
					lineText(line)
						.replace(/ {2,}\$.*/, "")
						.trim(),
				)
				.filter(Boolean);
			return words.join(" > ");
		}),
	);
}

test("a label, or what goes on with an earlier turn, moves no turn from beside the other's", async () => {
	const session = await sessionOf(
		user("a", null, 1, "Begin"),
		assistant("b", "a", 2, "Yes."),
		label("l", "b", 3, "b", "diagnosis"),
		user("c", "l", 4, "What about sliding sessions?"),
		assistant("d", "c", 5, "They slide."),
		user("e", "b", 6, "Refresh tokens"),
		assistant("f", "e", 7, "They refresh."),
		assistant("g", "b", 8, "More of the first answer."),
		user("h", "g", 9, "And then?"),
	);
	const labeled = compare(session, "f", session, "d");
	expect(outline(labeled)).toEqual([
		["Refresh tokens > They refresh."],
		["What about sliding sessions? > They slide."],
	]);
	expect(labeled.ancestor?.id).toBe("a");
	expect(outline(compare(session, "f", session, "h"))).toEqual([
		["–", "Refresh tokens > They refresh."],
		["the rest of that turn > More of the first answer.", "And then? > no answer"],
	]);
	expect(outline(compare(session, "h", session, "h"))).toEqual([[], []]);
});

test("a session and its fork are the same until they part, others have nothing in common", async () => {
	const beginning = [user("a", null, 1, "Begin"), assistant("b", "a", 2, "Yes.")];
	const parent = await sessionOf(...beginning, label("l", "b", 3, "b", "kept"), user("c", "l", 4, "Here"));
	const fork = await sessionOf(...beginning, user("x", "b", 5, "There"), assistant("y", "x", 6, "Done."));
	const comparison = compare(parent, undefined, fork, undefined);
	expect([comparison.ancestor?.id, outline(comparison)]).toEqual(["a", [["Here > no answer"], ["There > Done."]]]);
	const other = await sessionOf(user("a", null, 7, "Another"));
	const apart = compare(parent, undefined, other, undefined);
	expect([apart.ancestor, outline(apart)]).toEqual([
		undefined,
		[["Begin > Yes.", "Here > no answer"], ["Another > no answer"]],
	]);
});

test.each([24, 40, 61, 99, 100, 101, 160])(
	"no row is wider than a window of %i columns, whatever was said",
	async (columns) => {
		const odd = `日本語 👩‍👩‍👧‍👦 \u202e e\u0301\u0301 ${"x".repeat(300)}\u001b[31m\tred`;
		const session = await sessionOf(
			user("a", null, 1, odd),
			assistant("b", "a", 2, odd),
			user("c", "b", 3, odd),
			assistant("d", "c", 4, odd),
			user("e", "b", 5, odd),
			label("l", "d", 5, "d", odd),
			assistant("f", "e", 6, `# ${odd}\n\n| a | b |\n|---|---|\n| ${odd} | c |`),
		);
		const state = stateOf(session, columns);
		for (const { turns, ...end } of compare(session, "d", session, "f").ends) {
			for (const turn of turns) {
				for (const line of drawTurn(turn, { ...end, turns }, { width: columns, rows: 4, selected: true, home: HOME }))
					expect(lineWidth(line)).toBe(columns);
			}
		}
		const branches = selectBranches(state);
		const shown = selectShownBranches(state);
		if (branches === undefined || shown === undefined) throw new Error("no branches");
		for (const row of shown.rows) {
			for (const marked of [new Set<number>(), new Set([1])]) {
				expect(lineWidth(drawBranchRow(row, true, shown, { width: columns, now: NOW, marked }))).toBe(columns);
			}
		}
		for (let height = 3; height < 40; height++) {
			for (const index of branches.list.keys()) {
				const preview = previewRows(branches, index, { width: columns, height }, HOME, NOW);
				expect(preview.length).toBeLessThanOrEqual(height);
				expect(Math.max(...preview.map(({ line }) => lineWidth(line)))).toBeLessThanOrEqual(columns);
			}
		}
	},
);

test("a branch is called by whole words of its first prompt, and of the last one where there is room", async () => {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, branchingSession());
	const state = stateOf(await readSession(path));
	const shown = selectShownBranches(state);
	if (shown === undefined) throw new Error("no branches");
	const rows = (width: number): string[] =>
		shown.rows
			.slice(0, 3)
			.map((row) => lineText(drawBranchRow(row, false, shown, { width, now: NOW, marked: new Set() })));
	expect(rows(60).map((row) => row.slice(1, 45).trimEnd())).toEqual([
		"◉ Try the schema approach:…  ⚑candidate",
		"├╮   after “Try the schema approach: change",
		"│○  Try the docs… → Try the deepest…",
	]);
	expect(rows(240)[2]).toMatch(
		/^ │○ {2}Try the docs approach: .* tests say → Try the deepest approach: .* tests say {2}The deepest approach needs a migration\. /,
	);
});

test("from the active path the only other branch is compared with it, of several none", async () => {
	const beginning = [user("a", null, 1, "Begin"), assistant("b", "a", 2, "Yes."), user("c", "b", 3, "This way")];
	const two = await sessionOf(...beginning, user("d", "b", 4, "That way"));
	const three = await sessionOf(...beginning, user("d", "b", 4, "That way"), user("e", "b", 5, "Another way"));
	const key = (context: string) =>
		COMPARE_BRANCHES_KEYS.find(({ contexts }) => contexts.some((one) => one === context));
	for (const context of ["branches", "tree"] as const) {
		const stateIn = (session: Session): State => {
			const { leafId: selected } = session.tree;
			const state = stateOf(session);
			return { ...state, focus: context, tree: { ...state.tree, selected: selected ?? undefined } };
		};
		const [opened] = key(context)?.run(stateIn(two)) ?? [];
		const ends = opened && COMPARISON.of(opened).ends;
		expect([context, ends?.map(({ entryId }) => entryId)]).toEqual([context, [undefined, "c"]]);
		expect(key(context)?.needs?.(stateIn(three))).toMatch(/^Move to /);
	}
});

test("the files of two ends: what is known whole as a diff, what is not as edits, with the reason", async () => {
	const call = (id: string, parent: string, at: number, name: string, args: object) =>
		message(id, parent, at, {
			role: "assistant",
			content: [{ type: "toolCall", id: `call ${id}`, name, arguments: args }],
			model: "m",
		});
	const result = (id: string, parent: string, at: number, name: string, text: string, details?: object) =>
		message(id, parent, at, {
			role: "toolResult",
			toolCallId: `call ${parent}`,
			toolName: name,
			content: [{ type: "text", text }],
			isError: false,
			...(details && { details }),
		});
	const edit = (path: string, oldText: string, newText: string) => ({ path, edits: [{ oldText, newText }] });
	const session = await sessionOf(
		user("a", null, 1, "Begin"),
		call("b", "a", 2, "write", { path: "known.ts", content: "one\ntwo\n" }),
		result("c", "b", 3, "write", "Wrote it"),
		user("d", "c", 4, "This way"),
		call("j", "d", 4, "write", { path: "gone.ts", content: "here\n" }),
		result("k", "j", 4, "write", "Wrote it"),
		user("e", "c", 5, "That way"),
		call("f", "e", 6, "edit", edit("known.ts", "two", "three")),
		result("g", "f", 7, "edit", "Edited", { diff: " 1 one\n-2 two\n+2 three" }),
		call("h", "g", 8, "edit", edit("unknown.ts", "old", "new")),
		result("i", "h", 9, "edit", "Edited", { diff: "-7 old\n+7 new" }),
		call("l", "i", 12, "write", { path: "gone.ts", content: "there\n" }),
		result("m", "l", 13, "write", "Wrote it"),
		call("n", "m", 14, "bash", { command: "rm gone.ts" }),
		result("o", "n", 15, "bash", ""),
	);
	const store = { rowOf: () => undefined, rows: () => [] };
	const tools = { store, disk: { home: HOME }, slice: new TimeSlice(), report: () => undefined };
	const { files } = await loadDifference(compare(session, "k", session, "o"), tools as never);
	expect(files.map(({ path, kind, diffs }) => [path, kind, diffs.map(({ title }) => title)])).toEqual([
		["gone.ts", "exact", [""]],
		["known.ts", "exact", [""]],
		["unknown.ts", "edits", ["end 2 · turn 2 · edit"]],
	]);
	const [gone, known, unknown] = files;
	expect([gone?.notes, gone?.diffs[0]?.lines.map(({ kind, text }) => `${kind} ${text}`)]).toEqual([
		["It does not exist at end 2."],
		["removed here"],
	]);
	expect(known?.diffs[0]?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
		"same one",
		"removed two",
		"added three",
	]);
	expect(unknown?.notes).toEqual([
		"Not known whole: at both ends, no session had written it, or read all of it, by then.",
		"These are the edits since the two parted.",
	]);
});

test.each(SYSTEMS)(
	"on $name both ends have one row for a file that they spell differently",
	async ({ system, cwd }) => {
		const made = new EditingSession("01a10000-0000-7000-8000-00000000eeee", cwd, NOW);
		const start = made.prompt("Write it");
		const one = made.write("Compared.md", "one\n");
		made.leaf = start;
		const other = made.write("compared.md", "other\n");
		const session = await readSession(made.save(tempDir()));
		const store = { rowOf: () => undefined, rows: () => [] };
		const tools = { store, disk: { home: HOME }, slice: new TimeSlice(), report: () => undefined };
		const { files } = await loadDifference(compare(session, one, session, other), tools as never);
		const names = files.map(({ path, edits }) => [path, ...edits.map(({ length }) => length)]);
		expect(names).toEqual(
			system.ignoresCase
				? [["Compared.md", 1, 1]]
				: [
						["Compared.md", 1, 0],
						["compared.md", 0, 1],
					],
		);
	},
);
