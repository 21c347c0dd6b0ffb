import { readGitNotes } from "../../../catalog/git/git-notes.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { isAbsolute, resolvePath, sep } from "../../../shared/paths.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import type { Candidate } from "../../../ui/field/typing.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { span, strong } from "../../../ui/text/line.ts";
import { defineQuery } from "../effects/define-query.ts";
import { listFolders, type OfferedDirectory, offerDirectories } from "../effects/directories.ts";
import { allProjects } from "../list/projects.ts";
import { subjectRow, titleRow } from "../screen/menus.ts";
import { type Destination, type PromptCompletion, type PromptOverlay, topOverlay } from "../state/overlays.ts";
import { type State, transition } from "../state/state.ts";

type DestinationPrompt = PromptOverlay & { readonly destination: Destination };

/** Asks for the directory in which a session is resumed, or into which copies go. */
export function destinationPrompt(state: State, destination: Destination): DestinationPrompt {
	const goneDirectory = goneOf(destination);
	const goneLine =
		goneDirectory === undefined
			? []
			: [[strong(shortenHome(goneDirectory, state.environment.home)), span(" is gone", "muted")]];
	const prompt = {
		...({ kind: "prompt", value: editedText(""), completion: COMPLETION, destination } as const),
		// Its own key asks first whether the directory exists.
		submit: (now: State) => transition(now),
	};
	if ("resume" in destination) return { ...prompt, title: "Resume in another directory", body: goneLine };
	if ("bring" in destination) {
		const { bring } = destination;
		return { ...prompt, title: "Copy it into another directory", body: [titleRow(sessionTitle(bring))] };
	}
	const { rows, archives } = destination;
	const isOne = rows.length === 1;
	if (archives) {
		const fate = isOne ? "A fork goes there; the original goes" : "Forks go there; the originals go";
		const body = [...goneLine, subjectRow(rows), [span(`${fate} into the archive`, "muted")]];
		return { ...prompt, title: "New directory of the sessions", body };
	}
	const fate = isOne
		? "A fork goes there; the session itself stays as it is"
		: "Forks go there; the sessions themselves stay as they are";
	return { ...prompt, title: "Fork into another directory", body: [subjectRow(rows), [span(fate, "muted")]] };
}

/** The prompt for a directory, if it has the focus. */
export function openDestinationPrompt(state: State): DestinationPrompt | undefined {
	const top = topOverlay(state);
	return top?.kind === "prompt" && top.destination !== undefined ? { ...top, destination: top.destination } : undefined;
}

export function typedDirectory(text: string, { cwd, home }: State["environment"]): string {
	return resolvePath(text.trim(), cwd, home);
}

/** Index of the last separator of a path; -1 if it has none. A backslash counts only on Windows. */
function lastSeparator(text: string): number {
	return Math.max(text.lastIndexOf("/"), text.lastIndexOf(sep));
}

/** The directory whose folders can complete the typed text; undefined while that is not a path. */
function typedParent({ text }: EditedText, environment: State["environment"]): string | undefined {
	const end = lastSeparator(text);
	return end === -1 ? undefined : typedDirectory(text.slice(0, end + 1), environment);
}

/** At most this many directories of sessions are offered: those used last. */
const MAX_OFFERED = 30;

/** The directories that the open prompt offers before anything is typed, the likeliest first. */
export const OFFERED = defineQuery<Offer, readonly OfferedDirectory[]>({
	name: "directories to offer",
	wanted(state, { asked }) {
		const destination = openDestinationPrompt(state)?.destination;
		if (destination === undefined || destination === asked?.destination) return destination && asked;
		const directories = allProjects(state.catalog.here).map(({ directory }) => directory);
		const ofSessions = directories.filter((directory) => isAbsolute(directory)).slice(0, MAX_OFFERED);
		return { destination, gone: goneOf(destination), ofSessions };
	},
	load: ({ gone, ofSessions }, { disk }) => offerDirectories(gone, ofSessions, readGitNotes(disk), disk.readDisk),
});

/** What a prompt is opened for: likely places of `gone`, if that is set, and the directories of sessions. */
interface Offer {
	readonly destination: Destination;
	readonly gone: string | undefined;
	readonly ofSessions: readonly string[];
}

/** The names of the folders in the directory that is being typed. */
export const FOLDERS = defineQuery<string, readonly string[]>({
	name: "folders",
	wanted(state) {
		const prompt = openDestinationPrompt(state);
		return prompt && typedParent(prompt.value, state.environment);
	},
	load: (directory, { disk }) => listFolders(directory, disk.readDisk),
});

/** The missing directory that another one is asked for; undefined for a copy, and for sessions of several directories. */
function goneOf(destination: Destination): string | undefined {
	if ("resume" in destination) return destination.resume.cwd;
	if (!("rows" in destination && destination.archives)) return undefined;
	const [only, second] = new Set(destination.rows.map(({ cwd }) => cwd));
	return second === undefined ? only : undefined;
}

const COMPLETION: PromptCompletion = {
	candidates,
	nothing: "No known directory begins with this",
	/** "~/new/api (same name)"; of a folder that completes a path, only its name. */
	wordsOf({ text, meaning }) {
		const path = /[^/]+\/$/.exec(text)?.[0] ?? text;
		return meaning === "" ? path : `${path} (${meaning})`;
	},
};

/** Folders, or directories of sessions while the typed text is not a path. */
function candidates(state: State, field: EditedText): readonly Candidate[] {
	const { text, cursor } = field;
	if (cursor < text.length) return [];
	const whole = (path: string, meaning = ""): Candidate => {
		return { text: path, start: 0, end: text.length, meaning, isWhole: false };
	};
	if (text === "~") return [whole("~/")];
	const parent = typedParent(field, state.environment);
	if (parent === undefined) {
		const { key, value = [] } = OFFERED.of(state);
		if (key?.destination !== openDestinationPrompt(state)?.destination) return [];
		const typed = text.trim().toLowerCase();
		return value
			.filter(({ directory }) => directory.toLowerCase().includes(typed))
			.map(({ directory, why }) => whole(shortenHome(directory, state.environment.home), why));
	}
	const { key, value: names = [] } = FOLDERS.of(state);
	if (key !== parent) return [];
	const start = text.slice(0, lastSeparator(text) + 1);
	const half = text.slice(start.length).toLowerCase();
	return names
		.filter((name) => name.toLowerCase().startsWith(half) && (half !== "" || !name.startsWith(".")))
		.map((name) => whole(`${start}${name}${sep}`));
}
