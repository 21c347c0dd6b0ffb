import { isAbsolute, sep } from "node:path";
import { resolvePath } from "../../../store/files/paths.ts";
import { type Candidate, complete } from "../../../ui/field/typing.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { change, type Key, onChosen } from "../../world/keys/key.ts";
import { allProjects } from "../../world/list/projects.ts";
import { bringIntoMenu } from "../../world/questions/bring-menus.ts";
import type { Action } from "../../world/state/action.ts";
import {
	closeOverlay,
	type DestinationSubmit,
	type MenuItem,
	openOverlay,
	type PromptOverlay,
	replaceTop,
	withOverlay,
} from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { chosenMoves } from "./chosen-rows.ts";
import { destinationOf, proposalsFor } from "./gone-groups.ts";
import { MOVED } from "./maintenance-state.ts";
import { destinationPrompt, moveQuestion } from "./move-menus.ts";

const PROMPT = ["prompt"] as const;

// biome-ignore format: a table
export const DESTINATION_KEYS: readonly Key[] = [
	{ id: "move-project", name: "Fork into another directory…", synonyms: "move, project, cwd", keys: [], contexts: ["list"],
		help: "fork all marked sessions, or the one under the cursor, into another directory",
		...onChosen("move", (state, rows) => withOverlay(state, destinationPrompt({ type: "destination", rows }, "", state.environment.home))) },
	{ id: "complete-place", keys: ["tab"], contexts: PROMPT, short: "complete", when: isDestinationPrompt, needs: whyNoDestination,
		help: "complete the typed directory; again: the next candidate", run: change(completeDestination(1)) },
	{ id: "complete-place-back", keys: ["shift+tab"], contexts: PROMPT, when: isDestinationPrompt, needs: whyNoDestination,
		help: "the previous candidate", run: change(completeDestination(-1)) },
];

function isDestinationPrompt(state: State): boolean {
	return openDestinationPrompt(state) !== undefined;
}

function whyNoDestination(state: State): string | undefined {
	const isCompleting = state.typing.last?.kind === "complete" && state.typing.last.candidates.length > 1;
	return isCompleting || destinationCandidates(state).length > 0 ? undefined : "No known directory begins with this";
}

function completeDestination(by: 1 | -1): (state: State) => State {
	return (state) => {
		const prompt = openDestinationPrompt(state);
		if (prompt === undefined) return state;
		const [value, typing] = complete(destinationCandidates(state), by)(prompt.value, state.typing);
		return replaceTop({ ...state, typing }, { ...prompt, value });
	};
}

/** Asks where the sessions of a missing directory belong. */
function askForDestination(state: State, gone: string): State {
	const { home } = state.environment;
	const before = shortenHome(destinationOf(state, gone) ?? gone, home);
	return openOverlay(state, destinationPrompt({ type: "destination", gone }, before, home));
}

/**
 * Asks before the marked sessions of missing directories, or those of the directory under the cursor, are forked to where they
 * belong and archived. If no replacement is known, asks for that first.
 */
export function askToFix(state: State): State {
	const { moves, directories, unplaced } = chosenMoves(state);
	const [directory, ...others] = directories;
	if (directory === undefined) return state;
	const only = others.length === 0 ? directory : undefined;
	if (moves.length === 0) return only === undefined ? say(state, NO_PLACE, "warning") : askForDestination(state, only);
	const more = only === undefined ? [] : otherDestinations(state, only);
	return openOverlay(state, moveQuestion(state, moves, { archives: true, unplaced: unplaced.length, more }));
}

const NO_PLACE = "No new directory is known for these: press enter on one of them to type it";

/** The other directories proposed, and a prompt for any directory. */
function otherDestinations(state: State, gone: string): MenuItem[] {
	const { home } = state.environment;
	const place = destinationOf(state, gone);
	const others = proposalsFor(state, gone).filter(({ directory }) => directory !== place);
	return [
		...others.map(({ directory }) => ({
			label: `Into ${shortenHome(directory, home)} instead`,
			change: (now: State) => askToFix(chooseDestination(now, gone, directory)),
		})),
		{ label: "Into another directory …", change: (now) => askForDestination(now, gone) },
	];
}

