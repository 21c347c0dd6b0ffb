import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { cleanText } from "../../../../src/ui/text/sanitize.ts";
import { textWidth } from "../../../../src/ui/text/width.ts";
import { does, header, keys, press, run, selected, shown, textOf, title, whole } from "./narrowed-list.ts";

const typed = (text: string) => ({ type: "text", text }) as const;

describe("whatever narrows the list", () => {
	test("stands before the text of the query", () => {
		expect(title(whole())).toBe("❯ type to search");
		const named = does(whole(), "named");
		expect([title(named), shown(named)]).toEqual(["❯ [named ×] type to search", "abc"]);
		const both = does(does(named, "scope-repo"), "only-waiting");
		expect([title(both), shown(both)]).toEqual(["❯ [repo ~/api ×] [named ×] [waiting ×] type to search", "bc"]);
		const unnamed = run(does(whole(), "only-waiting"), typed("-is:named"));
		expect([title(unnamed), shown(unnamed)]).toEqual(["❯ [waiting ×] -is:named counting …", "defh"]);
		const archive = does(whole(), "scope-archived");
		expect(title(archive)).toBe("❯ [archived ×] type to search");
		const project = does(whole(), "only-project");
		expect(title(project)).toBe("❯ [project ~/site ×] type to search");
		const marked = does(run(whole(), keys("insert", "insert")), "stage");
		expect([title(marked), shown(marked)]).toEqual(["❯ [2 marked ×] type to search", "ab"]);
	});

	test.each([
		["backspace at the beginning of the text", keys("backspace")],
		["escape with an empty text", keys("escape")],
	])("goes by %s, the last one first", (_, key) => {
		const both = does(does(whole(), "scope-repo"), "only-waiting");
		const one = run(both, key);
		expect([one.list.terms, one.list.scope]).toEqual([[], "repo"]);
		expect(run(one, key).list.scope).toBe("all");
		expect(run(one, key, key).list.query.text).toBe("");
	});

	test("escape clears the text first; backspace behind a letter deletes that", () => {
		const state = run(does(whole(), "named"), typed("b"));
		expect([run(state, keys("escape")).list.query.text, run(state, keys("escape")).list.terms]).toEqual([
			"",
			["is:named"],
		]);
		expect(run(state, keys("backspace")).list.terms).toEqual(["is:named"]);
		expect(run(state, keys("ctrl+a", "backspace")).list).toMatchObject({ terms: [], query: { text: "b" } });
	});

	test("is all places, too, from wherever one came to them: escape lists this machine again, as the footer says", () => {
		const state = does(whole(), "scope-everywhere");
		expect(title(state)).toBe("❯ [everywhere ×] type to search");
		expect(textOf(selectScreen(state).footer)).toContain("esc this machine");
		expect(run(state, keys("escape")).list.scope).toBe("all");
		const named = does(state, "named");
		expect(textOf(selectScreen(named).footer)).toContain("esc not only named");
		expect(run(named, keys("escape")).list).toMatchObject({ terms: [], scope: "everywhere" });
	});

	test("goes by a click on it", () => {
		const both = does(does(whole(), "scope-repo"), "only-waiting");
		expect(press(both, "[waiting").list).toMatchObject({ terms: [], scope: "repo" });
		expect(press(both, "[repo").list).toMatchObject({ terms: ["is:waiting"], scope: "all" });
		const marked = does(run(whole(), keys("insert")), "stage");
		expect(press(marked, "[1 marked").list.stage).toBeUndefined();
	});

	test("is seen at every width, and never pushes the typed text out", () => {
		const narrowed = does(does(does(whole(), "scope-repo"), "named"), "only-waiting");
		for (let columns = 40; columns <= 250; columns++) {
			const state = run(narrowed, { type: "resize", columns, rows: 24 }, typed("b"));
			const text = title(state);
			expect(text).toMatch(/❯ (\[repo( ~\/api)? ×\] )?(\[named ×\] )?\[waiting ×\] b/);
			expect(textWidth(cleanText(header(state)))).toBeLessThanOrEqual(columns);
		}
	});

	test("leaves room for the scope at every width, also where nothing is listed; a click asks for another one", () => {
		for (let columns = 40; columns <= 250; columns++) {
			const size = { type: "resize", columns, rows: 24 } as const;
			for (const state of [run(does(whole(), "scope-archived"), size), run(whole(), size, typed("no such word"))]) {
				expect(header(state)).toContain(` ${state.list.scope} ▾`);
				expect(press(state, `${state.list.scope} ▾`).overlays).toMatchObject([{ kind: "menu", title: "Show" }]);
			}
		}
	});

	test("keeps the cursor on its session where that is still listed, and starts over where it is not", () => {
		const onC = run(whole(), keys("down", "down"));
		expect(selected(does(onC, "named"))).toBe("c");
		expect(selected(run(does(onC, "named"), keys("escape")))).toBe("c");
		expect(selected(does(run(onC, keys("down", "down")), "named"))).toBe("a");
	});

	test("is named where it leaves nothing", () => {
		const none = does(whole(), "only-running");
		const rows = selectScreen(none)
			.panes.find(({ id }) => id === "list")
			?.rows.map(({ line }) => textOf(line))
			.join(" ");
		expect(rows).toMatch(/No session is running › without \[running\] +24 sessions/);
	});
});

test("the header counts what the chips and the query leave, once", () => {
	const repo = does(whole(), "scope-repo");
	expect(header(repo)).toMatch(/ 16 of 24 sessions $/);
	expect(header(run(repo, typed("is:named")))).toMatch(/ 2 of 24 sessions $/);
	expect(header(does(whole(), "named"))).toMatch(/ 3 of 24 sessions $/);
});
