import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ARTIFACTS } from "../../src/catalog/model/run-place.ts";
import { fixtureDir } from "./fixture.ts";

/** Where the files of the fixtures were, as they name each other, and the directory in which their pi ran. */
const SESSIONS = "/home/dev/.pi/agent/sessions";
const PROJECT = "--home-dev-work-api--";
const CWD = "/home/dev/work/api";

/** Copies a family of `fixtures/families` below a directory of sessions, into a project of its own; returns its path. */
export function copyFamily(name: string, sessions: string): string {
	const directory = join(sessions, `--work-${name}--`);
	cpSync(join(fixtureDir, "families", name, PROJECT), directory, { recursive: true });
	for (const path of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
		const file = join(directory, path);
		if (!statSync(file).isFile()) continue;
		const text = readFileSync(file, "utf8")
			.replaceAll(`${SESSIONS}/${PROJECT}`, directory)
			.replaceAll(SESSIONS, sessions)
			.replaceAll(CWD, `/work/${name}`);
		writeFileSync(file, text);
	}
	return directory;
}

/** The paths of the sessions in a copied family: first that of its parent, which is the oldest directly in the directory. */
export function sessionsOf(directory: string): readonly [parent: string, ...runs: string[]] {
	const names = readdirSync(directory, { recursive: true, encoding: "utf8" })
		.filter((path) => path.endsWith(".jsonl") && !path.includes(ARTIFACTS))
		.sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
	const [parent, ...runs] = names.map((name) => join(directory, name));
	if (parent === undefined) throw new Error(`no session in ${directory}`);
	return [parent, ...runs];
}
