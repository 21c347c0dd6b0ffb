import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Excerpt, excerptMarkdown, excerptName } from "../conversation/excerpt.ts";
import type { Message } from "../model/state.ts";
import { formatSize, shortenHome } from "../text/format.ts";
import { writeNewFile } from "./write-new-file.ts";

/** Names that are tried, for those that are taken: "title.md", "title-2.md", … */
const MAX_NAMES = 10_000;

/** Saves an excerpt as a Markdown file in a directory, under a name that is free, and says where. Never overwrites. */
export async function exportExcerpt(excerpt: Excerpt, directory: string, home: string): Promise<Message> {
	const { path, size } = await saveExcerpt(excerpt, directory, home);
	return { text: `Saved the ${excerpt.of} as ${shortenHome(path, home)} (${formatSize(size)})`, tone: "text" };
}

/** The same; resolves to the path of the file and its size in bytes. `prefix`: what the name begins with. */
export async function saveExcerpt(
	excerpt: Excerpt,
	directory: string,
	home: string,
	prefix = "",
): Promise<{ readonly path: string; readonly size: number }> {
	const name = `${prefix}${excerptName(excerpt)}`;
	const mode = await modeFor(excerpt.session.path);
	for (let number = 1; number <= MAX_NAMES; number++) {
		const path = join(directory, `${name}${number === 1 ? "" : `-${number}`}.md`);
		const size = await writeNewFile(path, excerptMarkdown(excerpt, home), mode);
		if (size !== undefined) return { path, size };
	}
	throw new Error(`too many files are named like ${name}.md`);
}

/** Whoever may read the session may read what is taken out of it. */
async function modeFor(sessionPath: string): Promise<number> {
	try {
		return ((await stat(sessionPath)).mode & 0o666) | 0o600;
	} catch {
		// The session has just been removed; what was read of it is still here.
		return 0o600;
	}
}
