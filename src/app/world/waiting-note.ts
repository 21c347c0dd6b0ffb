import type { Line } from "../../ui/text/line.ts";
import { span } from "../../ui/text/span.ts";
import { keyLabel } from "./footer.ts";
import type { State } from "./state/state.ts";

/** Behind a filter in which something is wrong: the reason has a row of its own, at the bottom of the screen. */
export const WRONG: Line = [span("  ✗", "error")];

/** Which key waits for the answer to what was typed before it, if the pane has the focus. */
export function waitingNote({ waiting: [first], focus }: State, pane: State["focus"]): Line | undefined {
	if (first === undefined || focus !== pane) return undefined;
	return [span(` ${first.type === "key" ? keyLabel(first.key) : "text"} waits for the answer, esc stops it`, "muted")];
}
