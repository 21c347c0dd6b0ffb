import { readdir } from "node:fs/promises";
import { join } from "../../shared/paths.ts";
import { explain } from "../../store/files/store-error.ts";
import { openCatalog } from "../catalog.ts";
import type { SessionRoots } from "../model/session-roots.ts";
import { HostCatalog, type HostCatalogOptions, type PlaceCatalog } from "./host-catalog.ts";
import { type DirectoryPlace, PlaceError, type SessionsPlace } from "./place.ts";

export interface PlaceOptions extends HostCatalogOptions {
	readonly home: string;
	readonly stateDir: string;
	/** Whether a directory is watched, and directories in the home of another machine are called as they would be here. @default true */
	readonly isBrowsed?: boolean;
}

/** The catalog of a place: of a host by its own commands, of a directory that of this machine over it. Rejects with a `PlaceError`. */
export async function openPlace(place: SessionsPlace, options: PlaceOptions): Promise<PlaceCatalog> {
	if (place.kind === "ssh") return new HostCatalog(place, options);
	const { cacheDir, stateDir, isBrowsed = true } = options;
	return openCatalog({ sessionRoots: await directoryRoots(place), cacheDir, stateDir, watch: isBrowsed });
}

/** Where the sessions of a directory are: in an agent directory, in directories of projects, or directly in it. */
async function directoryRoots({ name, path }: DirectoryPlace): Promise<SessionRoots> {
	const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
		throw new PlaceError(`${name}: ${path} cannot be read: ${explain(error)}`);
	});
	const shared = { agentDir: path, problems: [] };
	if (entries.some((one) => one.name === "sessions" && !one.isFile()))
		return { kind: "default", root: join(path, "sessions"), ...shared };
	const isFlat = entries.some((one) => !one.isDirectory() && one.name.endsWith(".jsonl"));
	return isFlat ? { kind: "custom", dir: path, ...shared } : { kind: "default", root: path, ...shared };
}
