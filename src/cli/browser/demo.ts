import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { makeTemporaryDirectory } from "../../app/world/effects/temporary-directory.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { findSessionFiles } from "../../catalog/scan/session-files.ts";
import { basename, dirname, join } from "../../shared/paths.ts";
import { removePath } from "../../store/files/while-busy.ts";
import { defaultSessionDir } from "../../store/read/session-dir.ts";

/** The built-in sessions, copied to a temporary directory in which every action works. */
export interface Demo {
	/** Stands in for the person's home directory; contains the projects. */
	readonly home: string;
	/** The project to start in. */
	readonly cwd: string;
	/** The demo's agent directory, for `PI_CODING_AGENT_DIR`. */
	readonly agentDir: string;
	remove(): Promise<void>;
}

/** The sessions: beside the bundle, or in the root of the sources. */
const SOURCE = import.meta.url.endsWith(".ts") ? "../../../demo/" : "./demo/";

const NEWEST_AGE_MS = 4 * 60_000;

const ISO_TIMES = /"timestamp":"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g;
const UNIX_TIMES = /"timestamp":(\d{13})\b/g;

/**
 * Copies the built-in sessions into a new temporary directory, as if they had just been in use: all times are shifted by the
 * same span, and `@home` and `@sessions` become paths in that directory. The rest is copied byte for byte, damage included.
 */
export async function createDemo(now: number): Promise<Demo> {
	const directory = fileURLToPath(new URL(SOURCE, import.meta.url));
	const files = await readSessions(directory);
	const home = await makeTemporaryDirectory("demo");
	const agentDir = join(home, ".pi", "agent");
	const shift = now - NEWEST_AGE_MS - Math.max(...files.map(({ text }) => lastTime(text)));
	for (const { project, name, text } of files) {
		const cwd = join(home, project);
		const path = join(defaultSessionDir(cwd, agentDir), basename(name));
		await mkdir(cwd, { recursive: true });
		await mkdir(dirname(path), { recursive: true });
		const moved = moveTimes(relocatePaths(text, home, agentDir), shift);
		await writeFile(path, moved, "latin1");
		const lastUsed = new Date(lastTime(moved));
		await utimes(path, lastUsed, lastUsed);
	}
	return {
		home,
		cwd: join(home, "work", "api"),
		agentDir,
		remove: () => removePath(home, { recursive: true, force: true }),
	};
}

interface DemoSession {
	/** Its working directory, under the home directory. */
	readonly project: string;
	readonly name: string;
	/** One character per byte (Latin-1), because damaged files are not UTF-8. */
	readonly text: string;
}

async function readSessions(directory: string): Promise<DemoSession[]> {
	const names = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
	return Promise.all(
		names.map(async (name) => ({
			project: dirname(name),
			name,
			text: await readFile(join(directory, name), "latin1"),
		})),
	);
}

function relocatePaths(text: string, home: string, agentDir: string): string {
	return text
		.replace(/"@sessions\/([^"]+)\/([^"/]+)"/g, (_, project: string, name: string) =>
			quote(join(defaultSessionDir(join(home, project), agentDir), name)),
		)
		.replace(/"@home\/([^"]*)"/g, (_, path: string) => quote(join(home, path)));
}

/** The path as a JSON string in UTF-8, one character per byte. */
function quote(path: string): string {
	return Buffer.from(JSON.stringify(path)).toString("latin1");
}

function moveTimes(text: string, shift: number): string {
	return text
		.replace(ISO_TIMES, (_, time: string) => `"timestamp":"${new Date(Date.parse(time) + shift).toISOString()}"`)
		.replace(UNIX_TIMES, (_, time: string) => `"timestamp":${Number(time) + shift}`);
}

/** The latest time in a session, in Unix ms. */
function lastTime(text: string): number {
	return Math.max(...Array.from(text.matchAll(ISO_TIMES), ([, time = ""]) => Date.parse(time)));
}

/**
 * Whether there is any session, of a person or of a run; stops at the first. What cannot be read counts as one, so that the browser
 * opens and reports the error.
 */
export function hasSessions(sessionRoots: SessionRoots): boolean {
	let isFound = false;
	const steps = findSessionFiles(sessionRoots, undefined, () => {
		isFound = true;
	});
	for (let step = steps.next(); !isFound; step = steps.next()) if (step.done) return step.value.problems.length > 0;
	return true;
}
