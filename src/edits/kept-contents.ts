import { mkdir, readdir, stat, utimes } from "node:fs/promises";
import { join } from "../shared/paths.ts";
import { readTextFileAsync } from "../store/files/open-file.ts";
import { errorCode } from "../store/files/store-error.ts";
import { removePath } from "../store/files/while-busy.ts";
import { markOf } from "../store/write/files-below.ts";
import { writeNewText } from "../store/write/text-file.ts";
import { formatSize } from "../ui/text/format.ts";

/** The directory of the contents, in that of the journal. */
const KEPT = "kept";
/** What all of them together may take; those used least recently go first. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Throws if so much cannot be kept at once: undo could not bring it back. */
export function requireRoom(texts: readonly string[], mostBytes = MOST_BYTES): void {
	const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
	if (bytes <= mostBytes) return;
	throw new Error(
		`undo would need to keep ${formatSize(bytes)}, and keeps ${formatSize(mostBytes)} at most: name fewer files`,
	);
}

/** Keeps a text beside the journal, readable by its owner alone, so that undo and redo can bring it back. */
export async function keepContent(stateDir: string, text: string): Promise<void> {
	const directory = join(stateDir, KEPT);
	await mkdir(directory, { recursive: true, mode: 0o700 });
	const path = join(directory, markOf(text));
	const now = new Date();
	const isKept = await utimes(path, now, now).then(
		() => true,
		() => false,
	);
	if (isKept) return;
	await writeNewText(path, { pieces: () => [text], mode: 0o600 }).catch((error) => {
		// Another run keeps the same text.
		if (errorCode(error) !== "EEXIST") throw error;
	});
}

/** A text that was kept, by its mark, which may begin with its mode. Rejects if it was let go. */
export async function keptContent(stateDir: string, mark: string): Promise<string> {
	const checksum = checksumOf(mark);
	const text = await readTextFileAsync(join(stateDir, KEPT, checksum), MOST_BYTES).catch((error) => {
		if (errorCode(error) === "ENOENT") throw new Error("what was in it is no longer kept");
		throw error;
	});
	if (markOf(text) !== checksum) throw new Error("what was kept of it is damaged");
	return text;
}

export async function isContentKept(stateDir: string, mark: string): Promise<boolean> {
	return stat(join(stateDir, KEPT, checksumOf(mark))).then(
		() => true,
		() => false,
	);
}

function checksumOf(mark: string): string {
	return mark.replace(/^[-x]/, "");
}

/** Lets go of the contents that were used least recently, once there are too many. Never rejects. */
export async function letGoOfContents(stateDir: string, mostBytes = MOST_BYTES): Promise<void> {
	const directory = join(stateDir, KEPT);
	const paths = (await readdir(directory).catch(() => [])).map((name) => join(directory, name));
	const entries = await Promise.all(
		paths.map(async (path) => ({ path, stats: await stat(path).catch(() => undefined) })),
	);
	const files = entries.flatMap(({ path, stats }) => (stats === undefined ? [] : [{ path, stats }]));
	files.sort((one, other) => other.stats.mtimeMs - one.stats.mtimeMs);
	let sum = 0;
	for (const { path, stats } of files) {
		sum += stats.size;
		if (sum > mostBytes) await removePath(path, { force: true }).catch(() => undefined);
	}
}
