import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { type Distance, target } from "../../../ui/page/distance.ts";
import { onlyProject, projectUnderCursor } from "../../world/list/list-actions.ts";
import { shownProjects } from "../../world/list/projects.ts";
import type { ProjectsOverlay } from "../../world/state/overlays.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";
import { projectRows } from "./projects-overlay.ts";

/** The page of all projects, the one under the cursor of the list highlighted. */
export function newProjects(state: State): ProjectsOverlay {
	const overlay: ProjectsOverlay = { kind: "projects", query: editedText(""), index: 0 };
	const directory = projectUnderCursor(state);
	const index = shownProjects(state, overlay).findIndex((project) => project.directory === directory);
	return { ...overlay, index: Math.max(0, index) };
}

/** Another text in the field: the best of the projects that match is highlighted. */
export function editProjects(overlay: ProjectsOverlay, edit: (value: EditedText) => EditedText): ProjectsOverlay {
	const query = edit(overlay.query);
	return { ...overlay, query, index: query.text === overlay.query.text ? overlay.index : 0 };
}

export function moveInProjects(state: State, overlay: ProjectsOverlay, distance: Distance): ProjectsOverlay {
	const count = shownProjects(state, overlay).length;
	return { ...overlay, index: Math.max(0, target(overlay.index, distance, projectRows(state), count)) };
}

/** Shows only the sessions of the highlighted project. */
export function chooseProject(state: State): Transition {
	const overlay = state.overlays.at(-1);
	if (overlay?.kind !== "projects") return transition(state);
	const project = shownProjects(state, overlay)[overlay.index];
	if (project === undefined) return transition(state);
	return transition(onlyProject({ ...state, overlays: state.overlays.slice(0, -1) }, project.directory));
}
