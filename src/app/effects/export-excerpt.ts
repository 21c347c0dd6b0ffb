import { stat } from "node:fs/promises";
import { type Excerpt, excerptMarkdown, excerptName } from "../conversation/excerpt.ts";
import type { Message } from "../model/state.ts";
import { formatSize, shortenHome } from "../text/format.ts";
import { writeUnderFreeName } from "./write-under-free-name.ts";

/** Saves an excerpt as a Markdown file in a directory, under a name that is free, and says where. Never overwrites. */
export async function exportExcerpt(excerpt: Excerpt, directory: string, home: string): Promise<Message> {
	const { path, size } = await writeUnderFreeName({
		directory,
		name: excerptName(excerpt),
		ending: "md",
		pieces: () => excerptMarkdown(excerpt, home),
		mode: await modeFor(excerpt.session.path),
	});
	return { text: `Saved the ${excerpt.of} as ${shortenHome(path, home)} (${formatSize(size)})`, tone: "text" };
}

/** The mode of a file: whoever may read the session may read what is taken out of it. */
export async function modeFor(sessionPath: string): Promise<number> {
	try {
		return ((await stat(sessionPath)).mode & 0o666) | 0o600;
	} catch {
		// The session has just been removed; what was read of it is still here.
		return 0o600;
	}
}
