import { readdir } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { mapInTurn } from "../../../../shared/map-in-turn.ts";
import { findGit, rootOf, worktreesOf } from "../../../world/effects/git-places.ts";
import type { Look } from "../../../world/effects/patient-look.ts";
import type { FoundPlace, GitNote } from "../moved-state.ts";
import { gitNoteOf } from "./git-notes.ts";
import { fateOf } from "./look-at-directories.ts";

/** Looks for the new places of directories that are gone. */
export interface PlaceFinder {
	/**
	 * What speaks for which directory, for each that is gone. `there`: the directories of sessions that exist. What was looked
	 * at on the way is remembered until the next `search`.
	 */
	find(
		search: number,
		gone: readonly string[],
		there: readonly string[],
	): Promise<ReadonlyMap<string, readonly FoundPlace[]>>;
}

interface Tools {
	readonly look: Look;
	/** What was noted of directories while they were there. */
	readonly notes: () => ReadonlyMap<string, GitNote>;
	readonly home: string;
	/** Present time, Unix ms. */
	readonly clock: () => number;
}

/** Folders below a place that are looked through, so deep, so many, and for so long. */
const DEEPEST = 4;
const MOST_FOLDERS = 3000;
const LONGEST_WALK_MS = 3000;
/** Places that are looked at for each directory that is gone, and folders that sessions are in. */
const MOST_TRIED = 40;
const MOST_PARENTS = 300;

/** Folders of programs, not of projects. */
const SKIPPED: ReadonlySet<string> = new Set([
	"node_modules",
	"target",
	"dist",
	"build",
	"vendor",
	"__pycache__",
	"Library",
]);
/** Nobody keeps projects below these, and not all of them are disks. */
const NO_PROJECTS: ReadonlySet<string> = new Set([
	"/",
	"/proc",
	"/sys",
	"/dev",
	"/run",
	"/etc",
	"/usr",
	"/bin",
	"/lib",
	"/boot",
]);

/** What was found on the disks. */
interface Surroundings {
	/** Directories by their last folder. */
	readonly byName: Map<string, string[]>;
	/** Directories that have a repository of their own. */
	readonly repositories: Set<string>;
	/** Where was looked already. */
	readonly walked: Set<string>;
	/** Directories in which sessions are, or were made. */
	readonly parents: readonly string[];
	/** By the remote repository, the copies of it. */
	readonly copies: Map<string, Set<string>>;
	readonly copiesOf: Set<string>;
	/** Worktrees, with their names and their repositories. */
	readonly worktrees: Map<string, { readonly name: string; readonly directory: string; readonly repository: string }>;
	/** What is shared by worktrees of which these were looked up. */
	readonly known: Set<string>;
}

export function createPlaceFinder({ look, notes, home, clock }: Tools): PlaceFinder {
	let last = -1;
	let around: Promise<Surroundings> | undefined;

	return {
		async find(search, gone, there) {
			if (search !== last || around === undefined) around = lookAround(there, look);
			last = search;
			const surroundings = await around;
			const noted = notes();
			const found = new Map<string, readonly FoundPlace[]>();
			for (const directory of gone) {
				await walkFor(directory, surroundings);
				found.set(directory, await placesOf(directory, noted.get(directory), surroundings));
			}
			return found;
		},
	};

	/** Looks through what is below the nearest directory that exists, and below the home directory. */
	async function walkFor(gone: string, surroundings: Surroundings): Promise<void> {
		let top = dirname(gone);
		while (dirname(top) !== top && (await fateOf(top, look)).kind === "gone") top = dirname(top);
		await walk(top, surroundings);
		await walk(home, surroundings);
	}

	async function walk(from: string, surroundings: Surroundings): Promise<void> {
		if (NO_PROJECTS.has(from) || surroundings.walked.has(from)) return;
		surroundings.walked.add(from);
		const end = clock() + LONGEST_WALK_MS;
		let level = [from];
		let left = MOST_FOLDERS;
		for (let depth = 0; depth < DEEPEST; depth++) {
			const below = await mapInTurn(level.slice(0, left), (each) =>
				clock() > end ? Promise.resolve([]) : foldersIn(each, surroundings),
			);
			left -= level.length;
			level = below.flat();
		}
	}

	async function foldersIn(directory: string, { byName, repositories }: Surroundings): Promise<readonly string[]> {
		const entries = await look(directory, () => readdir(directory, { withFileTypes: true })).catch(() => []);
		const folders: string[] = [];
		const isRepository = entries.some(({ name }) => name === ".git");
		if (isRepository) repositories.add(directory);
		for (const entry of entries) {
			if (!entry.isDirectory() || entry.name.startsWith(".") || SKIPPED.has(entry.name)) continue;
			const folder = join(directory, entry.name);
			folders.push(folder);
			addTo(byName, entry.name, folder);
		}
		// What is in it has moved with it.
		return isRepository ? [] : folders;
	}

	async function placesOf(
		gone: string,
		note: GitNote | undefined,
		surroundings: Surroundings,
	): Promise<readonly FoundPlace[]> {
		const wanted = [
			...(note === undefined ? [] : await withSameRemote(note, surroundings)),
			...ofWorktrees(gone, note, surroundings),
			...withSameName(gone, surroundings),
		].filter(({ directory }) => directory !== gone && directory !== home && !NO_PROJECTS.has(directory));
		const tried = new Map<string, boolean>();
		for (const { directory } of wanted) {
			if (tried.size === MOST_TRIED) break;
			if (!tried.has(directory)) tried.set(directory, (await fateOf(directory, look)).kind === "there");
		}
		return wanted.filter(({ directory }) => tried.get(directory) === true);
	}

	/** Copies of the same remote repository; what is cut off is looked at only where something is to be compared with it. */
	async function withSameRemote(
		{ remote, inside }: GitNote,
		{ repositories, copies, copiesOf }: Surroundings,
	): Promise<readonly FoundPlace[]> {
		if (remote === "") return [];
		const unknown = [...repositories].filter((each) => !copiesOf.has(each));
		await mapInTurn(unknown, async (each) => {
			copiesOf.add(each);
			const name = (await gitNoteOf(each, look))?.remote ?? "";
			if (name !== "") copies.set(name, (copies.get(name) ?? new Set()).add(each));
		});
		return [...(copies.get(remote) ?? [])].map((top) => ({
			directory: join(top, inside),
			reason: { kind: "remote", remote },
		}));
	}
}

