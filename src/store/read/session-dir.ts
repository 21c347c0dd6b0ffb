import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { isObject } from "../../shared/json.ts";
import { expandPath, join, resolvePath } from "../../shared/paths.ts";
import type { Env } from "../../shared/system.ts";
import { readTextFile } from "../files/open-file.ts";
import { errorCode, explain } from "../files/store-error.ts";

/** pi's own directory: `PI_CODING_AGENT_DIR` if set and not empty, else `~/.pi/agent`. */
export function agentDir(env: Env = process.env, home: string = homedir()): string {
	const dir = env.PI_CODING_AGENT_DIR;
	return dir ? expandPath(dir, home) : join(home, ".pi", "agent");
}

/**
 * The default directory of a project's sessions: `<agentDir>/sessions/--<cwd>--`, with `/`, `\` and `:` as `-`. That
 * loses information (`/x/y` and `/x-y` share a directory): a session's project is its header's `cwd`.
 */
export function defaultSessionDir(cwd: string, agent: string = agentDir()): string {
	return join(resolvePath(agent), "sessions", directoryName(resolvePath(cwd)));
}

/** pi's name for the directory of a project's sessions, from the absolute path of the project on any system. */
export function directoryName(cwd: string): string {
	return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

/** The default session directory, created if missing; name, argument order and effect are those of pi's function. */
export function getDefaultSessionDir(cwd: string, agent: string = agentDir()): string {
	const dir = defaultSessionDir(cwd, agent);
	if (!existsSync(dir)) mkdirSync(dir, { recursive: true });
	return dir;
}

type SessionDirSource = "--session-dir" | "PI_CODING_AGENT_SESSION_DIR" | "settings";

/** Where the sessions are: one directory per project under `root`, or all in the one flat directory `dir`. */
type SessionDirChoice =
	| { readonly kind: "default"; readonly root: string }
	| { readonly kind: "custom"; readonly dir: string; readonly source: SessionDirSource };

interface SettingsProblem {
	readonly path: string;
	/** What was being done, why it failed and what was done instead. */
	readonly message: string;
}

type ResolvedSessionDir = SessionDirChoice & { readonly problems: readonly SettingsProblem[] };

/**
 * Finds the session directory as pi does; the first of these that is set wins: the flag, the environment, `sessionDir` in
 * `<cwd>/.pi/settings.json`, then in `<agentDir>/settings.json`, else the default. The result's paths are absolute;
 * a relative one is resolved against `cwd`. Never throws: a broken settings file is reported, and the next one is read.
 */
export function resolveSessionDir(options: {
	/** The value of `--session-dir`. */
	readonly flag?: string | undefined;
	readonly env?: Env;
	readonly cwd?: string;
	readonly home?: string;
}): ResolvedSessionDir {
	const { flag, env = process.env, cwd = process.cwd(), home = homedir() } = options;
	const problems: SettingsProblem[] = [];
	const custom = (dir: string, source: SessionDirSource): ResolvedSessionDir => {
		return { kind: "custom", dir: resolvePath(dir, cwd, home), source, problems };
	};
	if (flag) return custom(flag, "--session-dir");
	if (env.PI_CODING_AGENT_SESSION_DIR) return custom(env.PI_CODING_AGENT_SESSION_DIR, "PI_CODING_AGENT_SESSION_DIR");
	const agent = resolvePath(agentDir(env, home), cwd, home);
	for (const file of [join(cwd, ".pi", "settings.json"), join(agent, "settings.json")]) {
		const dir = sessionDirSetting(file, problems);
		if (dir) return custom(dir, "settings");
	}
	return { kind: "default", root: join(agent, "sessions"), problems };
}

/**
 * The absolute path of the directory that a project sets for its sessions in its `.pi/settings.json`; undefined if it sets none, or the
 * file cannot be read: pi reports that when it runs there. `cwd` is absolute.
 */
export function projectSessionDir(cwd: string, home: string = homedir()): string | undefined {
	const dir = sessionDirSetting(join(cwd, ".pi", "settings.json"), []);
	return dir ? resolvePath(dir, cwd, home) : undefined;
}

function sessionDirSetting(path: string, problems: SettingsProblem[]): string | undefined {
	const instead = "it was ignored when looking for the session directory";
	try {
		const settings: unknown = JSON.parse(readTextFile(path).replace(/^\uFEFF/, ""));
		if (!isObject(settings)) {
			problems.push({ path, message: `pi's settings file does not hold a JSON object; ${instead}. Path: ${path}` });
			return undefined;
		}
		const dir = settings.sessionDir;
		if (dir === undefined || dir === null || typeof dir === "string") return dir ?? undefined;
		problems.push({ path, message: `\`sessionDir\` in ${path} is not a string; ${instead}.` });
	} catch (error) {
		// Usually there is no settings file.
		if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
		const why = error instanceof SyntaxError ? "it is not valid JSON" : explain(error);
		problems.push({ path, message: `Cannot read pi's settings file: ${why}; ${instead}. Path: ${path}` });
	}
	return undefined;
}
