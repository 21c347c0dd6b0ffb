import { mkdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { SaveTarget, ShareFormat } from "../../../app/features/excerpts/effects/masked-share.ts";

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
