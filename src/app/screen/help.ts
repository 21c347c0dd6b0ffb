import { type Binding, keymap } from "../keymap.ts";
import { inner } from "../layout.ts";
import type { HelpOverlay, State } from "../state.ts";
import { formatCount } from "../text/format.ts";
import { cutLine, padText } from "../text/width.ts";
import type { HelpView, Line } from "../view.ts";
import { keyLabel } from "./footer.ts";

const KEYS_WIDTH = 22;

/** Every key and what it does, by section: the keymap as text. */
export const helpLines: readonly Line[] = sectionsOf(keymap).flatMap(([section, bindings], index) => [
	...(index === 0 ? [] : [[{ text: "" }]]),
	[{ text: section, tone: "accent" as const, bold: true }],
	...bindings.map((binding): Line => {
		const keys = binding.keys.map(keyLabel).join(", ");
		const where = binding.contexts.join(", ");
		return [
			{ text: padText(`  ${keys} `, KEYS_WIDTH), tone: "user" },
			{ text: binding.help },
			{ text: `  (${where})`, tone: "muted" },
		];
	}),
]);

/** First row of the help that can be on top in this terminal. */
export function lastHelpTop(state: State): number {
	return Math.max(0, helpLines.length - helpBox(state).inside);
}

export function selectHelp(state: State, overlay: HelpOverlay): HelpView {
	const { width, height, inside } = helpBox(state);
	const top = Math.min(overlay.top, lastHelpTop(state));
	const lines = helpLines.slice(top, top + inside);
	return {
		kind: "help",
		title: [{ text: "Keys", bold: true }],
		rows: lines.map((line, index) => ({ key: String(top + index), line: cutLine(line, width - 2), selected: false })),
		position: `${formatCount(Math.min(top + inside, helpLines.length))}/${formatCount(helpLines.length)}`,
		hint: [{ text: "esc close", tone: "muted" }],
		width,
		height,
	};
}

function helpBox({ size }: State): { readonly width: number; readonly height: number; readonly inside: number } {
	const width = Math.min(size.columns, 96);
	const height = Math.min(size.rows, helpLines.length + 2);
	return { width, height, inside: inner({ x: 0, y: 0, width, height }).height };
}

function sectionsOf(bindings: readonly Binding[]): [string, Binding[]][] {
	const sections = new Map<string, Binding[]>();
	for (const binding of bindings) {
		const section = sections.get(binding.section);
		if (section === undefined) sections.set(binding.section, [binding]);
		else section.push(binding);
	}
	return [...sections];
}
