import { stat } from "node:fs/promises";
import { mapInTurn } from "../../../../shared/map-in-turn.ts";
import { errorCode, explain } from "../../../../store/files/store-error.ts";
import { type Look, NoAnswer } from "../../../world/effects/patient-look.ts";
import type { DirectoryFate } from "../moved-state.ts";

/** Whether directories are there. One that cannot be looked at is not gone: its disk may be slow, or closed to us. */
export async function lookAtDirectories(
	directories: readonly string[],
	look: Look,
): Promise<ReadonlyMap<string, DirectoryFate>> {
	return new Map(await mapInTurn(directories, async (each) => [each, await fateOf(each, look)] as const));
}

/** What is at the place of a directory. */
export async function fateOf(directory: string, look: Look): Promise<DirectoryFate> {
	try {
		const stats = await look(directory, () => stat(directory));
		return stats.isDirectory() ? { kind: "there" } : { kind: "gone" };
	} catch (error) {
		if (error instanceof NoAnswer) return { kind: "unknown", why: error.message };
		const code = errorCode(error);
		return code === "ENOENT" || code === "ENOTDIR" ? { kind: "gone" } : { kind: "unknown", why: explain(error) };
	}
}
