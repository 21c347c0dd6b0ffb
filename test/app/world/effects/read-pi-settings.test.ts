import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPiSettings } from "../../../../src/cli/browser/read-pi-settings.ts";
import { treeFilterSetting } from "../../../../src/conversation/tree/shown-entries.ts";
import { tempDir } from "../../../support/temp-dir.ts";

function filterOf(project: string | undefined, global: string | undefined) {
	const cwd = tempDir();
	const agentDir = tempDir();
	mkdirSync(join(cwd, ".pi"));
	if (project !== undefined) writeFileSync(join(cwd, ".pi", "settings.json"), project);
	if (global !== undefined) writeFileSync(join(agentDir, "settings.json"), global);
	return treeFilterSetting(readPiSettings(cwd, agentDir).map(({ fields }) => fields));
}

test.each<[string | undefined, string | undefined, string | undefined]>([
	[undefined, undefined, undefined],
	[undefined, '{"treeFilterMode": "user-only"}', "user-only"],
	[undefined, '\uFEFF{"treeFilterMode": "all"}', "all"],
	['{"treeFilterMode": "no-tools"}', '{"treeFilterMode": "all"}', "no-tools"],
	['{"theme": "dark"}', '{"treeFilterMode": "labeled-only"}', "labeled-only"],
	[undefined, '{"treeFilterMode": "constructor"}', undefined],
	[undefined, '{"treeFilterMode": 5}', undefined],
	["not JSON", "[]", undefined],
])("%s in the project and %s for all are %s", (project, global, filter) => {
	expect(filterOf(project, global)).toBe(filter);
});
