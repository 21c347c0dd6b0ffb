import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { LiveEvidence } from "../model/live.ts";
import { processIds, startTime } from "./processes.ts";

/** The bits of a file's flags that say how it was opened, and their value for reading only. */
const ACCESS_MODE = 0o3;
const READ_ONLY = 0;

/**
 * The other processes of this user that have a file open for writing, from `/proc`; none on systems without it. Goes
 * through the open files of all processes, so it is for a question that is asked, not for every few seconds; with `among`,
 * of these processes only.
 */
export function writersOf(path: string, among?: readonly number[], proc = "/proc"): LiveEvidence[] {
	const real = attempt(() => realpathSync(path));
	const pids = among ?? attempt(() => processIds(proc)) ?? [];
	return pids.flatMap((pid) => {
		if (real === undefined || pid === process.pid || !writes(join(proc, String(pid)), real)) return [];
		const startedMs = startTime(pid, proc);
		return startedMs === undefined ? [] : [{ kind: "open", pid, startedMs, program: programOf(proc, pid) }];
	});
}

function writes(directory: string, path: string): boolean {
	const fds = attempt(() => readdirSync(join(directory, "fd"))) ?? [];
	return fds.some((fd) =>
		attempt(() => readlinkSync(join(directory, "fd", fd)) === path && isForWriting(join(directory, "fdinfo", fd))),
	);
}

function isForWriting(info: string): boolean {
	const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(info, "utf8"))?.[1] ?? "0";
	return (Number.parseInt(flags, 8) & ACCESS_MODE) !== READ_ONLY;
}

function programOf(proc: string, pid: number): string {
	return attempt(() => readFileSync(join(proc, String(pid), "comm"), "utf8").trim()) ?? "a program";
}

/** Undefined for what is another user's, has ended, or was closed meanwhile. */
function attempt<Value>(look: () => Value): Value | undefined {
	try {
		return look();
	} catch {
		return undefined;
	}
}
