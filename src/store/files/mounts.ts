import { readFileSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { isWithin } from "./paths.ts";

export interface Mount {
	/** The directory where it is. */
	readonly at: string;
	/** Its type as the kernel names it: "ext4", "nfs4", "fuse.sshfs". */
	readonly type: string;
}

/** The kernel's table of what is mounted, which is not on a disk; undefined on all systems but Linux. */
export function readMounts(): string | undefined {
	return attempt(() => readFileSync("/proc/self/mounts", "utf8"));
}

/** What the table has, in the order in which it was mounted. */
export function mountsIn(table: string): readonly Mount[] {
	return table.split("\n").flatMap((line) => {
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
