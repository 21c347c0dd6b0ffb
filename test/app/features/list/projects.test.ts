import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { projectNames } from "../../../../src/app/world/list/projects.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { keys, startOf, stateAfter } from "../../../support/listed-state.ts";
import { LISTED, makeRow } from "../../../support/rows.ts";

const rows = ["/home/me/api", "/home/me/site", "/home/me/api", "/srv/api", "/home/me/notes"].map((cwd, index) =>
	makeRow(`s${index}`, { age: 60 * index, cwd }),
);

const listed = (columns: number, lines: number): State =>
	stateAfter(
		startOf({ columns, rows: lines }, { cwd: "/home/me/site" }),
		{ type: "catalog", event: { type: "rows", rows } },
		LISTED,
	);
const body = (state: State): string[] => {
	const { overlay } = selectScreen(state);
	return (overlay?.kind === "help" ? overlay.body : []).map((line) =>
		line
			.map(({ text }) => text)
			.join("")
			.trimEnd(),
	);
};

describe("the page of all projects", () => {
	test("shows the number and age of the sessions of each, the latest first, the one of the cursor highlighted", () => {
		const open = stateAfter(listed(100, 24), keys("end", "<projects>"));
		expect(body(open).slice(0, 5)).toEqual([
			"❯ type to find a project",
			expect.stringMatching(/^ {2}me\/api {5}~\/api +2 sessions {3}now$/),
			expect.stringMatching(/^ {2}site {4}◂ {2}~\/site +1 session {5}1h$/),
			expect.stringMatching(/^ {2}srv\/api {4}\/srv\/api +1 session {5}3h$/),
			expect.stringMatching(/^› notes {6}~\/notes +1 session {5}4h$/),
		]);
	});

	test("filters by the typed text; enter shows only that project, escape changes nothing", () => {
		const open = stateAfter(listed(100, 24), keys("<projects>"), { type: "text", text: "api srv" });
		expect(body(open)[1]).toMatch(/^› srv\/api/);
		const chosen = stateAfter(open, keys("enter"));
		expect([chosen.overlays, chosen.list.scope, selectList(chosen).rows.map(({ row }) => row.id)]).toEqual([
			[],
			"project",
			["s3"],
		]);
		const closed = stateAfter(open, keys("escape"));
		expect([closed.overlays, closed.list.scope, closed.list.selected]).toEqual([[], "all", rows[0]?.path]);
		expect(stateAfter(chosen, keys("<only-project>")).list.scope).toBe("all");
	});

	test("says when nothing matches; enter does nothing then", () => {
		const open = stateAfter(listed(100, 24), keys("<projects>"), { type: "text", text: "nowhere" });
		expect(body(open)[1]).toBe("No project matches");
		expect(stateAfter(open, keys("enter")).overlays).toEqual(open.overlays);
	});

	test.each([
		[40, 10],
		[80, 24],
		[200, 60],
	])("fits in %i×%i, with the highlighted one in sight", (columns, lines) => {
		const many = Array.from({ length: 300 }, (_, index) => makeRow(`m${index}`, { age: index, cwd: `/p/${index}` }));
		const state = stateAfter(listed(columns, lines), { type: "catalog", event: { type: "rows", rows: many } });
		for (const key of ["end", "pageUp", "home", "down"]) {
			const open = stateAfter(state, keys("<projects>", key));
			const { overlay } = selectScreen(open);
			expect(overlay === undefined ? 0 : overlay.y + overlay.height).toBeLessThanOrEqual(lines);
			expect(body(open).filter((line) => line.startsWith("›"))).toHaveLength(1);
		}
	});
});

test("a project is named after its last folder, or the last two if that is ambiguous", () => {
	const { names } = projectNames(new Map(rows.map((row) => [row.path, row])));
	expect([...names].map(([directory, { text }]) => `${directory} ${text}`)).toEqual(
		expect.arrayContaining(["/home/me/api me/api", "/srv/api srv/api", "/home/me/site site"]),
	);
	const odd = ["", "/", "C:\\work\\x", "/a/b\u0007\u200bc", ".."].map((cwd, index) => makeRow(`o${index}`, { cwd }));
	expect([...projectNames(new Map(odd.map((row) => [row.path, row]))).names.values()].map(({ text }) => text)).toEqual(
		expect.arrayContaining(["–", "/", "x", "b␇c", ".."]),
	);
});
