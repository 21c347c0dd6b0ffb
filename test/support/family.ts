import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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
