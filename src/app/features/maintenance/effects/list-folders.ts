import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { mapInTurn } from "../../../../shared/map-in-turn.ts";
import type { Look } from "../../../world/effects/patient-look.ts";

/** Nobody looks for one of more than these. */
const MOST = 2000;

/** The names of the folders in a directory, links to folders too; none where it cannot be read. */
export async function listFolders(directory: string, look: Look): Promise<readonly string[]> {
	const entries = await look(directory, () => readdir(directory, { withFileTypes: true })).catch((): Dirent[] => []);
	const folders = await mapInTurn(
		entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).slice(0, MOST),
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
