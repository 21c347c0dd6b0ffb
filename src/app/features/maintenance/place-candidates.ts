import { isAbsolute, sep } from "node:path";
import { resolvePath } from "../../../store/files/paths.ts";
import { editedText } from "../../../ui/field/edit.ts";
import type { Candidate } from "../../../ui/field/typing.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { shownProjects } from "../../world/list/projects.ts";
import type { PlaceSubmit, PromptOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { MOVED } from "./maintenance-state.ts";

/** A prompt for a directory. */
type PlacePrompt = PromptOverlay & { readonly submit: PlaceSubmit };

/** At most this many projects are proposed: those used last. */
const MAX_PROJECTS = 30;

/** The prompt for a directory, if it has the focus. */
export function openPlacePrompt({ overlays }: Pick<State, "overlays">): PlacePrompt | undefined {
	const top = overlays.at(-1);
	if (top?.kind !== "prompt" || top.submit.type !== "place") return undefined;
	return { ...top, submit: top.submit };
}

/** The absolute path of the typed directory. */
export function typedPlace(text: string, { cwd, home }: State["environment"]): string {
	return resolvePath(text.trim(), cwd, home);
}

/** Index of the last separator of a path; -1 if it has none. A backslash counts only on Windows. */
function lastSeparator(text: string): number {
	return Math.max(text.lastIndexOf("/"), text.lastIndexOf(sep));
}

/** The directory whose folders can complete the typed text; undefined while that is not a path. */
export function typedParent({ value: { text } }: PlacePrompt, environment: State["environment"]): string | undefined {
	const end = lastSeparator(text);
	return end === -1 ? undefined : typedPlace(text.slice(0, end + 1), environment);
}

/** Directories of sessions that may be proposed, once they are known to exist. */
export function proposedProjects(state: State): readonly string[] {
	return shownProjects(state, { kind: "projects", query: editedText(""), index: 0 })
		.map(({ directory }) => directory)
		.filter((directory) => isAbsolute(directory))
		.slice(0, MAX_PROJECTS);
}

/** What the text before the cursor can be completed to: folders, or projects while it is not a path. */
export function placeCandidates(state: State): readonly Candidate[] {
	const prompt = openPlacePrompt(state);
	if (prompt === undefined || prompt.value.cursor < prompt.value.text.length) return [];
	const { text } = prompt.value;
	const whole = (path: string): Candidate => ({ text: path, start: 0, end: text.length, meaning: "", isWhole: false });
	if (text === "~") return [whole("~/")];
	const { home } = state.environment;
	const parent = typedParent(prompt, state.environment);
	if (parent === undefined) {
		const typed = text.trim().toLowerCase();
		return proposedProjects(state)
			.filter((each) => MOVED.of(state).fates.get(each)?.kind === "there" && each.toLowerCase().includes(typed))
			.map((each) => whole(shortenHome(each, home)));
	}
	const { folders } = MOVED.of(state);
	if (folders?.directory !== parent) return [];
	const start = text.slice(0, lastSeparator(text) + 1);
	const half = text.slice(start.length).toLowerCase();
	return (folders.names ?? [])
		.filter((name) => name.toLowerCase().startsWith(half) && (half !== "" || !name.startsWith(".")))
		.map((name) => whole(`${start}${name}/`));
}

/** The candidates shown below the field, as many as fit. */
export function placeLines(state: State, { submit }: PromptOverlay, width: number): Line[] {
	if (submit.type !== "place") return [];
	const { last } = state.typing;
	const isCompleting = last?.kind === "complete" && last.candidates.length > 1;
	const candidates = isCompleting ? last.candidates : placeCandidates(state);
	// While the person cycles through the candidates, the current one comes first.
	const at = isCompleting ? Math.max(0, last.index) : 0;
	const [first, ...more] = [...candidates.slice(at), ...candidates.slice(0, at)].map(({ text }) =>
		sanitizeLine(shown(text)),
	);
	if (first === undefined) return [[]];
	const line = [span("tab ", "key"), span(first, "accent")];
	for (const text of more) {
		const next = span(`  ${text}`, "muted");
		if (lineWidth([...line, next]) > width) break;
		line.push(next);
	}
	return [line];
}

/** The last folder of a path that ends in one, otherwise the whole path. */
function shown(path: string): string {
	return /[^/]+\/$/.exec(path)?.[0] ?? path;
}
