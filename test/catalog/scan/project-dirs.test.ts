import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { SessionRoots } from "../../../src/catalog/model/session-roots.ts";
import { ProjectDirs } from "../../../src/catalog/scan/project-dirs.ts";
import { SessionsElsewhere } from "../../../src/catalog/scan/session-elsewhere.ts";
import { findSessionFiles } from "../../../src/catalog/scan/session-files.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

function writeAt(path: string, text = ""): string {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	return path;
}

test("the directory that a project sets, and the usual one, if they are there", () => {
	const { base, sessionRoots } = tempAgentDir();
	const cwd = join(base, "work");
	const found = (): readonly string[] => new ProjectDirs(sessionRoots).ofProject(cwd);
	expect(found()).toEqual([]);
	mkdirSync(join(cwd, ".pi", "sessions"), { recursive: true });
	expect(found()).toEqual([join(cwd, ".pi", "sessions")]);
	writeAt(join(cwd, ".pi", "settings.json"), JSON.stringify({ sessionDir: "../shared" }));
	expect(found()).toEqual([join(cwd, ".pi", "sessions")]);
	mkdirSync(join(base, "shared"));
	expect(found()).toEqual([join(base, "shared"), join(cwd, ".pi", "sessions")]);
});

test("nothing on another machine is touched, also not behind a link", () => {
	const { base, root, sessionRoots } = tempAgentDir();
	const far = join(base, "far");
	for (const cwd of [join(far, "api"), join(base, "near")])
		mkdirSync(join(cwd, ".pi", "sessions"), { recursive: true });
	symlinkSync(join(far, "api"), join(base, "link"));
	writeAt(join(base, "near", ".pi", "settings.json"), JSON.stringify({ sessionDir: join(far, "api") }));
	const mounts = `x / ext4 rw 0 0\nhost:/ ${far} nfs4 rw 0 0\n`;
	const dirs = new ProjectDirs(sessionRoots, new SessionsElsewhere(root, mounts));
	const projects = ["far/api", "link", "near"].map((name) => join(base, name));
	expect([...runToEnd(dirs.of(projects))]).toEqual([join(base, "near", ".pi", "sessions")]);
});

test("the files of projects and of their archives are found with all others", () => {
	const { base, sessionRoots, write } = tempAgentDir();
	const own = join(base, "work", ".pi", "sessions");
	const roots: SessionRoots = { ...sessionRoots, projectDirs: [own, join(base, "gone")] };
	const all = [
		write("--a--/a.jsonl", ""),
		writeAt(join(own, "b.jsonl")),
		writeAt(join(own, "session-archive", "c.jsonl")),
		writeAt(join(own, "b", "0199aaaa", "run-0", "session.jsonl")),
	];
	const { files, problems } = runToEnd(findSessionFiles(roots));
	expect(files.map(({ path }) => path).toSorted()).toEqual(all.toSorted());
	expect(problems).toEqual([]);
});
