import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { mapInTurn } from "../../../../shared/steps.ts";
import { errorCode, explain } from "../../../../store/files/store-error.ts";
import { type Look, NoAnswer } from "../../../world/effects/patient-look.ts";
import type { DirectoryFate } from "../moved-state.ts";

/** Whether directories exist. One that cannot be checked is not gone: its disk may be slow, or access denied. */
export async function checkDirectories(
	directories: readonly string[],
	look: Look,
): Promise<ReadonlyMap<string, DirectoryFate>> {
	return new Map(await mapInTurn(directories, async (each) => [each, await fateOf(each, look)] as const));
}

/** Whether a directory exists. */
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

/** Folders offered for completion; nobody picks one out of more. */
const MOST_FOLDERS = 2000;

/** The names of the folders in a directory, including links to folders; none if it cannot be read. */
export async function listFolders(directory: string, look: Look): Promise<readonly string[]> {
	const entries = await look(directory, () => readdir(directory, { withFileTypes: true })).catch((): Dirent[] => []);
	const folders = await mapInTurn(
		entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).slice(0, MOST_FOLDERS),
		async (entry) => ({
			name: entry.name,
			isFolder: entry.isDirectory() || (await leadsToFolder(entry, directory, look)),
		}),
	);
	return folders
		.filter(({ isFolder }) => isFolder)
		.map(({ name }) => name)
		.sort();
}

async function leadsToFolder({ name }: Dirent, directory: string, look: Look): Promise<boolean> {
	const path = join(directory, name);
	return look(path, () => stat(path)).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
}
