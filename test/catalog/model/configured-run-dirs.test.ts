import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { configuredRunDirs } from "../../../src/catalog/model/configured-run-dirs.ts";
import { findSessionRoots } from "../../../src/catalog/model/session-roots.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Files below a temporary directory, in which `agent`, `work` and `home` are. */
function configured(files: Readonly<Record<string, string>>) {
	const base = tempDir();
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(base, name)), { recursive: true });
		writeFileSync(join(base, name), text);
	}
	const places = { agentDir: join(base, "agent"), cwd: join(base, "work"), home: join(base, "home") };
	const { dirs, problems } = configuredRunDirs(places);
	return { base, places, problems, dirs: dirs.map((dir) => dir.replace(`${base}/`, "")) };
}

const CONFIG = "agent/extensions/subagent/config.json";
const AGENT = "agent/agents/a.md";

test.each([
	["nothing", {}, []],
	["a directory of pi-subagents", { [CONFIG]: '\ufeff{"defaultSessionDir":"/runs"}' }, ["/runs"]],
	["one at home", { [CONFIG]: '{"defaultSessionDir":"~/runs/"}' }, ["home/runs"]],
	["one of the project", { [CONFIG]: '{"defaultSessionDir":"runs"}' }, ["work/runs"]],
	["none", { [CONFIG]: '{"defaultSessionDir":""}' }, []],
	["no text", { [CONFIG]: '{"defaultSessionDir":["/runs"]}' }, []],
	["no object", { [CONFIG]: "7" }, []],
	[
		"agents without",
		{ [AGENT]: "---\nname: a\n---\nsession_dir: /text\n", "work/.pi/agents/b.md": "session_dir: /text\n" },
		[],
	],
	[
		"agents with one",
		{
			[AGENT]: "---\r\nname: a\r\nsession_dir: /a b # here\r\npersist_session: true\r\n---\r\n",
			"work/.pi/agents/b.md": '---\nsession_dir: "~/b"\n---\n',
			"work/.agents/agents/c.md": "---\nsession_dir: 'c'\n---\n",
			"work/.agents/agents/d.md": "---\nsession_dir:\nname: d\n---\n",
			"work/.pi/agents/e.txt": "---\nsession_dir: /e\n---\n",
		},
		["/a b", "work/c", "home/b"],
	],
] as const)("the directories for runs: %s", (_, files, dirs) => {
	const { dirs: found, problems } = configured(files);
	expect(found).toEqual(["agent/subagent-sessions", ...dirs]);
	expect(problems).toEqual([]);
});

test("a configuration that cannot be read is reported, and the others count", () => {
	const { problems, dirs } = configured({ [CONFIG]: "{", "agent/agents/a.md": "---\nsession_dir: /a\n---\n" });
	expect(dirs).toEqual(["agent/subagent-sessions", "/a"]);
	expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("it is not valid JSON")]);
});

test("a directory that was asked for is listed alone; one that was configured is not", async () => {
	const { places } = configured({
		[CONFIG]: '{"defaultSessionDir":"/runs"}',
		"work/.pi/settings.json": '{"sessionDir":"/mine"}',
	});
	const options = { env: { PI_CODING_AGENT_DIR: places.agentDir }, cwd: places.cwd, home: places.home };
	expect(await findSessionRoots(options)).toMatchObject({
		kind: "custom",
		dir: "/mine",
		runDirs: [expect.anything(), "/runs"],
	});
	expect((await findSessionRoots({ ...options, sessionDir: "/asked" })).runDirs).toBeUndefined();
});
