import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const PLACE = "/dev/shm";

/** Much more than the files that exist at one time, the largest of which have half a gigabyte. */
const ROOM = 6 * 1024 ** 3;

/** The directory of this system for files in memory; undefined where there is none, or one without room or for no programs. */
export function memoryDirectory(): string | undefined {
	try {
		const { bavail, bsize } = statfsSync(PLACE);
		return bavail * bsize > ROOM && freemem() > ROOM && runsPrograms() ? PLACE : undefined;
	} catch {
		return undefined;
	}
}

/** Whether what tests write there can be run: in a container it may be mounted without. */
function runsPrograms(): boolean {
	const folder = mkdtempSync(join(PLACE, "pi-grove-test-"));
	try {
		const program = join(folder, "program");
		writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
		return spawnSync(program).status === 0;
	} finally {
		rmSync(folder, { recursive: true });
	}
}
