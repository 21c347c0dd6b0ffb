import { dirname, isWithin } from "../../shared/paths.ts";
import { mountOf, mountsIn, readMounts } from "./mounts.ts";

/** Runs `work`, which reads something of a path from its disk; rejects with a `NoAnswer` when that takes too long. */
export type DiskRead = <Result>(path: string, work: () => Promise<Result>) => Promise<Result>;

/** The disk does not answer, so the path may or may not exist. */
export class NoAnswer extends Error {
	constructor() {
		super("its disk does not answer");
	}
}

/** Enough for a disk that has to spin up. */
const WAIT_MS = 5000;
/** Concurrent reads. One that never returns blocks one of the process's four I/O threads. */
const AT_ONCE = 2;

/**
 * A network disk may never answer, and a read cannot be cancelled. So there are few at a time, and a disk that has timed
 * out is not read again until it answers.
 */
export function createDiskRead({ waitMs = WAIT_MS, diskOf = diskOfPath } = {}): DiskRead {
	/** Reads that timed out, with the mount points of their disks. */
	const silent = new Map<object, string>();
	const waiting = new Set<() => void>();
	let free = AT_ONCE;

	const wake = (): void => {
		for (const go of waiting) go();
		waiting.clear();
	};

	async function takeTurn(path: string): Promise<void> {
		for (;;) {
			const isSilent = [...silent.values()].some((disk) => isWithin(path, disk));
			if (isSilent || silent.size === AT_ONCE) throw new NoAnswer();
			if (free > 0) break;
			await new Promise<void>((go) => waiting.add(go));
		}
		free -= 1;
	}

	return async (path, work) => {
		await takeTurn(path);
		const question = {};
		const answer = work().finally(() => {
			silent.delete(question);
			free += 1;
			wake();
		});
		let timer: NodeJS.Timeout | undefined;
		const tooLate = new Promise<never>((_, reject) => {
			timer = setTimeout(() => {
				silent.set(question, diskOf(path));
				wake();
				reject(new NoAnswer());
			}, waitMs);
		});
		try {
			return await Promise.race([answer, tooLate]);
		} finally {
			clearTimeout(timer);
			// A late answer may be an error.
			answer.catch(() => undefined);
		}
	};
}

/** Reads at once, without a timeout. */
export const readDirectly: DiskRead = (_, work) => work();

/** The mount point of a path's disk; its directory if that is all that is known not to answer. */
function diskOfPath(path: string): string {
	const mount = mountOf(path, mountsIn(readMounts() ?? ""))?.at;
	return mount === undefined || mount === "/" ? dirname(path) : mount;
}
