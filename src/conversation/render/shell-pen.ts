import type { ShellColor, Span } from "../../ui/text/line.ts";

/** The style in which a program prints. */
export type Pen = Omit<Span, "text" | "ground" | "link">;

/** The pen after an SGR sequence ("select graphic rendition"); `parameters`: the text between "[" and "m". */
export function changePen(pen: Pen, parameters: string): Pen {
	// Colons separate the parts of one parameter: "38:2::255:0:0", "4:3".
	const codes = parameters.split(";").map((each) => each.split(":").map(Number));
	let changed = pen;
	for (let index = 0; index < codes.length; index++) {
		const [code = 0, ...parts] = codes[index] ?? [];
		if (code !== 38 && code !== 48 && code !== 58) {
			changed = code === 4 && parts[0] === 0 ? without(changed, "underline") : changeOne(changed, code);
			continue;
		}
		const further = codes.slice(index + 1, index + 5).map(([first = 0]) => first);
		const { color, length } = parts.length > 0 ? colorOf(withoutSpace(parts)) : colorOf(further);
		if (parts.length === 0) index += length;
		if (color !== undefined && code !== 58) changed = { ...changed, [code === 38 ? "color" : "background"]: color };
	}
	return changed;
}

const ON: ReadonlyMap<number, Pen> = new Map<number, Pen>([
	[1, { bold: true }],
	[2, { tone: "muted" }],
	[3, { italic: true }],
	[4, { underline: true }],
	[7, { inverse: true }],
	[9, { strike: true }],
	[21, { underline: true }],
]);

const OFF: ReadonlyMap<number, ReadonlyArray<keyof Pen>> = new Map<number, ReadonlyArray<keyof Pen>>([
	[22, ["bold", "tone"]],
	[23, ["italic"]],
	[24, ["underline"]],
	[27, ["inverse"]],
	[29, ["strike"]],
	[39, ["color"]],
	[49, ["background"]],
]);

function changeOne(pen: Pen, code: number): Pen {
	if (code === 0) return {};
	const on = ON.get(code);
	if (on !== undefined) return { ...pen, ...on };
	const off = OFF.get(code);
	if (off !== undefined) return without(pen, ...off);
	if (code >= 30 && code <= 37) return { ...pen, color: code - 30 };
	if (code >= 90 && code <= 97) return { ...pen, color: code - 90 + 8 };
	if (code >= 40 && code <= 47) return { ...pen, background: code - 40 };
	if (code >= 100 && code <= 107) return { ...pen, background: code - 100 + 8 };
	return pen;
}

function without(pen: Pen, ...names: ReadonlyArray<keyof Pen>): Pen {
	return Object.fromEntries(Object.entries(pen).filter(([name]) => !names.some((each) => each === name)));
}

/** The color in the parameters after 38 or 48, and how many parameters it takes. */
function colorOf(parameters: readonly number[]): { readonly color: ShellColor | undefined; readonly length: number } {
	const [kind, first, green, blue] = parameters;
	if (kind === 5) return { color: isByte(first) ? first : undefined, length: 2 };
	if (kind !== 2) return { color: undefined, length: 1 };
	const isColor = isByte(first) && isByte(green) && isByte(blue);
	return { color: isColor ? [first, green, blue] : undefined, length: 4 };
}

/** With colons there may be a color space, which is usually empty, before red. */
function withoutSpace(parts: readonly number[]): readonly number[] {
	return parts[0] === 2 && parts.length > 4 ? [2, ...parts.slice(2)] : parts;
}

function isByte(value: number | undefined): value is number {
	return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
}
