import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { chooseCompared } from "../../../../src/app/features/branches/branches-keys.ts";
import { selectComparison } from "../../../../src/app/features/branches/compare.ts";
import { drawBranchRow } from "../../../../src/app/features/branches/draw-branch.ts";
import { previewRows } from "../../../../src/app/features/branches/draw-path.ts";
import { selectBranches, selectShownBranches } from "../../../../src/app/world/opened/select-branches.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { readSession, type Session } from "../../../../src/store/read/read-session.ts";
import type { Line } from "../../../../src/ui/text/line.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { branchingSession } from "../../../support/branching-session.ts";
import { rowTexts } from "../../../support/drawn-rows.ts";
import { makeRow, NOW } from "../../../support/rows.ts";
import { assistant, label, sessionOf, user } from "../../../support/session-builder.ts";
import { tempDir } from "../../../support/temp-dir.ts";

function stateOf(session: Session, columns = 160): State {
	const state = initialState(
		{ home: "/home/me", cwd: "/home/me/project", demo: false, keymap: [], problems: [] },
		{ columns, rows: 45 },
		NOW,
	);
	const row = makeRow("a", { path: session.path });
	return { ...state, focus: "branches", detail: { status: "ready", row, session } };
}

async function nested(): Promise<Session> {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, branchingSession());
	return readSession(path);
}

function compared(state: State, left: string, right: string): State {
	const branches = selectBranches(state);
	const end = (name: string): string => branches?.list.find((branch) => branch.name.includes(name))?.id ?? "";
	return { ...state, branches: { ...state.branches, compared: [end(left), end(right)] } };
}

const textOf = (rows: readonly { readonly line: Line }[]): string[] => rowTexts(rows.map(({ line }) => line));

test("two branches are shown side by side from their common ancestor, turn by turn", async () => {
	const state = compared(stateOf(await nested()), "types", "schema");
	const rows = textOf(selectComparison(state)?.rowsTo(1000) ?? []);
	const [left, right] = [0, 1].map((side) => rows.map((row) => row.split(" │")[side]?.trim() ?? ""));
	expect(left?.slice(0, 4)).toEqual([
		"both come from: The base approach works; go on.",
		"",
		"1 types",
		"2 turns · 4 steps · 1✗ · 2 files +4 −2 · 10m · 60→ 120↓ · $0.18",
	]);
	expect(left).toContain("src/schema.ts +2 −1  both");
	expect(right).toContain("src/schema.ts +2 −1  both");
	expect(right).toContain("src/polish.ts +2 −1");
	for (const [ours, theirs] of [
		["retry", "schema"],
		["types", "final"],
	]) {
		const at = left?.findIndex((row) => row.startsWith(`❯ Try the ${ours}`)) ?? -1;
		expect(right?.[at]).toMatch(`❯ Try the ${theirs}`);
	}
});

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
	const rowsOf = (...ends: readonly [string, string]): readonly (readonly string[])[] => {
		const start = stateOf(session);
		const state = { ...start, branches: { ...start.branches, compared: ends } };
		return textOf(selectComparison(state)?.rowsTo(1000) ?? []).map((row) => row.split(" │").map((side) => side.trim()));
	};
	const at = (rows: readonly (readonly string[])[], text: string): number =>
		rows.findIndex((sides) => sides.some((side) => side.startsWith(`❯ ${text}`)));
	const labeled = rowsOf("f", "d");
	expect(at(labeled, "Refresh tokens")).toBeGreaterThan(0);
	expect(at(labeled, "Refresh tokens")).toBe(at(labeled, "What about sliding"));
	expect(JSON.stringify(labeled)).not.toContain("⚑ diagnosis on");
	const going = rowsOf("f", "h");
	expect(at(going, "And then?")).toBe(at(going, "Refresh tokens"));
	expect(going.findIndex(([, right]) => right === "More of the first answer.")).toBeLessThan(at(going, "And then?"));
});

test("in a narrow window each turn of one is above that of the other", async () => {
	const state = compared(stateOf(await nested(), 60), "types", "schema");
	const rows = textOf(selectComparison(state)?.rowsTo(1000) ?? []);
	const prompts = rows.flatMap((row) => /❯ Try the (\w+)/.exec(row)?.[1] ?? []);
	expect(prompts).toEqual(["retry", "schema", "types", "final", "polish"]);
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
		const start = stateOf(session, columns);
		const state: State = { ...start, branches: { ...start.branches, compared: ["d", "f"] } };
		const rows = selectComparison(state)?.rowsTo(1000) ?? [];
		expect(rows.length).toBeGreaterThan(8);
		expect(Math.max(...rows.map(({ line }) => lineWidth(line)))).toBeLessThanOrEqual(columns);
		const branches = selectBranches(state);
		const shown = selectShownBranches(state);
		if (branches === undefined || shown === undefined) throw new Error("no branches");
		for (const row of shown.rows) {
			for (const marked of [undefined, 1]) {
				expect(lineWidth(drawBranchRow(row, true, shown, { width: columns, now: NOW, marked }))).toBe(columns);
			}
		}
		for (let height = 3; height < 40; height++) {
			for (const index of branches.list.keys()) {
				const preview = previewRows(branches, index, { width: columns, height }, "/home/me", NOW);
				expect(preview.length).toBeLessThanOrEqual(height);
				expect(Math.max(...preview.map(({ line }) => lineWidth(line)))).toBeLessThanOrEqual(columns);
			}
		}
	},
);

test("a branch is chosen out of the two, and has the cursor then", async () => {
	const state = compared(stateOf(await nested()), "types", "schema");
	const [first, second] = state.branches.compared ?? [];
	expect(first).not.toBe(second);
	for (const [which, id] of [
		[0, first],
		[1, second],
	] as const) {
		const { branches } = chooseCompared(state, which);
		expect([branches.compared, branches.selected]).toEqual([undefined, id]);
	}
});
