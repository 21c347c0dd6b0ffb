import { readlinkSync } from "node:fs";
import { lstat, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { isStillRunning, processMark } from "../../../catalog/live/processes.ts";
import { join } from "../../../shared/paths.ts";
import { readTextFileAsync } from "../../../store/files/open-file.ts";
import { removePath, removePathSync } from "../../../store/files/while-busy.ts";

const NAME = /^pi-grove-(?:demo-)?[A-Za-z0-9]{6}$/;
/** The file in each directory that identifies its process. In the directory's name it would lengthen every path below it. */
const NOTE = ".pi-grove-process";

/**
 * Makes a directory that only this person can read in the system's temporary directory, and removes abandoned ones. A note
 * in it identifies this process, so that the next run can remove it if this one is killed. `use`: a word for its name.
 */
export async function makeTemporaryDirectory(use?: "demo"): Promise<string> {
	const path = await mkdtemp(join(tmpdir(), use === undefined ? "pi-grove-" : `pi-grove-${use}-`));
	await writeFile(join(path, NOTE), noteOf(), { mode: 0o600, flag: "wx" });
	// Not waited for: a directory may be large.
	void sweepTemporaryDirectories();
	return path;
}

/**
 * Removes the directories of this person's killed runs on this machine. Never rejects: the next run tries again to remove what
 * cannot be removed now.
 */
export async function sweepTemporaryDirectories(directory = tmpdir()): Promise<void> {
	const names = await readdir(directory).catch(() => []);
	for (const name of names) {
		if (!NAME.test(name)) continue;
		const path = join(directory, name);
		const stats = await lstat(path).catch(() => undefined);
		if (stats?.isDirectory() !== true || stats.uid !== (process.getuid?.() ?? stats.uid)) continue;
		const note = await readTextFileAsync(join(path, NOTE)).catch(() => "");
		if (isLeftBehind(note)) await removePath(path, { recursive: true, force: true }).catch(() => undefined);
	}
}

/** Whether a note identifies a process of this machine that has ended; a later one may have its pid. */
function isLeftBehind(note: string): boolean {
	const [, pid, where, mark = ""] = /^(\d+) (.*)\n(.*)\n$/.exec(note) ?? [];
	return where === machine() && !isStillRunning({ pid: Number(pid), mark });
}

/** Pid and machine, then a line that distinguishes the process from later ones: "417 host pid:[4026531836]\n3f…:90210". */
function noteOf(): string {
	return `${process.pid} ${machine()}\n${processMark(process.pid)}\n`;
}

/** The machine, or the container, in which a pid is valid. */
function machine(): string {
	try {
		return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
	} catch {
		// Only Linux has these.
		return hostname();
	}
}

interface PrivateDirectory {
	readonly path: string;
	/** Removes it with its contents. Otherwise it is removed at the end of this process, or by the next run. */
	remove(): Promise<void>;
}

/** Directories that this process has made and not yet removed. */
const present = new Set<string>();

/** Removes all private directories: however the process ends, no part of a session may be left behind. */
export function removePrivateDirectories(): void {
	for (const path of present) removePathSync(path, { recursive: true, force: true });
}

/** Makes a directory for files that another program will read. */
export async function createPrivateDirectory(): Promise<PrivateDirectory> {
	const path = await makeTemporaryDirectory();
	if (present.size === 0) process.on("exit", removePrivateDirectories);
	present.add(path);
	return {
		path,
		async remove() {
			await removePath(path, { recursive: true, force: true });
			present.delete(path);
			if (present.size === 0) process.off("exit", removePrivateDirectories);
		},
	};
}
