import { Box } from "ink";
import { render } from "ink-testing-library";
import type { ReactElement } from "react";
import { describe, expect, test } from "vitest";
import { LineText, Menu, Pane } from "../../components/Screen.tsx";
import type { AppPane } from "../../src/app/world/state/state.ts";
import { span } from "../../src/ui/text/line.ts";
import { cleanText } from "../../src/ui/text/sanitize.ts";
import type { MenuView } from "../../src/ui/view.ts";
import { pane } from "../support/views.ts";

/** The output of a component, without styles. */
function drawn(node: ReactElement): string[] {
	const { lastFrame, unmount } = render(node);
	const frame = lastFrame() ?? "";
	unmount();
	return frame.replace(/\u001b\[[\d;]*m/g, "").split("\n");
}

describe("LineText", () => {
	test("draws its spans side by side", () => {
		expect(drawn(<LineText line={[span("user ", "prompt"), span("hello")]} />)).toEqual(["user hello"]);
	});
	test("takes one row when it is empty", () => {
		const between = (
			<Box flexDirection="column">
				<LineText line={[span("above")]} />
				<LineText line={[]} />
				<LineText line={[span("below")]} />
			</Box>
		);
		expect(drawn(between)).toEqual(["above", "", "below"]);
	});
	test("takes one row when it is too long", () => {
		expect(drawn(<LineText line={[span("x".repeat(300))]} />)).toHaveLength(1);
	});
});

describe("Pane", () => {
	const row = { key: "a", line: [span("a session")], selected: true };
	const view = pane({ id: "list", x: 0, y: 0, width: 20, height: 2, rows: [row] });
	const drawnPane = (fields: Partial<AppPane>): string[] =>
		drawn(
			<Box width={30} height={5}>
				<Pane pane={{ ...view, ...fields }} />
			</Box>,
		);
	test("fills its width under the cursor", () => {
		expect(drawnPane({ focused: true })[0]).toBe("a session".padEnd(20));
	});
	test("is drawn the same without the focus", () => {
		expect(drawnPane({})[0]?.trimEnd()).toBe("a session");
	});
	test("cuts what is wider and leaves out what is below its last row", () => {
		const long = { ...row, selected: false, line: [span("日本語".repeat(9), "error")] };
		const shown = drawnPane({ rows: [long, long, long] });
		expect(shown).toEqual(["日本語日本語日本語…", "日本語日本語日本語…", "", "", ""]);
	});
});

describe("Menu", () => {
	const box = { x: 0, y: 0, width: 30, height: 5 };
	const menu = {
		kind: "menu",
		first: 0,
		...box,
		title: [],
		body: [],
		items: [cleanText("Trash"), cleanText("Cancel")],
		danger: false,
		hint: [],
	} as const;
	test.each([
		[0, ["› Trash", "  Cancel"]],
		[1, ["  Trash", "› Cancel"]],
	])("marks the item at index %i", (index, rows) => {
		const view: MenuView = { ...menu, index };
		expect(drawn(<Menu menu={view} />)).toEqual(rows);
	});
});
