import { isDeepStrictEqual } from "node:util";
import type { CellRun, ScreenFrame } from "./screen-frame.ts";

/** A screen, and for how long it is shown. */
export interface Scene {
	readonly frame: ScreenFrame;
	readonly ms: number;
}

/** Colors of the terminal that is drawn. */
export interface TerminalColors {
	readonly text: string;
	readonly ground: string;
}

/** A cell in pixels. */
const CELL = { width: 8.4, height: 17 };
const MARGIN = 12;
const FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

/**
 * Screens one after the other, again and again, as an SVG that needs no script: each row is in it once for each of its
 * texts, and shown while it is on the screen. Where motion is not wanted, the first screen stands still.
 */
export function animatedSvg(scenes: readonly Scene[], columns: number, rows: number, colors: TerminalColors): string {
	const total = scenes.reduce((sum, { ms }) => sum + ms, 0);
	const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
	const height = rows * CELL.height + 2 * MARGIN;
	const spans = new Map<string, string>();
	const groups: string[] = [];
	for (let y = 0; y < rows; y++) {
		for (const [content, shown] of shownWhile(scenes, y, total)) {
			const style = nameOf(spans, keyframesOf(shown, total));
			groups.push(`<g class="${style}"${shown[0]?.from === 0 ? "" : ' visibility="hidden"'}>${content}</g>`);
		}
	}
	const rules = [...spans].map(
		([keyframes, name]) =>
			`@keyframes ${name}{${keyframes}}.${name}{animation:${name} ${total / 1000}s step-end infinite}`,
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="pi-grove in a terminal">
<style>text{font:14px ${FONT};white-space:pre;fill:${colors.text}}.b{font-weight:bold}.i{font-style:italic}.u{text-decoration:underline}.d{opacity:.6}
${rules.join("\n")}
@media (prefers-reduced-motion:reduce){g{animation:none!important}}</style>
<rect width="100%" height="100%" rx="8" fill="${colors.ground}"/>
${groups.join("\n")}
</svg>
`;
}

interface Span {
	readonly from: number;
	readonly to: number;
}

/** What stands in a row, with the times from the beginning at which it does. */
function shownWhile(scenes: readonly Scene[], y: number, total: number): Map<string, Span[]> {
	const shown = new Map<string, Span[]>();
	let from = 0;
	for (const { frame, ms } of scenes) {
		const content = drawRow(frame[y], y);
		const to = Math.min(total, from + ms);
		if (content !== "") {
			const spans = shown.get(content) ?? [];
			const last = spans.at(-1);
			if (last?.to === from) spans[spans.length - 1] = { from: last.from, to };
			else spans.push({ from, to });
			shown.set(content, spans);
		}
		from = to;
	}
	return shown;
}

function drawRow(row: readonly CellRun[] = [], y: number): string {
	return row.map((run) => drawRun(run, y)).join("");
}

/** Whether this screen is what such an SVG shows at a moment, in milliseconds from the beginning. */
export function showsAt(svg: string, ms: number, frame: ScreenFrame): boolean {
	const seconds = Number(/ (\S+)s step-end infinite/.exec(svg)?.[1]);
	const isVisible = new Map(
		Array.from(svg.matchAll(/@keyframes (\w+)\{(\S*)\}\.\1\{/g), ([, name, keyframes = ""]) => {
			const steps = [...keyframes.matchAll(/([\d.]+)%\{visibility:(\w+)\}/g)];
			return [name, steps.findLast(([, at]) => Number(at) <= ms / (10 * seconds))?.[2] === "visible"];
		}),
	);
	const rows = Array.from(svg.matchAll(/^<g class="(\w+)"[^>]*>(.*)<\/g>$/gm), ([, name, content]) =>
		isVisible.get(name) ? content : "",
	);
	const drawn = frame.map((row, y) => drawRow(row, y));
	return isDeepStrictEqual(drawn.filter(Boolean), rows.filter(Boolean));
}

function drawRun(run: CellRun, y: number): string {
	const left = MARGIN + run.x * CELL.width;
	const top = MARGIN + y * CELL.height;
	const width = run.cells * CELL.width;
	const ground =
		run.ground === undefined
			? ""
			: `<rect x="${round(left)}" y="${top}" width="${round(width)}" height="${CELL.height}" fill="${run.ground}"/>`;
	if (run.text.trim() === "") return ground;
	const classes = [run.bold && "b", run.italic && "i", run.underline && "u", run.dim && "d"].filter(Boolean).join(" ");
	const text = [
		`<text x="${round(left)}" y="${top + 13}" textLength="${round(width)}" lengthAdjust="spacingAndGlyphs"`,
		classes === "" ? "" : ` class="${classes}"`,
		// By style, because the rule for all texts overrules an attribute.
		run.color === undefined ? "" : ` style="fill:${run.color}"`,
		`>${escaped(run.text)}</text>`,
	];
	return ground + text.join("");
}

function keyframesOf(spans: readonly Span[], total: number): string {
	const steps = spans.flatMap(({ from, to }) => [
		`${percent(from, total)}{visibility:visible}`,
		...(to < total ? [`${percent(to, total)}{visibility:hidden}`] : []),
	]);
	return `${spans[0]?.from === 0 ? "" : "0%{visibility:hidden}"}${steps.join("")}`;
}

function percent(ms: number, total: number): string {
	return `${round((ms * 100) / total)}%`;
}

/** The same keyframes have one name. */
function nameOf(names: Map<string, string>, keyframes: string): string {
	const known = names.get(keyframes);
	if (known !== undefined) return known;
	const name = `k${names.size}`;
	names.set(keyframes, name);
	return name;
}

function round(value: number): number {
	return Math.round(value * 100) / 100;
}

function escaped(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
