import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { agentDir, defaultSessionDir, resolveSessionDir } from "../../../src/store/read/session-dir.ts";
import { tempDir } from "../../support/temp-dir.ts";

test("encodes a working directory as pi does", () => {
	expect(defaultSessionDir("/home/u/p", "/agent")).toBe("/agent/sessions/--home-u-p--");
	expect(defaultSessionDir("/", "/agent")).toBe("/agent/sessions/----");
	expect(defaultSessionDir("/x/y", "/agent")).toBe(defaultSessionDir("/x-y", "/agent"));
});

test("finds the agent directory", () => {
	expect(agentDir({}, "/home/u")).toBe("/home/u/.pi/agent");
	expect(agentDir({ PI_CODING_AGENT_DIR: "" }, "/home/u")).toBe("/home/u/.pi/agent");
	expect(agentDir({ PI_CODING_AGENT_DIR: "~/elsewhere" }, "/home/u")).toBe("/home/u/elsewhere");
	expect(agentDir({ PI_CODING_AGENT_DIR: "file:///srv/pi%20agent" }, "/home/u")).toBe("/srv/pi agent");
});

test("uses the flag, the environment, the project's settings, the personal settings, in this order", () => {
	const home = tempDir();
	const cwd = join(home, "work");
	const project = join(cwd, ".pi/settings.json");
	const personal = join(home, ".pi/agent/settings.json");
	const write = (path: string, text: string) => {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	};
	const resolved = (options: { flag?: string; env?: Record<string, string> } = {}) =>
		resolveSessionDir({ env: {}, cwd, home, ...options });

	const nothing = { kind: "default", root: join(home, ".pi/agent/sessions"), problems: [] };
	expect(resolved()).toEqual(nothing);
	write(personal, '{"sessionDir":"~/mine"}');
	expect(resolved()).toEqual({ kind: "custom", dir: join(home, "mine"), source: "settings", problems: [] });
	write(project, '{"sessionDir":"sessions"}');
	expect(resolved()).toEqual({ kind: "custom", dir: join(cwd, "sessions"), source: "settings", problems: [] });
	const env = { PI_CODING_AGENT_SESSION_DIR: "/srv/sessions" };
	expect(resolved({ env })).toMatchObject({ dir: "/srv/sessions", source: "PI_CODING_AGENT_SESSION_DIR" });
	expect(resolved({ env, flag: "~/flag" })).toMatchObject({ dir: join(home, "flag"), source: "--session-dir" });

	write(project, "{ broken");
	const leniently = resolved();
	expect(leniently).toMatchObject({ dir: join(home, "mine") });
	expect(leniently.problems.map(({ path }) => path)).toEqual([project]);
	expect(leniently.problems[0]?.message).toContain("it is not valid JSON");
	write(project, '{"sessionDir":3}');
	expect(resolved().problems[0]?.message).toContain("`sessionDir`");
});
