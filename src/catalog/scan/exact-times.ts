import { readFileSync, type Stats, statfsSync } from "node:fs";

/**
 * File systems of Linux that set the times of a directory with each change of the names in it: ext2 to ext4, XFS, Btrfs, tmpfs, F2FS,
 * bcachefs and ZFS. Not among them: those of networks and of other systems, FUSE, FAT, and layers over others.
 */
const EXACT_TYPES = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0xca451a4e, 0x2fc12fc1]);

/** Identifies this run of the operating system; undefined where it does not tell. */
export function bootId(): string | undefined {
	try {
		return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
	} catch {
		// Another system than Linux.
		return undefined;
	}
}

/** By device: whether its file system is one of these. */
const exact = new Map<number, boolean>();

/** Whether a directory is on a file system that tells exactly when a directory was changed. */
export function isExact(path: string, { dev }: Stats): boolean {
	let known = exact.get(dev);
	if (known === undefined) {
		try {
			known = EXACT_TYPES.has(statfsSync(path).type);
		} catch {
			known = false;
		}
		exact.set(dev, known);
	}
	return known;
}
