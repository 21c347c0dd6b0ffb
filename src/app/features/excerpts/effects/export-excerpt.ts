import { stat } from "node:fs/promises";
import type { Message } from "../../../../changes/engine/answer.ts";
import { type Excerpt, excerptMarkdown, excerptName } from "../../../../conversation/markdown/excerpt.ts";
import { formatSize, shortenHome } from "../../../../ui/text/format.ts";
import { writeUnderFreeName } from "../../../world/effects/write-file.ts";

/** Saves an excerpt as a Markdown file in a directory under a free name, never overwriting one; the message says where. */
export async function exportExcerpt(excerpt: Excerpt, directory: string, home: string): Promise<Message> {
	const { path, size } = await saveExcerpt(excerpt, directory, home);
	return { text: `Saved the ${excerpt.of} as ${shortenHome(path, home)} (${formatSize(size)})`, tone: "text" };
}

/** Like `exportExcerpt`, but resolves to the path of the file and its size in bytes. `prefix`: starts the file's name. */
export async function saveExcerpt(
	excerpt: Excerpt,
	directory: string,
	home: string,
	prefix = "",
): Promise<{ readonly path: string; readonly size: number }> {
	return writeUnderFreeName({
		directory,
		name: `${prefix}${excerptName(excerpt)}`,
		ending: "md",
		pieces: () => excerptMarkdown(excerpt, home),
		mode: await modeFor(excerpt.session.path),
	});
}

/** Mode of a file with parts of a session: readable by those who may read the session. */
export async function modeFor(sessionPath: string): Promise<number> {
	try {
		return ((await stat(sessionPath)).mode & 0o666) | 0o600;
	} catch {
		// The session has just been removed; what was read is still in memory.
		return 0o600;
	}
}
