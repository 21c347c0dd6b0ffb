import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { ProjectsOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";
import { projectNames } from "./project-names.ts";

/** A project: the directory of sessions. */
export interface Project {
	readonly directory: string;
	readonly count: number;
	/** Latest activity in any of its sessions, Unix ms. */
	readonly latest: number;
}

/** The projects with all words that are typed in their directory: those that are called so first, else the latest first. */
export function shownProjects({ catalog }: State, { query }: ProjectsOverlay): readonly Project[] {
	return matching(catalog.rows, query.text.trim().toLowerCase());
}

const allProjects = memoLast((rows: ReadonlyMap<string, SessionRow>): readonly Project[] => {
	const found = new Map<string, { count: number; latest: number }>();
	for (const { cwd, modified, archived } of rows.values()) {
		if (archived === true) continue;
		const known = found.get(cwd);
		const time = modified.getTime();
		if (known === undefined) found.set(cwd, { count: 1, latest: time });
		else {
			known.count += 1;
			known.latest = Math.max(known.latest, time);
		}
	}
	return [...found]
		.map(([directory, sum]) => ({ directory, ...sum }))
		.sort((a, b) => b.latest - a.latest || (a.directory < b.directory ? -1 : 1));
});

const matching = memoLast((rows: ReadonlyMap<string, SessionRow>, typed: string): readonly Project[] => {
	if (typed === "") return allProjects(rows);
	const words = typed.split(/\s+/);
	const { names } = projectNames(rows);
	const isCalled = ({ directory }: Project): boolean =>
		words.every((word) => names.get(directory)?.text.toLowerCase().includes(word));
	const found = allProjects(rows).filter(({ directory }) => {
		const text = directory.toLowerCase();
		return words.every((word) => text.includes(word));
	});
	return [...found.filter(isCalled), ...found.filter((project) => !isCalled(project))];
});