function chooseDestination(state: State, gone: string, place: string): State {
	return MOVED.with(state, { chosen: new Map([...MOVED.of(state).chosen, [gone, place]]) });
}

/** Enter in the prompt for a directory. The prompt stays open until the directory is known to exist. */
export function submitDestination(state: State, of: DestinationSubmit, text: string): Transition {
	if (text === "") return transition(say(state, "Type a directory; tab completes it", "warning"));
	return transition(state, { type: "check-destination", directory: typedDestination(text, state.environment), of });
}

/** Continues with the typed directory if it exists, unless the person has done something else meanwhile. */
export function applyDestination(
	state: State,
	{ directory, fate, of }: Extract<Action, { type: "destination-checked" }>,
): State {
	const prompt = openDestinationPrompt(state);
	if (prompt?.submit !== of || typedDestination(prompt.value.text, state.environment) !== directory) return state;
	const shown = shortenHome(directory, state.environment.home);
	if (fate.kind === "gone") return say(state, `There is no directory ${shown}`, "warning");
	if (fate.kind === "unknown") return say(state, `${shown} cannot be checked: ${fate.why}`, "warning");
	const closed = closeOverlay(state);
	if ("gone" in of) return askToFix(chooseDestination(closed, of.gone, directory));
	if ("bring" in of) {
		const row = closed.catalog.rows.get(of.bring);
		return row === undefined ? closed : openOverlay(closed, bringIntoMenu(closed, row, directory));
	}
	// Their rows may have changed since.
	const rows = of.rows.flatMap(({ path }) => state.catalog.here.get(path) ?? []);
	return openOverlay(
		closed,
		moveQuestion(
			closed,
			rows.map((row) => ({ row, cwd: directory })),
		),
	);
}

/** A prompt for a directory. */
type DestinationPrompt = PromptOverlay & { readonly submit: DestinationSubmit };

/** At most this many projects are proposed: those used last. */
const MAX_PROJECTS = 30;

/** The prompt for a directory, if it has the focus. */
export function openDestinationPrompt({ overlays }: Pick<State, "overlays">): DestinationPrompt | undefined {
	const top = overlays.at(-1);
	if (top?.kind !== "prompt" || top.submit.type !== "destination") return undefined;
	return { ...top, submit: top.submit };
}

/** The absolute path of the typed directory. */
function typedDestination(text: string, { cwd, home }: State["environment"]): string {
	return resolvePath(text.trim(), cwd, home);
}

/** Index of the last separator of a path; -1 if it has none. A backslash counts only on Windows. */
function lastSeparator(text: string): number {
	return Math.max(text.lastIndexOf("/"), text.lastIndexOf(sep));
}

/** The directory whose folders can complete the typed text; undefined while that is not a path. */
export function typedParent(
	{ value: { text } }: DestinationPrompt,
	environment: State["environment"],
): string | undefined {
	const end = lastSeparator(text);
	return end === -1 ? undefined : typedDestination(text.slice(0, end + 1), environment);
}

/** Directories of sessions that may be proposed, once they are known to exist. */
export function proposedProjects(state: State): readonly string[] {
	return allProjects(state.catalog.rows)
		.map(({ directory }) => directory)
		.filter((directory) => isAbsolute(directory))
		.slice(0, MAX_PROJECTS);
}

/** What the text before the cursor can be completed to: folders, or projects while it is not a path. */
function destinationCandidates(state: State): readonly Candidate[] {
	const prompt = openDestinationPrompt(state);
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
export function destinationLines(state: State, { submit }: PromptOverlay, width: number): Line[] {
	if (submit.type !== "destination") return [];
	const { last } = state.typing;
	const isCompleting = last?.kind === "complete" && last.candidates.length > 1;
	const candidates = isCompleting ? last.candidates : destinationCandidates(state);
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
