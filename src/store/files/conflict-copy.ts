import { sep } from "../../shared/paths.ts";

const EXTENSION = ".jsonl";

/**
 * What may be said of a file in the end of its name: that it is a copy which a program made when it was changed on two machines, as
 * Syncthing (`x.sync-conflict-20260105-090000-ABCDEFG.jsonl`), Dropbox and Nextcloud (`x (Ada's conflicted copy 2026-01-05).jsonl`, also
 * in other languages), Seafile (`x (SFConflict …).jsonl`) and Resilio (`x.Conflict.jsonl`) do; or that a file manager copied it
 * (`x copy.jsonl`, `x copy 2.jsonl`, `x (1).jsonl`, `x - Copy (2).jsonl`).
 */
const COPY = /[ck]onfli[ck]?t|^[ _-]+\(?copy\)?(?: ?\(?\d+\)?)?$|^ ?\(\d+\)$/i;
/** What the name of such a file has in it. */
const MAY_BE_COPY = /[ck]onfli[ck]?t|copy|\(\d+\)\.jsonl$/i;

/**
 * The file beside it of which this one is a copy, by its name: the one with the shortest name, if there are copies of copies.
 * Undefined if there is none. `isThere`: whether a path is that of a file, or of a listed session.
 */
export function originalOf(path: string, isThere: (path: string) => boolean): string | undefined {
	const start = path.lastIndexOf(sep) + 1;
	if (!MAY_BE_COPY.test(path.slice(start))) return undefined;
	const stem = path.slice(0, -EXTENSION.length);
	for (let end = start + 1; end < stem.length; end += 1) {
		const original = stem.slice(0, end) + EXTENSION;
		if (COPY.test(stem.slice(end)) && isThere(original)) return original;
	}
	return undefined;
}
