import type { SessionRow } from "../../../catalog/model/row.ts";
import { fold } from "../../../catalog/query/fold.ts";
import { printTokens } from "../../../catalog/query/tokens.ts";
import { memoEach, memoEqual, memoLast, sameMembers } from "../../../shared/memo.ts";
import { projectKey, withSlashes } from "../../../shared/paths.ts";
import { type CleanText, cleanText, sanitizeLine, startOf } from "../../../ui/text/sanitize.ts";
import { textWidth } from "../../../ui/text/width.ts";
import type { ProjectsOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";

interface ProjectName {
	readonly text: CleanText;
	readonly width: number;
}

/** The names of all projects, by `projectKey`. */
export interface ProjectNames {
	readonly names: ReadonlyMap<string, ProjectName>;
	/** Cells of the widest one. */
	readonly width: number;
}

/** UTF-16 units of a directory's name that are used. */
const MAX_NAME = 200;
const SEPARATOR = /[/\\]+/;

/** The names of the projects of these sessions: the last folder, with the one above it if two would have the same name. */
export function projectNames(rows: ReadonlyMap<string, SessionRow>): ProjectNames {
	return namesOf(directoriesOf(rows));
}

/** The projects of all sessions; the same object while these are the same, however much a session grows. */
const directoriesOf = memoEqual((rows: ReadonlyMap<string, SessionRow>): ReadonlySet<string> => {
	const cwds = new Set<string>();
	for (const { cwd } of rows.values()) cwds.add(cwd);
	return new Set(cwds.values().map(projectKey));
}, sameMembers);

const namesOf = memoLast((directories: ReadonlySet<string>): ProjectNames => {
	const byFolder = Map.groupBy(directories, (directory) => folders(directory, 1));
	const names = new Map<string, ProjectName>();
	let width = 0;
	for (const [folder, same] of byFolder) {
		for (const directory of same) {
			const text = sanitizeLine(startOf(same.length === 1 ? folder : folders(directory, 2), MAX_NAME));
			const name = { text: text === "" ? cleanText("–") : text, width: textWidth(text) };
			names.set(directory, name);
			width = Math.max(width, name.width);
		}
	}
	return { names, width };
});

/** The part of a query that finds the sessions of a project, and no other ones. */
export function partOfProject(projects: ProjectNames, directory: string): string {
	const { lastFolders, parts } = partsOf(projects);
	const key = projectKey(directory);
	const knownPart = parts.get(key);
	if (knownPart !== undefined) return knownPart;
	const name = folders(key, 1);
	const word = fold(name);
	const alike = lastFolders.filter(({ folded }) => folded.includes(word));
	const isShared = name === "" || alike.some((other) => other.key !== key && other.name === name);
	const part = partFor("project", isShared ? `=${key}` : alike.length > 1 ? `=${name}` : name);
	parts.set(key, part);
	return part;
}

/** The last folders of all projects, and the parts of queries for those that were drawn: each frame has one in each row. */
const partsOf = memoEach(({ names }: ProjectNames) => {
	const lastFolders = [...names.keys()].map((key) => ({ key, name: folders(key, 1), folded: fold(folders(key, 1)) }));
	return { lastFolders, parts: new Map<string, string>() };
});

/** The part of a query that asks a field for a value, in quotes if it needs them. */
export function partFor(field: string, value: string): string {
	return printTokens([{ field, value, quoted: /\s/.test(value), not: false }]);
}

function folders(directory: string, count: number): string {
	const parts = directory.split(SEPARATOR).filter(Boolean);
	return parts.length === 0 ? directory : parts.slice(-count).join("/");
}

export interface Project {
	/** As `projectKey` names it. */
	readonly directory: string;
	readonly count: number;
	/** Latest activity in any of its sessions, Unix ms. */
	readonly latest: number;
}

/** The projects whose directory contains all typed words: those whose name does first, then by latest activity. */
export function shownProjects({ catalog }: State, { query }: ProjectsOverlay): readonly Project[] {
	return matching(catalog.rows, query.text.trim().toLowerCase());
}

/** All projects, by latest activity. */
export const allProjects = memoLast((rows: ReadonlyMap<string, SessionRow>): readonly Project[] => {
	const sums = new Map<string, { count: number; latest: number }>();
	for (const { cwd, modified, archived } of rows.values()) {
		if (archived === true) continue;
		const project = projectKey(cwd);
		const knownSum = sums.get(project);
		const time = modified.getTime();
		if (knownSum === undefined) sums.set(project, { count: 1, latest: time });
		else {
			knownSum.count += 1;
			knownSum.latest = Math.max(knownSum.latest, time);
		}
	}
	return [...sums]
		.map(([directory, sum]) => ({ directory, ...sum }))
		.sort((a, b) => b.latest - a.latest || (a.directory < b.directory ? -1 : 1));
});

const matching = memoLast((rows: ReadonlyMap<string, SessionRow>, typed: string): readonly Project[] => {
	if (typed === "") return allProjects(rows);
	const words = typed.split(/\s+/);
	const { names } = projectNames(rows);
	const isCalled = ({ directory }: Project): boolean =>
		words.every((word) => names.get(directory)?.text.toLowerCase().includes(word));
	const matches = allProjects(rows).filter(({ directory }) => {
		const text = withSlashes(directory).toLowerCase();
		return words.every((word) => text.includes(withSlashes(word, directory)));
	});
	return [...matches.filter(isCalled), ...matches.filter((project) => !isCalled(project))];
});
