import type { Line, Span } from "../../../ui/text/line.ts";
import { span } from "../../../ui/text/span.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { type Binding, bindingsFor } from "../state/binding.ts";
import { isPage } from "../state/page-kind.ts";
import type { State } from "../state/state.ts";

const KEY_SIGNS: Readonly<Record<string, string>> = {
	left: "←",
	right: "→",
	up: "↑",
	down: "↓",
	escape: "esc",
	" ": "space",
};

/** A key's name as it is displayed. */
export function keyLabel(key: string): string {
	if (/^[A-Z]$/.test(key)) return `shift+${key.toLowerCase()}`;
	return key
		.split("+")
		.map((part) => KEY_SIGNS[part] ?? part)
		.join("+");
}

/** Last row: the keys that work now; an open overlay shows its own. */
export function selectFooter(state: State): Line {
	return state.overlays.some((overlay) => !isPage(overlay)) ? [] : keyHints(bindingsFor(state), state.size.columns);
}

/** Ids of the keys that are always shown, last: how to get out, and how to find all others. */
const ALWAYS: readonly string[] = ["back", "cancel", "help"];

/** Keys with their short names, as many as fit; the way out and the help are always among them. */
export function keyHints(bindings: readonly Binding[], width: number): Line {
	const hints = bindings.filter((binding) => binding.short !== undefined);
	const always = ALWAYS.flatMap((name) => hints.filter(({ id }) => id === name)).flatMap(hintSpans);
	const line: Span[] = [];
	let left = width - lineWidth(always) - 1;
	for (const binding of hints.filter(({ id }) => !ALWAYS.includes(id)).toSorted(byImportance)) {
		const spans = hintSpans(binding);
		if (lineWidth(spans) > left) break;
		line.push(...spans);
		left -= lineWidth(spans);
	}
	return [...line, ...always];
}

function hintSpans({ id, keys, short }: Binding): Span[] {
	const parts = [span(` ${keyLabel(keys[0] ?? "")}`, "accent"), span(` ${short} `, "muted")];
	return parts.map((part): Span => ({ ...part, press: id }));
}

/** Actions on the session come first; the arrows need the least explaining. */
function byImportance(a: Binding, b: Binding): number {
	return rank(a) - rank(b);
}

function rank({ id, section }: Binding): number {
	if (id === "resume") return 0;
	if (section === "Moving" || section === "Reader" || section === "Branches") return 1;
	return section === "Session" ? 2 : 3;
}

/** Follows a filter with a mistake; the reason is in the bottom row of the screen. */
export const WRONG: Line = [span("  ✗", "error")];

/** The key that waits for the answer to what was typed before it, if the pane has the focus. */
export function waitingNote({ waiting: [first], focus }: State, pane: State["focus"]): Line | undefined {
	if (first === undefined || focus !== pane) return undefined;
	return [span(` ${first.type === "key" ? keyLabel(first.key) : "text"} waits for the answer, esc stops it`, "muted")];
}
