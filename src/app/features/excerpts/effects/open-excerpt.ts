import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Message } from "../../../../changes/engine/answer.ts";
import { type Excerpt, excerptMarkdown, excerptName } from "../../../../conversation/markdown/excerpt.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import { createPrivateDirectory } from "../../../world/effects/temporary-directory.ts";
import { writeNewFile } from "../../../world/effects/write-file.ts";
import { findOutsideProgram } from "./outside-program.ts";

/** A program that returns sooner may have only opened a window, and not read the file yet. */
const AT_ONCE_MS = 2000;

/**
 * Opens an excerpt in the person's editor or pager, as a Markdown file in a private directory that is removed afterwards.
 * The session file itself is never passed to a program. Resolves to a message, or undefined if all went well.
 */
export async function openExcerpt(
	excerpt: Excerpt,
	kind: "editor" | "pager",
	{ disk, terminal }: Pick<Capabilities, "disk" | "terminal">,
): Promise<Message | undefined> {
	const program = await findOutsideProgram(kind, disk.env);
	if (typeof program === "string") return { text: program, tone: "error" };
	const directory = await createPrivateDirectory();
	let isRead = true;
	try {
		const path = join(directory.path, `${excerptName(excerpt)}.md`);
		await writeNewFile(path, { pieces: () => excerptMarkdown(excerpt, disk.home), mode: 0o600 });
		const written = await stat(path);
		const began = Date.now();
		const end = await terminal.lend({
			command: program.command,
			args: [...program.args, path],
			cwd: disk.cwd,
		});
		isRead = kind === "pager" || Date.now() - began > AT_ONCE_MS;
		if (end === undefined) return undefined;
		if ("failure" in end) return { text: `Cannot start "${program.name}": ${end.failure}`, tone: "error" };
		if (end.code !== 0) return { text: `"${program.name}" ended with exit code ${end.code}`, tone: "warning" };
		return kind === "editor" && (await wasChanged(path, written.mtimeMs))
			? { text: "You edited a copy, which was discarded: the session is unchanged", tone: "warning" }
			: undefined;
	} finally {
		// Otherwise it is removed when this process ends.
		if (isRead) await directory.remove();
	}
}

async function wasChanged(path: string, mtimeMs: number): Promise<boolean> {
	try {
		return (await stat(path)).mtimeMs !== mtimeMs;
	} catch {
		// The editor has moved it away.
		return false;
	}
}
