import { describe, expect, test } from "vitest";
import { screenRules, titleRoom } from "../../src/ui/pane-title.ts";
import { cleanText } from "../../src/ui/text/sanitize.ts";
import { cutLine } from "../../src/ui/text/width.ts";
import { textOfLine } from "../support/reader.ts";
import { line, pane, screen } from "../support/views.ts";

describe.each([0, 20])("a pane at column %d", (x) => {
	/** Its rule, with the title cut to the room for it. */
	function ruleOf(title: string, position: string): string {
		const shown = cleanText(position);
		const box = { x, y: 2, width: 40, height: 10 };
		const cut = cutLine(line(title), titleRoom(box, shown));
		const panes = [pane({ id: "tree", ...box, title: cut, position: shown })];
		return textOfLine(screenRules(screen(60, 14, { panes }))[0]?.line ?? []);
	}

	test.each(["", "x", "x".repeat(28), "x".repeat(29), "x".repeat(30), "x".repeat(200)])(
		"has its position beside any title: %s",
		(title) => {
			const rule = ruleOf(title, "7 %");
			expect(rule.length).toBe(x === 0 ? 40 : 41);
			expect(rule).toMatch(/─ 7 % ─$/);
		},
	);

	test("a title without a position is followed by a piece of the rule", () => {
		expect(ruleOf("x".repeat(200), "")).toMatch(/x… ─+$/);
	});
});
