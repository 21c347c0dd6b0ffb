import { type Line, span } from "../../ui/text/line.ts";
import { blanks } from "../../ui/text/sanitize.ts";
import { cutLine, lineWidth } from "../../ui/text/width.ts";
import type { ReaderRow } from "./piece.ts";

/** Cells of the dashes before the left text, and behind the right one. */
const BEFORE = 3;
const BEHIND = 2;

/** How a rule looks; a bare one has none before its left text. */
interface RuleLook {
	readonly tone?: "frame" | "summary";
	readonly isBare?: boolean;
}

/** A row of text with a rule on both sides and between: "── bash exit 0 ─────── 05:29 ─". The left text is cut first. */
export function ruleRow(
	left: Line,
	right: Line,
	width: number,
	{ tone = "frame", isBare = false }: RuleLook = {},
): ReaderRow {
	const before = isBare ? 0 : BEFORE;
	const end = lineWidth(right) + BEHIND + 3 > width / 2 ? [] : right;
	const after = end.length === 0 ? 0 : lineWidth(end) + BEHIND + 1;
	const title = cutLine(left, Math.max(0, width - before - 1 - after - 1));
	const between = width - before - lineWidth(title) - 1 - after;
	const line: Line = [
		...(isBare ? [] : [span("── ", tone)]),
		...title,
		{ text: blanks(1) },
		span("─".repeat(Math.max(0, between)), tone),
		...(end.length === 0 ? [] : [{ text: blanks(1) }, ...end, span(" ─", tone)]),
	];
	return { line: cutLine(line, width) };
}