/** The directories of sessions, the folders that those are in, and the worktrees of their repositories. */
async function lookAround(there: readonly string[], look: Look): Promise<Surroundings> {
	const byName = new Map<string, string[]>();
	const repositories = new Set<string>();
	const worktrees: Surroundings["worktrees"] = new Map();
	const known = new Set<string>();
	await mapInTurn(there, async (directory) => {
		addTo(byName, basename(directory), directory);
		const git = await findGit(directory, look);
		if (git === undefined) return;
		repositories.add(git.top);
		if (known.has(git.common)) return;
		known.add(git.common);
		const repository = rootOf(git.common);
		for (const worktree of await worktreesOf(git.common, look))
			worktrees.set(worktree.directory, { ...worktree, repository });
	});
	const parents = [...new Set(there.map((directory) => dirname(directory)))].slice(0, MOST_PARENTS);
	return { byName, repositories, walked: new Set(), parents, copies: new Map(), copiesOf: new Set(), worktrees, known };
}

/**
 * Directories whose last folders are those of the one that is gone: it was moved itself, or one above it was. The more of
 * them are the same, the earlier.
 */
function withSameName(gone: string, { byName, parents }: Surroundings): readonly FoundPlace[] {
	const folders = gone.split(sep).filter((folder) => folder !== "");
	const found: FoundPlace[] = [];
	// Names above the place where the two ways part are not the same.
	for (let from = 1; from < folders.length; from++) {
		const rest = folders.slice(from + 1);
		for (const place of byName.get(folders[from] ?? "") ?? []) {
			const directory = join(place, ...rest);
			found.push({ directory, reason: { kind: "name", shared: sharedFolders(gone, directory) } });
		}
	}
	for (const parent of parents) {
		const directory = join(parent, basename(gone));
		found.push({ directory, reason: { kind: "name", shared: sharedFolders(gone, directory) } });
	}
	return found;
}

/** How many of the last folders of two directories are the same. */
function sharedFolders(one: string, other: string): number {
	const [a, b] = [one.split(sep), other.split(sep)];
	let count = 0;
	while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count += 1;
	return count;
}

/** Where a worktree was moved to, or the repository of one that was removed. */
function ofWorktrees(gone: string, note: GitNote | undefined, { worktrees }: Surroundings): readonly FoundPlace[] {
	const found: FoundPlace[] = [];
	for (const { name, directory, repository } of worktrees.values()) {
		const inside =
			directory === gone ? "" : gone.startsWith(join(directory, sep)) ? gone.slice(directory.length + 1) : undefined;
		const reason = { kind: "worktree", repository } as const;
		// Git still knows it in its old place.
		if (inside !== undefined) found.push({ directory: join(repository, inside), reason });
		else if (name === basename(gone) && note?.worktreeOf === repository) found.push({ directory, reason });
	}
	if (note !== undefined && note.worktreeOf !== "")
		found.push({
			directory: join(note.worktreeOf, note.inside),
			reason: { kind: "worktree", repository: note.worktreeOf },
		});
	return found;
}

function addTo(byName: Map<string, string[]>, name: string, directory: string): void {
	const known = byName.get(name);
	if (known === undefined) byName.set(name, [directory]);
	else if (!known.includes(directory)) known.push(directory);
}
