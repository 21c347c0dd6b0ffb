import { readdirSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import { join, resolvePath } from "../../shared/paths.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";
import type { CatalogProblem } from "./event.ts";

interface ConfiguredRunDirs {
	/** Absolute; they need not exist. */
	readonly dirs: readonly string[];
	readonly problems: readonly CatalogProblem[];
}

interface ConfigPlaces {
	/** Absolute. */
	readonly agentDir: string;
	/** Relative directories and the agents of a project are looked for here. */
	readonly cwd: string;
	readonly home: string;
}

/**
 * The directories in which packages put the sessions of subagents by their configuration: `defaultSessionDir` of
 * pi-subagents, `session_dir` of the agents of @tintinweb/pi-subagents, and `<agentDir>/subagent-sessions`, which several others
 * use. Never throws.
 */
export function configuredRunDirs(places: ConfigPlaces): ConfiguredRunDirs {
	const problems: CatalogProblem[] = [];
	const { agentDir, cwd, home } = places;
	const configured = [defaultSessionDir(agentDir, problems), ...sessionDirsOfAgents(places, problems)];
	const dirs = configured.flatMap((dir) => (dir ? [resolvePath(dir, cwd, home)] : []));
	return { dirs: [...new Set([join(agentDir, "subagent-sessions"), ...dirs])], problems };
}

/** The directory of the runs of all agents of pi-subagents. */
function defaultSessionDir(agentDir: string, problems: CatalogProblem[]): string | undefined {
	const path = join(agentDir, "extensions", "subagent", "config.json");
	const text = textOf(path, problems);
	if (text === undefined) return undefined;
	try {
		const config: unknown = JSON.parse(text);
		const dir = isObject(config) ? config.defaultSessionDir : undefined;
		return typeof dir === "string" ? dir : undefined;
	} catch {
		const message = `Cannot read the configuration of pi-subagents: it is not valid JSON. If it sets \`defaultSessionDir\`, runs in that directory are not listed. Path: ${path}`;
		problems.push({ path, message });
		return undefined;
	}
}

/** The directories of the agents of @tintinweb/pi-subagents that have one of their own. */
function sessionDirsOfAgents({ agentDir, cwd }: ConfigPlaces, problems: CatalogProblem[]): (string | undefined)[] {
	const folders = [join(agentDir, "agents"), join(cwd, ".agents", "agents"), join(cwd, ".pi", "agents")];
	return folders.flatMap((folder) => {
		// As in the package; most people have no such folder.
		const names = (attempt(() => readdirSync(folder)) ?? []).filter((name) => name.endsWith(".md"));
		return names.map((name) => sessionDirIn(textOf(join(folder, name), problems) ?? ""));
	});
}

/** The front matter between `---` at the beginning of an agent's file. */
const FRONTMATTER = /^---\r?\n([\s\S]*?)\n---/;
/** A line of YAML with a plain or quoted text, and perhaps a comment. */
const SESSION_DIR = /^session_dir:[ \t]*(?:"([^"\r\n]*)"|'([^'\r\n]*)'|([^\s"'#][^\r\n]*?))[ \t]*(?:[ \t]#.*)?\r?$/m;

function sessionDirIn(text: string): string | undefined {
	const [, double, single, plain] = SESSION_DIR.exec(FRONTMATTER.exec(text)?.[1] ?? "") ?? [];
	return double ?? single ?? plain;
}

/** The text of a file; undefined if there is none, or if it cannot be read, which is reported. */
function textOf(path: string, problems: CatalogProblem[]): string | undefined {
	try {
		return readTextFile(path).replace(/^\uFEFF/, "");
	} catch (error) {
		if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
		const message = `Cannot read where subagents put their sessions: ${explain(error)}. Runs in a directory that is set there are not listed. Path: ${path}`;
		problems.push({ path, message });
		return undefined;
	}
}
