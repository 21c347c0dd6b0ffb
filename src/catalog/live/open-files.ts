import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { join } from "../../shared/paths.ts";
import type { LiveEvidence } from "../model/live.ts";
import { processIds, startTime } from "./processes.ts";

/** The bits of a file's flags for its access mode, and their value for reading only. */
const ACCESS_MODE = 0o3;
const READ_ONLY = 0;

/**
 * The other processes of this user that have one of these files open for writing, by path of the file, from `/proc`;
 * empty on systems without it. Goes through the open files of all processes once, for any number of files, so it is
 * meant for questions, not for every few seconds; with `among`, only of these processes.
 */
export function writersOf(
	paths: readonly string[],
	among?: readonly number[],
	proc = "/proc",
): ReadonlyMap<string, readonly LiveEvidence[]> {
	const writers = new Map<string, LiveEvidence[]>(paths.map((path) => [path, []]));
	const byFile = Map.groupBy(paths, (path) => attempt(() => realpathSync.native(path)));
	byFile.delete(undefined);
	if (byFile.size === 0) return writers;
	for (const pid of among ?? attempt(() => processIds(proc)) ?? []) {
		if (pid === process.pid) continue;
		for (const file of written(join(proc, String(pid)), (target) => byFile.has(target))) {
			const startedMs = startTime(pid, proc);
			if (startedMs === undefined) continue;
			const program = attempt(() => readFileSync(join(proc, String(pid), "comm"), "utf8").trim()) ?? "a program";
			const writer = { kind: "open", pid, startedMs, program } as const;
			for (const path of byFile.get(file) ?? []) writers.get(path)?.push(writer);
		}
	}
	return writers;
}

// Reading fails if the process is another user's, has ended, or has just closed the file.

/** Which of the requested files a process has open for writing. */
function written(directory: string, isAsked: (file: string) => boolean): Set<string> {
	const fds = attempt(() => readdirSync(join(directory, "fd"))) ?? [];
	const files = fds.map((fd) =>
		attempt(() => {
			const file = readlinkSync(join(directory, "fd", fd));
			return isAsked(file) && isForWriting(join(directory, "fdinfo", fd)) ? file : undefined;
		}),
	);
	return new Set(files.filter((file) => file !== undefined));
}

function isForWriting(info: string): boolean {
	const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(info, "utf8"))?.[1] ?? "0";
	return (Number.parseInt(flags, 8) & ACCESS_MODE) !== READ_ONLY;
}
