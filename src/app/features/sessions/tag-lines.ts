import { type Line, span } from "../../../ui/text/line.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { completions, drawTags, knownTags } from "../../world/marks/tags.ts";
import type { PromptOverlay, TagSubmit } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";

/** The lines below the field: the current tags of the sessions, and the completions. */
export function tagLines(state: State, overlay: PromptOverlay, width: number): Line[] {
	if (overlay.submit.type !== "tags") return [];
	const present = presentTags(state, overlay.submit);
	const [first, ...more] = proposedTags(state, overlay);
	const lines: Line[] = present.length === 0 ? [] : [[span("now ", "muted"), ...drawTags(present)]];
	if (first === undefined) return lines;
	const line = [span("tab ", "key"), span(`#${first}`, "accent")];
	for (const tag of more) {
		const next = span(` #${tag}`, "muted");
		if (lineWidth([...line, next]) > width) break;
		line.push(next);
	}
	return [...lines, line];
}

/** Completions of the word before the cursor, the best first. */
export function proposedTags({ marks }: Pick<State, "marks">, { value, submit }: PromptOverlay): readonly string[] {
	return submit.type === "tags" ? completions(value, knownTags(marks), presentTags({ marks }, submit)) : [];
}

/** The tags that any of the sessions has. */
function presentTags({ marks }: Pick<State, "marks">, { rows }: TagSubmit): readonly string[] {
	return [...new Set(rows.flatMap(({ id }) => marks.tags.get(id) ?? []))].sort();
}
