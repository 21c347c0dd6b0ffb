import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast, memoVersions } from "../../../shared/memo.ts";
import type { Tone } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine, startOf } from "../../../ui/text/sanitize.ts";
import { textWidth } from "../../../ui/text/width.ts";

/** What a project is called where there is not room for its directory. */
interface ProjectName {
	readonly text: CleanText;
	readonly width: number;
	readonly tone: Tone;
}

/** The names of all projects, by directory. */
export interface ProjectNames {
	readonly names: ReadonlyMap<string, ProjectName>;
	/** Cells of the widest one. */
	readonly width: number;
}

export const NO_PROJECTS: ProjectNames = { names: new Map(), width: 0 };

/** The colors of code are told apart in every theme, and can be read. */
const HUES: readonly Tone[] = ["name", "string", "number", "keyword", "type"];
/** Units of a directory's name that are looked at. */
const LONGEST = 200;
const SEPARATOR = /[/\\]+/;

/** The names of the projects of these sessions: the last folder, with the one above it where two would be called the same. */
export function projectNames(rows: ReadonlyMap<string, SessionRow>): ProjectNames {
	return namesOf(directoriesOf(rows));
}

/** The directories of all sessions, as one text: it stays the same however often a session grows. */
const directoriesOf = memoVersions(
	(rows: ReadonlyMap<string, SessionRow>): string => {
		const directories = new Set<string>();
		for (const { cwd } of rows.values()) directories.add(cwd);
		return JSON.stringify([...directories].sort());
	},
	(before, now) => before?.cwd !== now?.cwd,
);

const namesOf = memoLast((directories: string): ProjectNames => {
	// Written by `directoriesOf`.
	const all = JSON.parse(directories) as readonly string[];
	const byFolder = Map.groupBy(all, (directory) => folders(directory, 1));
	const names = new Map<string, ProjectName>();
	let width = 0;
	for (const [folder, same] of byFolder) {
		const tone = hueOf(folder);
		for (const directory of same) {
			const text = sanitizeLine(startOf(same.length === 1 ? folder : folders(directory, 2), LONGEST));
			const name = { text: text === "" ? cleanText("–") : text, width: textWidth(text), tone };
			names.set(directory, name);
			width = Math.max(width, name.width);
		}
	}
	return { names, width };
});

/** The last folders of a directory. */
function folders(directory: string, count: number): string {
	const parts = directory.split(SEPARATOR).filter(Boolean);
	return parts.length === 0 ? directory : parts.slice(-count).join("/");
}

/** The same name has the same color, in every run. */
function hueOf(name: string): Tone {
	let hash = 0;
	for (let at = 0; at < Math.min(name.length, LONGEST); at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
	return HUES[Math.abs(hash) % HUES.length] ?? "text";
}
