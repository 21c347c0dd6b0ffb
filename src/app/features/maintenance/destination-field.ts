import { isAbsolute, sep } from "node:path";
import { readGitNotes } from "../../../catalog/git/git-notes.ts";
import { resolvePath } from "../../../store/files/paths.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { type Candidate, complete } from "../../../ui/field/typing.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { listFolders, type OfferedDirectory, offerDirectories } from "../../world/effects/directories.ts";
import { change, type Key, onChosen } from "../../world/keys/key.ts";
import { allProjects } from "../../world/list/projects.ts";
import { askToChange } from "../../world/questions/ask.ts";
import { bringIntoMenu } from "../../world/questions/bring-menus.ts";
import { subjectRow } from "../../world/screen/menus.ts";
import type { Action } from "../../world/state/action.ts";
import {
	closeOverlay,
	type DestinationSubmit,
	type PromptOverlay,
	replaceTop,
	withOverlay,
} from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";

const PROMPT = ["prompt"] as const;

// biome-ignore format: a table
export const DESTINATION_KEYS: readonly Key[] = [
	{ id: "move-project", name: "Fork into another directory…", synonyms: "move, project, cwd", keys: [], contexts: ["list"],
		help: "fork all marked sessions, or the one under the cursor, into another directory",
		...onChosen("move", (state, rows) => withOverlay(state, destinationPrompt({ type: "destination", rows, archives: false }, state.environment.home))) },
	{ id: "choose", keys: ["enter"], contexts: PROMPT, short: "choose", pi: "tui.input.submit", when: isDestinationPrompt,
		help: "go on with the typed directory, if it exists", run: submitDestination },
	{ id: "complete-place", keys: ["tab"], contexts: PROMPT, short: "complete", when: isDestinationPrompt, needs: whyNoDestination,
		help: "complete the typed directory; again: the next candidate", run: change(completeDestination(1)) },
	{ id: "complete-place-back", keys: ["shift+tab"], contexts: PROMPT, when: isDestinationPrompt, needs: whyNoDestination,
		help: "the previous candidate", run: change(completeDestination(-1)) },
];

/** A prompt for a directory. */
type DestinationPrompt = PromptOverlay & { readonly of: DestinationSubmit };

/** Asks for the directory in which sessions go on, or where copies of them go. */
export function destinationPrompt(
	of: Exclude<DestinationSubmit, { readonly bring: string }>,
	home: string,
): PromptOverlay {
	const gone = goneOf(of);
	const goneLine = gone === undefined ? [] : [[strong(shortenHome(gone, home)), span(" is gone", "muted")]];
	const submit = (state: State): Transition => transition(state);
	const prompt = { kind: "prompt", value: editedText(""), submit, of } as const;
	if ("resume" in of) return { ...prompt, title: "Resume in another directory", body: goneLine };
	const { rows, archives } = of;
	const many = rows.length !== 1;
	if (archives)
		return {
			...prompt,
			title: "Where the sessions belong now",
			body: [
				...goneLine,
				subjectRow(rows),
				[
					span(
						`${many ? "Forks go there; the originals go" : "A fork goes there; the original goes"} into the archive`,
						"muted",
					),
				],
			],
		};
	const stays = many
		? "Forks go there; the sessions themselves stay as they are"
		: "A fork goes there; the session itself stays as it is";
	return { ...prompt, title: "Fork into another directory", body: [subjectRow(rows), [span(stays, "muted")]] };
}

/** The prompt for a directory, if it has the focus. */
function openPrompt({ overlays }: Pick<State, "overlays">): DestinationPrompt | undefined {
	const top = overlays.at(-1);
	return top?.kind === "prompt" && top.of?.type === "destination" ? { ...top, of: top.of } : undefined;
}

function isDestinationPrompt(state: State): boolean {
	return openPrompt(state) !== undefined;
}

function whyNoDestination(state: State): string | undefined {
	const isCompleting = state.typing.last?.kind === "complete" && state.typing.last.candidates.length > 1;
	return isCompleting || candidatesIn(state).length > 0 ? undefined : "No known directory begins with this";
}

function completeDestination(by: 1 | -1): (state: State) => State {
	return (state) => {
		const prompt = openPrompt(state);
		if (prompt === undefined) return state;
		const step = complete(candidatesIn(state), by);
		let [value, typing] = step(prompt.value, state.typing);
		// Before anything is typed, the first one is meant, and not what all have in common.
		if (prompt.value.text === "" && typing.last?.kind === "complete" && typing.last.index === -1)
			[value, typing] = step(value, typing);
		return replaceTop({ ...state, typing }, { ...prompt, value });
	};
}

/** Enter in the prompt. It stays open until the directory is known to exist. */
function submitDestination(state: State): Transition {
	const { value, of } = openPrompt(state) ?? {};
	if (value === undefined || of === undefined) return transition(state);
	const { text } = value;
	if (text.trim() === "") return transition(say(state, "Type a directory; tab completes it", "warning"));
	return transition(state, { type: "check-destination", directory: typedDirectory(text, state.environment), of });
}

