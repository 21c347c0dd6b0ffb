import { showEdited } from "../../../ui/field/filter-title.ts";
import { scrollTo } from "../../../ui/page/distance.ts";
import { formatAge, formatCount, formatCounted, shortenHome } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { cutText, joinEnds, padText } from "../../../ui/text/width.ts";
import type { Cell, HelpView } from "../../../ui/view.ts";
import { keyHints } from "../../world/keys/key-hints.ts";
import { type Project, projectNames, shownProjects } from "../../world/list/projects.ts";
import { HERE } from "../../world/list/row-cells.ts";
import { mostTextRows, overlayBox, overlayWidth, textCell, textColumns } from "../../world/screen/overlay-box.ts";
import { bindingsFor } from "../../world/state/binding.ts";
import type { ProjectsOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";

/** Cells of a row at most, and of the name in it. */
const WIDEST = 90;
const WIDEST_NAME = 24;
const AGE_WIDTH = 4;
/** The row of the field. */
const FIELD_ROWS = 1;
const PROMPT = "❯ ";

/** All projects, or those that match what is typed: what they are called, where, how many sessions, and how old. */
export function selectProjects(state: State, overlay: ProjectsOverlay): HelpView {
	const { size } = state;
	const shown = shownProjects(state, overlay);
	const width = overlayWidth(WIDEST, size);
	const room = textColumns(width);
	const height = projectRows(state);
	// As high as it may get, so that it stays where it is while something is typed.
	const box = overlayBox(width, mostTextRows(size), size);
	const top = topOf(state, overlay);
	const rows = shown
		.slice(top, top + height)
		.map((project, at) => drawProject(state, project, top + at === overlay.index, room));
	const field = showEdited(overlay.query, Math.max(1, room - PROMPT.length));
	const typed = field.text === "" ? span("type to find a project", "muted") : span(field.text);
	const body = shown.length === 0 ? [[span("No project matches", "muted")]] : rows;
	const blank = Array.from({ length: Math.max(0, height - body.length) }, (): Line => []);
	return {
		kind: "help",
		...box,
		title: [strong("Only one project")],
		body: [joinEnds([span(PROMPT, "accent"), typed], [], room), ...body, ...blank],
		position: cleanText(shown.length === 0 ? "" : `${formatCount(overlay.index + 1)}/${formatCount(shown.length)}`),
		cursor: textCell(box, 0, PROMPT.length + field.cursor),
		hint: keyHints(bindingsFor(state), room),
	};
}

/** Rows of projects that are seen at a time. */
export function projectRows({ size }: State): number {
	return Math.max(1, mostTextRows(size) - FIELD_ROWS);
}

/** The project at a cell of the screen; undefined where there is none. */
export function projectAtCell(state: State, overlay: ProjectsOverlay, cell: Cell): number | undefined {
	const first = textCell(selectProjects(state, overlay), FIELD_ROWS, 0);
	const row = cell.y - first.y;
	const index = topOf(state, overlay) + row;
	return row < 0 || row >= projectRows(state) || index >= shownProjects(state, overlay).length ? undefined : index;
}

/** The first row in sight, so that the highlighted one is in the middle as far as that can be. */
function topOf(state: State, overlay: ProjectsOverlay): number {
	const height = projectRows(state);
	return scrollTo(overlay.index - Math.floor(height / 2), overlay.index, height, shownProjects(state, overlay).length);
}

function drawProject(state: State, { directory, count, latest }: Project, selected: boolean, width: number): Line {
	const { catalog, environment, now } = state;
	const { names, width: widest } = projectNames(catalog.rows);
	const name = names.get(directory);
	const cells = Math.min(WIDEST_NAME, widest);
	const numbers = `  ${formatCounted(count, "session ", "sessions")}  ${formatAge(latest, now).padStart(AGE_WIDTH)}`;
	const line = joinEnds(
		[
			span(selected ? "› " : "  ", "accent"),
			{ text: padText(cutText(name?.text ?? cleanText(""), cells), cells), tone: name?.tone ?? "text", bold: true },
			span(directory === environment.cwd ? HERE : "  ", "current"),
			span(`  ${sanitizeLine(shortenHome(directory, environment.home))}`, "muted"),
		],
		[span(numbers, "muted")],
		width,
	);
	return selected ? line.map((part) => ({ ...part, ground: "cursor" as const })) : line;
}
