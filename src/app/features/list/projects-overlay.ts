import { projectKey } from "../../../shared/paths.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { scrollTo } from "../../../ui/page/page-rows.ts";
import { showEdited } from "../../../ui/pane-title.ts";
import { formatAge, formatCount, formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, joinEnds, padText } from "../../../ui/text/width.ts";
import type { Cell, HelpView } from "../../../ui/view.ts";
import { keyHints } from "../../world/keys/key.ts";
import { onlyProject, projectUnderCursor } from "../../world/list/list-actions.ts";
import { type Project, projectNames, shownProjects } from "../../world/list/projects.ts";
import { HERE_SIGN } from "../../world/list/row-cells.ts";
import { mostTextRows, overlayBox, overlayWidth, textCell, textColumns } from "../../world/screen/menus.ts";
import type { ProjectsOverlay } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";

/** Largest widths of a row and of the name in it, in cells. */
const MAX_WIDTH = 90;
const MAX_NAME_WIDTH = 24;
const AGE_WIDTH = 4;
const FIELD_ROWS = 1;
const PROMPT = "❯ ";

/** The projects that match the typed text: name, directory, number of sessions, and age. */
export function selectProjects(state: State, overlay: ProjectsOverlay): HelpView {
	const { size } = state;
	const projects = shownProjects(state, overlay);
	const width = overlayWidth(MAX_WIDTH, size);
	const room = textColumns(width);
	const height = projectRows(state);
	// Always of full height, so that it does not move while one types.
	const box = overlayBox(width, mostTextRows(size), size);
	const top = topOf(state, overlay);
	const rows = projects
		.slice(top, top + height)
		.map((project, at) => drawProject(state, project, top + at === overlay.index, room));
	const field = showEdited(overlay.query, Math.max(1, room - PROMPT.length));
	const typed = field.text === "" ? span("type to find a project", "muted") : span(field.text);
	const body = projects.length === 0 ? [[span("No project matches", "muted")]] : rows;
	const blank = Array.from({ length: Math.max(0, height - body.length) }, (): Line => []);
	return {
		kind: "help",
		...box,
		title: [strong("Show one project")],
		body: [joinEnds([span(PROMPT, "accent"), typed], [], room), ...body, ...blank],
		position: cleanText(
			projects.length === 0 ? "" : `${formatCount(overlay.index + 1)}/${formatCount(projects.length)}`,
		),
		cursor: textCell(box, 0, PROMPT.length + field.cursor),
		hint: keyHints(state, room),
	};
}

export function projectRows({ size }: State): number {
	return Math.max(1, mostTextRows(size) - FIELD_ROWS);
}

export function projectAtCell(state: State, overlay: ProjectsOverlay, cell: Cell): number | undefined {
	const first = textCell(selectProjects(state, overlay), FIELD_ROWS, 0);
	const row = cell.y - first.y;
	const index = topOf(state, overlay) + row;
	return row < 0 || row >= projectRows(state) || index >= shownProjects(state, overlay).length ? undefined : index;
}

/** Index of the first visible project: keeps the highlighted one in the middle where possible. */
function topOf(state: State, overlay: ProjectsOverlay): number {
	const height = projectRows(state);
	return scrollTo(overlay.index - Math.floor(height / 2), overlay.index, height, shownProjects(state, overlay).length);
}

function drawProject(state: State, { directory, count, latest }: Project, selected: boolean, width: number): Line {
	const { catalog, environment, now } = state;
	const { names, width: widest } = projectNames(catalog.rows);
	const name = names.get(directory);
	const cells = Math.min(MAX_NAME_WIDTH, widest);
	const numbers = `  ${formatCounted(count, "session ", "sessions")}  ${formatAge(latest, now).padStart(AGE_WIDTH)}`;
	const line = joinEnds(
		[
			span(selected ? "› " : "  ", "accent"),
			strong(padText(cutText(name?.text ?? cleanText(""), cells), cells)),
			span(directory === projectKey(environment.cwd) ? HERE_SIGN : "  ", "current"),
			span(`  ${sanitizeLine(shortenHome(directory, environment.home))}`, "muted"),
		],
		[span(numbers, "muted")],
		width,
	);
	return selected ? line.map((part) => ({ ...part, ground: "cursor" as const })) : line;
}

/** Opens on the project under the cursor of the list. */
export function newProjects(state: State): ProjectsOverlay {
	const overlay: ProjectsOverlay = { kind: "projects", query: editedText(""), index: 0 };
	const directory = projectUnderCursor(state);
	const index = shownProjects(state, overlay).findIndex((project) => project.directory === directory);
	return { ...overlay, index: Math.max(0, index) };
}

export function chooseProject(state: State): Transition {
	const overlay = state.overlays.at(-1);
	if (overlay?.kind !== "projects") return transition(state);
	const project = shownProjects(state, overlay)[overlay.index];
	if (project === undefined) return transition(state);
	return transition(onlyProject({ ...state, overlays: state.overlays.slice(0, -1) }, project.directory));
}
