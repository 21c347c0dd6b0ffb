import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
