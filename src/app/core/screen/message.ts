import type { Message } from "../../../changes/engine/answer.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, joinEnds } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import { selectCandidates } from "../../features/list/candidates.ts";
import { queryProblem } from "../../world/list/select-list.ts";
import type { State } from "../../world/state/state.ts";

/**
 * The message in as many rows as it needs, each as wide as the screen, so that nothing below shows through: errors, also of
 * a filter, must be readable to the end. Only a message that is longer than the screen is cut. During completion the
 * candidates are shown instead.
 */
export function selectMessage(state: State): readonly Line[] | undefined {
	const candidates = selectCandidates(state.typing, state.size);
	if (candidates !== undefined) return [candidates];
	const message = state.message ?? workUnderWay(state) ?? whatIsWrong(state);
	if (message === undefined) return undefined;
	const { columns, rows } = state.size;
	const wrapped = wrapText(sanitizeLine(message.text), Math.max(1, columns - 2));
	const shown = wrapped.slice(0, rows).map((row, index) => {
		const isCut = index === rows - 1 && wrapped.length > rows;
		return [span(` ${row}${isCut ? " …" : ""}`, message.tone)];
	});
	return shown.map((line) => joinEnds(cutLine(line, columns), [], columns));
}

/** Progress of the work on many sessions. */
function workUnderWay({ progress }: State): Message | undefined {
	if (progress === undefined) return undefined;
	const { what, done, total, isStopped } = progress;
	const how = isStopped ? "stopping" : "esc stops it, and what is done can be undone";
	return { text: `${what}: ${formatCount(done)} of ${formatCount(total)}; ${how}`, tone: "accent" };
}

/** Why the typed text cannot be used. */
function whatIsWrong(state: State): Message | undefined {
	const problem = state.overlays.length > 0 ? undefined : filterProblem(state);
	return problem === undefined ? undefined : { text: problem, tone: "error" };
}

/** The mistake in the filter of the focused pane. */
function filterProblem(state: State): string | undefined {
	if (state.focus === "list") return queryProblem(state);
	return state.focus === "tree" ? state.tree.mistake : undefined;
}
