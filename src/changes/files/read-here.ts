import { lstatSync, realpathSync } from "node:fs";
import type { FileHere } from "../../edits/put-change.ts";
import { attempt } from "../../shared/attempt.ts";
import { isUnder, join, nameFrom } from "../../shared/paths.ts";
import { readSmallFile } from "../../store/files/open-file.ts";
import { explain } from "../../store/files/store-error.ts";
import { targetIn } from "../../store/write/files-below.ts";

/**
 * Reads the files of a directory as they are now. `root`: the directory; `from`: where the session had it, whose paths are asked for. What is
 * not below it, is reached only through a link that leads out, is Git's own, or is no text, cannot be changed, and why is said.
 */
export function readerOf(root: string, from: string): (path: string) => Promise<FileHere> {
	const realRoot = attempt(() => realpathSync(root)) ?? root;
	return async (path) => {
		if (!isUnder(path, from)) return { why: `it is outside of ${from}` };
		const name = nameFrom(path, from);
		try {
			await targetIn(realRoot, { name, text: null });
		} catch (error) {
			return { why: explain(error) };
		}
		const place = join(realRoot, name);
		const stats = attempt(() => lstatSync(place));
		if (stats === undefined) return undefined;
		if (!stats.isFile()) return { why: stats.isSymbolicLink() ? "it is a link by now" : "it is no file by now" };
		try {
			const bytes = readSmallFile(place);
			const text = bytes.toString("utf8");
			if (!Buffer.from(text).equals(bytes)) return { why: "it is not text in UTF-8" };
			return { text, isExecutable: (stats.mode & 0o111) !== 0 };
		} catch (error) {
			return { why: explain(error) };
		}
	};
}
