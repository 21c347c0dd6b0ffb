import type { IBufferCell, Terminal } from "@xterm/headless";

/** The signs of the styles, in the order in which these are first seen. */
const SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/**
 * A screen with its colors, as text to compare: under each row that has any style, a row with one sign a cell (a blank: no
 * style), and at the end what each sign stands for:
 *
 *     ● Fine, stream it.        5:27
 *     abbbbbbbbbbbbbbbbbbbbbbbbbcccc
 *     …
 *     a #9ece6a on #1d2735
 *     b #7dcfff on #1d2735 bold
 *
 * For golden screens "colors included": `await terminal.styledScreen()` of a `FakeTerminal` (`draw` of render.tsx, with
 * `createTheme({ depth: "24-bit", dark: true })` for the `App`) or of a `TestTerminal`. Colors of the terminal's own
 * palette are told by their number.
 */
export function styledScreen(terminal: Terminal): string {
	const buffer = terminal.buffer.active;
	const signs = new Map<string, string>();
	const rows: string[] = [];
	for (let y = 0; y < terminal.rows; y++) {
		const line = buffer.getLine(buffer.viewportY + y);
		const cells = Array.from({ length: terminal.cols }, (_, x) => line?.getCell(x));
		rows.push((line?.translateToString(true) ?? "").trimEnd());
		const marks = cells.map((cell) => (cell ? signOf(styleOf(cell)) : " ")).join("");
		if (marks.trim() !== "") rows.push(marks.trimEnd());
	}
	return `${[...rows, ...Array.from(signs, ([style, sign]) => `${sign} ${style}`)].join("\n")}\n`;

	function signOf(style: string): string {
		if (style === "") return " ";
		const known = signs.get(style);
		if (known !== undefined) return known;
		const sign = SIGNS[signs.size] ?? "?";
		signs.set(style, sign);
		return sign;
	}
}

/** The style of a cell in words; "" for none. A blank has no more of it than can be seen. */
function styleOf(cell: IBufferCell): string {
	const isBlank = cell.getChars().trim() === "" && cell.getWidth() > 0;
	const foreground = color(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
	const background = color(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
	const words = [
		!isBlank && foreground,
		background && `on ${background}`,
		!isBlank && cell.isBold() !== 0 && "bold",
		!isBlank && cell.isDim() !== 0 && "dim",
		!isBlank && cell.isItalic() !== 0 && "italic",
		cell.isUnderline() !== 0 && "underline",
		cell.isStrikethrough() !== 0 && "strike",
		cell.isInverse() !== 0 && "inverse",
	];
	return words.filter(Boolean).join(" ");
}

function color(isDefault: boolean, isRgb: boolean, value: number): string {
	if (isDefault) return "";
	return isRgb ? `#${value.toString(16).padStart(6, "0")}` : String(value);
}
