import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findSessionFiles } from "../../../src/catalog/scan/session-files.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { header, lines } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** More levels than anything was ever seen to have; each takes 46 characters of a path, of which there are 4,096. */
const LEVELS = 40;

test("runs are found at every depth", () => {
	const { root, sessionRoots } = tempAgentDir();
	let path = join(root, "--w--", "2026-01-01T00-00-00-000Z_head.jsonl");
	const paths: string[] = [];
	for (let level = 0; level <= LEVELS; level += 1) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, lines(header({ id: `s${level}` })));
		paths.push(path);
		const id = `${String(level).padStart(8, "0")}-0000-4000-8000-000000000000`;
		const below = path.slice(0, -".jsonl".length);
		path =
			level % 2 === 0
				? join(below, id, "run-0", "session.jsonl")
				: join(below, "forks", `2026-01-01T00-00-00-000Z_${level}.jsonl`);
	}
	const { files, problems } = runToEnd(findSessionFiles(sessionRoots));
	expect(files.map((file) => file.path).sort()).toEqual(paths.sort());
	expect(problems).toEqual([]);
});
