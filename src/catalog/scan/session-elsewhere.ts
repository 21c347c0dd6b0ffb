import { lstatSync, readlinkSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { isAbsolute, isWithin, normalize, resolve, sep } from "../../shared/paths.ts";
import { rulesOf } from "../../shared/system.ts";
import { mountOf, mountsIn, readMounts } from "../../store/files/mounts.ts";
import { errorCode } from "../../store/files/store-error.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { type ScanStamp, scanStampOf } from "./scan-stamp.ts";

/** More links on the way to a file are taken for a circle. */
const MOST_LINKS = 40;

/**
 * Session files that are in no session directory, and known only because a session names them. What a session says is foreign:
 * it may name any path. So nothing is touched that may be on another machine, where a look can block for minutes; and a file
 * counts only if it is a regular file, ends in `.jsonl` and begins with the header of a session.
 */
export class SessionsElsewhere {
	readonly #remote: readonly string[];
	readonly #root: string;

	/** `root`: what is on the same file system as this is looked at in any case. `table`: of what is mounted. */
	constructor(root: string, table = readMounts()) {
		this.#root = root;
		const mounts = mountsIn(table ?? "");
		const ownMount = mountOf(root, mounts);
		this.#remote = mounts.filter(({ at, type }) => REMOTE.test(type) && at !== ownMount?.at).map(({ at }) => at);
	}

	/** Whether the way to a path, with all links followed, stays on this machine. Throws if it does not exist. */
	isNear(path: string): boolean {
		// To look at a share of Windows is to log in there.
		const { root } = rulesOf(path).parse(path);
		if (root.startsWith("\\\\") && root !== rulesOf(path).parse(this.#root).root) return false;
		if (this.#remote.length === 0) return true;
		const isRemote = (place: string): boolean => this.#remote.some((at) => isWithin(place, at));
		const names = namesOf(path);
		let links = 0;
		for (let place = ""; ; ) {
			const name = names.shift();
			if (name === undefined) return true;
			const next = `${place}${sep}${name}`;
			if (isRemote(next)) return false;
			const target = linkTarget(next);
			if (target === undefined) place = next;
			else {
				links += 1;
				if (links > MOST_LINKS) return false;
				names.unshift(...namesOf(resolve(place === "" ? sep : place, target)));
				place = "";
			}
		}
	}

	/** The stamp of a regular file that was listed before; "far" if it cannot be looked at, undefined if it is gone. Throws. */
	stampOf(path: string): ScanStamp | "far" | undefined {
		try {
			if (!this.isNear(path)) return "far";
			const stats = lstatSync(path);
			return stats.isFile() ? scanStampOf(stats) : undefined;
		} catch (error) {
			if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(errorCode(error))) return undefined;
			throw error;
		}
	}

	/** Whether there is a session at a path that a session names. Never throws. */
	isSession(path: string): boolean {
		if (!isAbsolute(path) || normalize(path) !== path || !path.endsWith(".jsonl") || path.includes("\0")) return false;
		// Fails if it cannot be looked at.
		return attempt(() => typeof this.stampOf(path) === "object" && readHeader(path) !== undefined) ?? false;
	}
}

function namesOf(path: string): string[] {
	return path.split(sep).filter((name) => name !== "");
}

function linkTarget(path: string): string | undefined {
	try {
		return readlinkSync(path);
	} catch (error) {
		if (errorCode(error) === "EINVAL") return undefined;
		throw error;
	}
}

/** File systems that may be on other machines, or wait for another program. */
const REMOTE =
	/^(?:nfs\d?|cifs|smb\d?|smbfs|9p|afs|ceph|lustre|gpfs|glusterfs|autofs|davfs|ncpfs|coda|fuse(?!blk|ctl).*)$/;
