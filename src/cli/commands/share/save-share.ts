import { mkdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { modeFor } from "../../../app/features/excerpts/effects/export-excerpt.ts";
import { writeUnderFreeName } from "../../../app/world/effects/write-file.ts";
import { excerptName } from "../../../conversation/markdown/excerpt.ts";
import type { PreparedShare } from "../../../conversation/share/prepare-share.ts";
import type { ShareFormat } from "./share-target.ts";

/** Where a share is saved. */
export interface SaveTarget {
	readonly directory: string;
	/** File name without its extension, if the person chose one; otherwise it is made from the title. */
	readonly name?: string;
	/** Extension without the dot. */
	readonly ending: string;
}

/** Saves a share under a name that is free; resolves to its path and its size in bytes. */
export async function saveShare(
	prepared: PreparedShare,
	pieces: () => Iterable<string>,
	{ directory, name, ending }: SaveTarget,
): Promise<{ readonly path: string; readonly size: number }> {
	const { shared, title } = prepared;
	const { session, entryId } = shared;
	return writeUnderFreeName({
		directory,
		name: name ?? excerptName({ of: "branch", session, entryId, title }),
		ending,
		pieces,
		mode: await modeFor(session.path),
	});
}

/** Reads the value of `--out`: a file, or a directory, which is created if it ends in a slash or several files go into it. */
export async function saveTarget(out: string, format: ShareFormat, isSeveral: boolean): Promise<SaveTarget> {
	const path = resolve(out);
	const ending = format === "html" ? "html" : "md";
	if (await isDirectory(path)) return { directory: path, ending };
	if (isSeveral || /[/\\]$/.test(out)) {
		await mkdir(path, { recursive: true, mode: 0o700 });
		return { directory: path, ending };
	}
	if (!(await isDirectory(dirname(path)))) throw new Error(`there is no directory ${dirname(path)}`);
	const extension = extname(path);
	return { directory: dirname(path), name: basename(path, extension), ending: extension.slice(1) || ending };
}

async function isDirectory(path: string): Promise<boolean> {
	return stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
}

/** The path of a target, for a message. */
export function targetPath({ directory, name, ending }: SaveTarget): string {
	return name === undefined ? directory : join(directory, `${name}.${ending}`);
}
