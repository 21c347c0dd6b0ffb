import type { AppPane, AppScreen } from "../../src/app/world/state/state.ts";
import { type Line, span, strong } from "../../src/ui/text/line.ts";
import { cleanText } from "../../src/ui/text/sanitize.ts";
import type { RowView } from "../../src/ui/view.ts";

/** A line of one untoned span. */
export function line(text: string): Line {
	return text === "" ? [] : [span(text)];
}

/** Rows "text 0", "text 1", … with the cursor on one of them. */
export function rows(count: number, selected: number, text: string): RowView[] {
	return Array.from({ length: count }, (_, index) => ({
		key: `${text}-${index}`,
		line: [span(index === selected ? "› " : "  "), span(`${text} ${index}`, "accent")],
		selected: index === selected,
	}));
}

/** A pane as wide and as high as asked. */
export function pane(fields: Partial<AppPane> & Pick<AppPane, "id" | "x" | "width" | "height">): AppPane {
	return {
		y: 2,
		title: line(fields.id),
		settings: [],
		position: cleanText("1/9"),
		focused: false,
		rows: rows(Math.max(0, fields.height), 0, fields.id),
		...fields,
	};
}

/** A screen with a list on the left half and a tree on the right one. */
export function screen(columns: number, rowCount: number, fields: Partial<AppScreen> = {}): AppScreen {
	const left = Math.floor(columns / 2);
	const height = rowCount - 3;
	const panes = fields.panes ?? [
		pane({ id: "list", x: 0, width: left, height, focused: true }),
		pane({ id: "tree", x: left + 1, width: columns - left - 1, height }),
	];
	return {
		columns,
		rows: rowCount,
		header: [strong(" pi-grove"), span("  9 sessions")],
		cursor: { x: 3, y: 1 },
		panes,
		footer: line(" enter resume"),
		...fields,
	};
}