/** Goes on with the typed directory if it exists, unless the person has done something else meanwhile. */
export function applyDestination(
	state: State,
	{ directory, fate, of }: Extract<Action, { type: "destination-checked" }>,
): Transition {
	const prompt = openPrompt(state);
	if (prompt?.of !== of || typedDirectory(prompt.value.text, state.environment) !== directory) return transition(state);
	const shown = shortenHome(directory, state.environment.home);
	if (fate.kind === "gone") return transition(say(state, `There is no directory ${shown}`, "warning"));
	if (fate.kind === "unknown") return transition(say(state, `${shown} cannot be checked: ${fate.why}`, "warning"));
	const closed = closeOverlay(state);
	if ("resume" in of) return transition(closed, { type: "resume", request: { ...of.resume, cwd: directory } });
	if ("bring" in of) {
		const row = closed.catalog.rows.get(of.bring);
		return row === undefined ? transition(closed) : withOverlay(closed, bringIntoMenu(closed, row, directory));
	}
	return askToChange(closed, { type: "fork", to: directory, archives: of.archives }, of.rows);
}

/** The absolute path of the typed directory. */
function typedDirectory(text: string, { cwd, home }: State["environment"]): string {
	return resolvePath(text.trim(), cwd, home);
}

/** Index of the last separator of a path; -1 if it has none. A backslash counts only on Windows. */
function lastSeparator(text: string): number {
	return Math.max(text.lastIndexOf("/"), text.lastIndexOf(sep));
}

/** The directory whose folders can complete the typed text; undefined while that is not a path. */
function typedParent({ value: { text } }: DestinationPrompt, environment: State["environment"]): string | undefined {
	const end = lastSeparator(text);
	return end === -1 ? undefined : typedDirectory(text.slice(0, end + 1), environment);
}

/** At most this many directories of sessions are offered: those used last. */
const MAX_OFFERED = 30;

/** The directories that the open prompt offers before anything is typed, the likeliest first. */
export const OFFERED = defineQuery<Offer, readonly OfferedDirectory[]>({
	name: "directories to offer",
	wanted(state, { asked }) {
		const of = openPrompt(state)?.of;
		if (of === undefined || of === asked?.of) return of && asked;
		const directories = allProjects(state.catalog.here).map(({ directory }) => directory);
		const known = directories.filter((directory) => isAbsolute(directory)).slice(0, MAX_OFFERED);
		return { of, gone: goneOf(of), known };
	},
	load: ({ gone, known }, { disk }) => offerDirectories(gone, known, readGitNotes(disk), disk.readDisk),
});

/** What a prompt is opened for: likely places of `gone`, if that is set, and the `known` directories of sessions. */
interface Offer {
	readonly of: DestinationSubmit;
	readonly gone: string | undefined;
	readonly known: readonly string[];
}

/** The names of the folders in the directory that is being typed. */
export const FOLDERS = defineQuery<string, readonly string[]>({
	name: "folders",
	wanted(state) {
		const prompt = openPrompt(state);
		return prompt && typedParent(prompt, state.environment);
	},
	load: (directory, { disk }) => listFolders(directory, disk.readDisk),
});

/** The missing directory that another one is asked for; undefined for a copy, and for sessions of several directories. */
function goneOf(of: DestinationSubmit): string | undefined {
	if ("resume" in of) return of.resume.cwd;
	if (!("rows" in of && of.archives)) return undefined;
	const [only, second] = new Set(of.rows.map(({ cwd }) => cwd));
	return second === undefined ? only : undefined;
}

/** What the text before the cursor can be completed to: folders, or directories of sessions while it is not a path. */
function candidatesIn(state: State): readonly Candidate[] {
	const prompt = openPrompt(state);
	if (prompt === undefined || prompt.value.cursor < prompt.value.text.length) return [];
	const { text } = prompt.value;
	const whole = (path: string, meaning = ""): Candidate => {
		return { text: path, start: 0, end: text.length, meaning, isWhole: false };
	};
	if (text === "~") return [whole("~/")];
	const { home } = state.environment;
	const parent = typedParent(prompt, state.environment);
	if (parent === undefined) {
		const { key, value = [] } = OFFERED.of(state);
		if (key?.of !== prompt.of) return [];
		const typed = text.trim().toLowerCase();
		return value
			.filter(({ directory }) => directory.toLowerCase().includes(typed))
			.map(({ directory, why }) => whole(shortenHome(directory, home), why));
	}
	const { key, value: names = [] } = FOLDERS.of(state);
	if (key !== parent) return [];
	const start = text.slice(0, lastSeparator(text) + 1);
	const half = text.slice(start.length).toLowerCase();
	return names
		.filter((name) => name.toLowerCase().startsWith(half) && (half !== "" || !name.startsWith(".")))
		.map((name) => whole(`${start}${name}/`));
}

/** The candidates shown below the field, as many as fit. */
export function destinationLines(state: State, { of }: PromptOverlay, width: number): Line[] {
	if (of?.type !== "destination") return [];
	const { last } = state.typing;
	const isCompleting = last?.kind === "complete" && last.candidates.length > 1;
	const candidates = isCompleting ? last.candidates : candidatesIn(state);
	// While the person cycles through the candidates, the current one comes first.
	const at = isCompleting ? Math.max(0, last.index) : 0;
	const [first, ...more] = [...candidates.slice(at), ...candidates.slice(0, at)];
	if (first === undefined) return [[]];
	const line = [span("tab ", "key"), span(wordsOf(first), "accent")];
	for (const candidate of more) {
		const next = span(`  ${wordsOf(candidate)}`, "muted");
		if (lineWidth([...line, next]) > width) break;
		line.push(next);
	}
	return [line];
}

/** "~/new/api (same name)"; of a folder that completes a path, only its name. */
function wordsOf({ text, meaning }: Candidate): ReturnType<typeof sanitizeLine> {
	const path = /[^/]+\/$/.exec(text)?.[0] ?? text;
	return sanitizeLine(meaning === "" ? path : `${path} (${meaning})`);
}
