import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { isUnder } from "../../../store/files/paths.ts";

/** Asks a disk something about a path; rejects with a `NoAnswer` when that takes too long. */
export type Look = <Result>(path: string, work: () => Promise<Result>) => Promise<Result>;

/** A disk that says nothing: what was asked about may be there or not. */
export class NoAnswer extends Error {
	constructor() {
		super("its disk does not answer");
	}
}

/** A disk that has to start turning is slower than any other that works. */
const WAIT_MS = 5000;
/** Questions that are open at a time. Each that is never answered keeps one of the four threads of the process. */
const AT_ONCE = 2;

/**
 * A network disk may never answer, and what has been asked of it cannot be taken back. So little is asked at a time, and
 * once a disk has kept silent for too long, nothing more until it speaks.
 */
export function createPatientLook({ waitMs = WAIT_MS, diskOf = mountOf } = {}): Look {
	/** Those that are waited for no longer, with the places of their disks. */
	const silent = new Map<object, string>();
	const waiting = new Set<() => void>();
	let free = AT_ONCE;

	const wake = (): void => {
		for (const go of waiting) go();
		waiting.clear();
	};

	async function takeTurn(path: string): Promise<void> {
		for (;;) {
			const isSilent = [...silent.values()].some((disk) => path === disk || isUnder(path, disk));
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
			// An answer that comes too late may be an error.
			answer.catch(() => undefined);
		}
	};
}

/** Asks at once, and waits. */
export const lookNow: Look = (_, work) => work();

/** Where the disk of a path is mounted, from the kernel's own table, for which no disk is asked. */
function mountOf(path: string): string {
	const parent = dirname(path);
	let found = "";
	for (const line of mounts()) {
		const place = (line.split(" ")[1] ?? "").replace(/\\([0-7]{3})/g, (_, code: string) =>
			String.fromCharCode(Number.parseInt(code, 8)),
		);
		if (place.length > found.length && (place === path || isUnder(path, place))) found = place;
	}
	// All that is known not to answer is this part.
	return found === "" || found === "/" ? parent : found;
}

function mounts(): readonly string[] {
	try {
		return readFileSync("/proc/self/mounts", "utf8").split("\n");
	} catch {
		// Only Linux has it.
		return [];
	}
}
