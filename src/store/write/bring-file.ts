import type { SessionHeader } from "../format/schema.ts";
import { emptySession, type LoadedFile, loadOutline } from "../read/load-file.ts";
import { copySession } from "./fork-file.ts";

interface BroughtSession {
	/** Absolute path of its file. */
	readonly path: string;
	readonly id: string;
	/** ISO 8601. */
	readonly timestamp: string;
	/** Absolute path of the directory that it belongs to. */
	readonly cwd: string;
	/** Where the original is, for a person: "mini:/home/ada/….jsonl". */
	readonly from: string;
}

/**
 * What the header says of the original, as text only: none of it is a path on this machine. A fork says `parentSession`, which
 * would be one.
 */
interface BroughtFrom {
	readonly from: string;
	readonly id: string;
	readonly cwd?: string;
	readonly parentSession?: string;
}

/** The longest of these texts that is kept, in UTF-16 units: no path is longer. */
const MAX_TEXT = 4096;

/**
 * Makes a new session of the copy of a session from elsewhere, with all of its branches. Entries keep their text, as in a fork; those
 * of an old version are migrated; lines without an entry are left out, and counted. Throws a `StoreError`; nothing is left behind then.
 * Returns the size of the new file in bytes.
 */
export function bringFile(
	copy: string,
	{ path, id, timestamp, cwd, from }: BroughtSession,
): { readonly size: number; readonly unusable: number } {
	const loaded = loadOutline(copy);
	if (loaded === undefined) throw emptySession(copy);
	const broughtFrom: BroughtFrom = { from, ...originOf(loaded) };
	const fields = { id, timestamp, cwd, broughtFrom };
	const size = copySession({ path: copy, loaded }, path, fields, "bring the session");
	return { size, unusable: loaded.unusable };
}

function originOf({ entries: [header] }: LoadedFile): Omit<BroughtFrom, "from"> {
	const textOf = (value: unknown): string | undefined =>
		typeof value === "string" ? value.slice(0, MAX_TEXT) : undefined;
	const { id, cwd, parentSession } = (header ?? {}) as Partial<SessionHeader>;
	const [directory, parent] = [textOf(cwd), textOf(parentSession)];
	return {
		id: textOf(id) ?? "",
		...(directory !== undefined && { cwd: directory }),
		...(parent !== undefined && { parentSession: parent }),
	};
}
