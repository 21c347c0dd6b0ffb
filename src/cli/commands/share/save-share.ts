import { mkdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { modeFor } from "../../../app/features/excerpts/effects/export-excerpt.ts";
import { writeUnderFreeName } from "../../../app/world/effects/write-under-free-name.ts";
import { pageHtml } from "../../../conversation/html/page-html.ts";
import { excerptName } from "../../../conversation/markdown/excerpt.ts";
import { loadRenderers } from "../../../conversation/render/renderers.ts";
import type { PreparedShare } from "../../../conversation/share/prepare-share.ts";
import { shareMarkdown } from "../../../conversation/share/share-markdown.ts";

/** What something is shared as. */
export type ShareFormat = "markdown" | "html";

/** What a page says of where it comes from. */
export interface Maker {
	/** Of this program. */
	readonly version: string;
	/** Present time, Unix ms. */
	readonly now: number;
}

/** What is shared in one of the formats, in pieces; each call begins anew. */
export async function sharePieces(
	prepared: PreparedShare,
	format: ShareFormat,
	maker: Maker,
): Promise<() => Iterable<string>> {
	if (format === "markdown") return () => shareMarkdown(prepared);
	const renderers = await loadRenderers();
	return () => pageHtml({ prepared, ...maker }, renderers);
}

/** Where something is saved. */
export interface SavePlace {
	readonly directory: string;
	/** A name that was asked for, without its ending; else one is made of the title. */
	readonly name?: string;
	/** Of the name, without the dot. */
	readonly ending: string;
}

/** Saves what is shared under a name that is free; resolves to its path and its size in bytes. */
export async function saveShare(
	prepared: PreparedShare,
	pieces: () => Iterable<string>,
	{ directory, name, ending }: SavePlace,
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

/**
 * Where a path that was typed means: a directory, which is made if the path ends in a slash or several files are to be in
 * it, or a file.
 */
export async function savePlace(out: string, format: ShareFormat, isSeveral: boolean): Promise<SavePlace> {
	const path = resolve(out);
	const ending = format === "html" ? "html" : "md";
	if (await isDirectory(path)) return { directory: path, ending };
	if (isSeveral || /[/\\]$/.test(out)) {
		await mkdir(path, { recursive: true, mode: 0o700 });
		return { directory: path, ending };
	}
	if (!(await isDirectory(dirname(path)))) throw new Error(`there is no directory ${dirname(path)}`);
	const own = extname(path);
	return { directory: dirname(path), name: basename(path, own), ending: own.slice(1) || ending };
}

async function isDirectory(path: string): Promise<boolean> {
	return stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
}

/** The path of a place, for a message. */
export function placeName({ directory, name, ending }: SavePlace): string {
	return name === undefined ? directory : join(directory, `${name}.${ending}`);
}
