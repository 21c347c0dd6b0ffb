import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { isWithin } from "../../shared/paths.ts";
import { thisSystem } from "../../shared/system.ts";

export interface Mount {
	/** The directory where it is. */
	readonly at: string;
	/** Its type as the kernel names it: "ext4", "nfs4", "fuse.sshfs"; "nfs" for all that macOS does not call local. */
	readonly type: string;
}

/**
 * The kernel's table of what is mounted, which is not on a disk: as Linux writes it, or as `mount` prints it on macOS, where `statfs` would
 * wait for a disk that does not answer; undefined on other systems.
 */
export function readMounts({ platform } = thisSystem): string | undefined {
	if (platform !== "darwin") return attempt(() => readFileSync("/proc/self/mounts", "utf8"));
	const { stdout } = spawnSync("/sbin/mount", { encoding: "utf8", timeout: 5000 });
	// Where macOS mounts other machines.
	return stdout || "unknown on /Volumes (nfs)";
}

/** What `mount` prints on macOS: `/dev/disk4s1 on /Volumes/My disk (apfs, local, nodev)`. */
const PRINTED = /^.+ on (\/.*) \(([^\s,()]+)([^()]*)\)$/;

/** What the table has, in the order in which it was mounted. */
export function mountsIn(table: string): readonly Mount[] {
	return table.split("\n").flatMap((line) => {
		const [, place, kind = "", options = ""] = PRINTED.exec(line) ?? [];
		if (place !== undefined) return [{ at: place, type: /, local(?:,|$)/.test(options) ? kind : "nfs" }];
		const [, at, type] = line.split(" ");
		if (at === undefined || type === undefined) return [];
		// A space is `\040` there.
		return [{ at: at.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))), type }];
	});
}

/** The file system that a path is on: the innermost one around it, of several in one place the last; undefined if none is known. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
	const around = mounts.filter(({ at }) => isWithin(path, at));
	return around.toSorted((a, b) => a.at.length - b.at.length).at(-1);
}
