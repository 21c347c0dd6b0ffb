import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ARTIFACTS } from "../../src/catalog/model/run-place.ts";
import type { SessionRoots } from "../../src/catalog/model/session-roots.ts";
import type { RawEntry } from "../../src/store/format/raw-entry.ts";
import { fixtureDir } from "./fixture.ts";

const FAMILIES = join(fixtureDir, "families");
/** Where the files of the fixtures were, as they name each other. */
const SESSIONS = "/home/dev/.pi/agent/sessions";

/** Where the catalog would look for them. */
export const FAMILY_ROOTS: SessionRoots = {
	kind: "default",
	root: SESSIONS,
	agentDir: "/home/dev/.pi/agent",
	problems: [],
};

/** A session file of a family. */
export interface FamilyFile {
	/** The path by which the files of the family name it. */
	readonly path: string;
	readonly text: string;
	readonly entries: readonly RawEntry[];
}

/** The names of all families of `fixtures/families`. */
export const familyNames: readonly string[] = readdirSync(FAMILIES, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

/** All files of a family, with artifacts, the parent first. */
export function familyFiles(name: string): readonly [parent: FamilyFile, ...others: FamilyFile[]] {
	const paths = readdirSync(join(FAMILIES, name), { recursive: true, encoding: "utf8" })
		.filter((path) => path.endsWith(".jsonl"))
		.sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
	const [parent, ...others] = paths.map((path) => {
		const text = readFileSync(join(FAMILIES, name, path), "utf8");
		const lines = text.trimEnd().split("\n");
		return { path: join(SESSIONS, path), text, entries: lines.map((line) => JSON.parse(line) as RawEntry) };
	});
	if (parent === undefined) throw new Error(`no such family: ${name}`);
	return [parent, ...others];
}

/** Copies a family into the directory of all sessions; returns the paths of its sessions, the parent first. */
export function copyFamily(name: string, sessions: string): readonly [parent: string, ...runs: string[]] {
	cpSync(join(FAMILIES, name), sessions, { recursive: true });
	const [parent, ...others] = familyFiles(name).map(({ path }) => join(sessions, relative(SESSIONS, path)));
	if (parent === undefined) throw new Error(`no such family: ${name}`);
	return [parent, ...others.filter((path) => !path.includes(`/${ARTIFACTS}/`))];
}
