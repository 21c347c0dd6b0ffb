import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Message } from "../../../../changes/engine/answer.ts";
import { type Excerpt, excerptMarkdown, excerptName } from "../../../../conversation/markdown/excerpt.ts";
import { createPrivateDirectory } from "../../../world/effects/private-directory.ts";
import type { LendTerminal } from "../../../world/effects/terminal-program.ts";
import { writeNewFile } from "../../../world/effects/write-new-file.ts";
import { findOutsideProgram } from "./outside-program.ts";

/** What opening needs of the world outside. */
export interface OpenTools {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
	readonly cwd: string;
	readonly lendTerminal: LendTerminal;
}

/** A program that was back this soon may be one that opens a window and has not read the file yet. */
const AT_ONCE_MS = 2000;

/**
 * Shows an excerpt in the person's editor or pager: a Markdown file in a directory for them alone, which is removed
 * afterwards. The session's own file is never given away. Returns what there is to say.
 */
export async function openExcerpt(
	excerpt: Excerpt,
	kind: "editor" | "pager",
	tools: OpenTools,
): Promise<Message | undefined> {
	const program = await findOutsideProgram(kind, tools.env);
	if (typeof program === "string") return { text: program, tone: "error" };
	const directory = await createPrivateDirectory();
	let isRead = true;
	try {
		const path = join(directory.path, `${excerptName(excerpt)}.md`);
		await writeNewFile([path], { pieces: () => excerptMarkdown(excerpt, tools.home), mode: 0o600 });
		const written = await stat(path);
		const began = Date.now();
		const end = await tools.lendTerminal({
			command: program.command,
			args: [...program.args, path],
			cwd: tools.cwd,
		});
		isRead = kind === "pager" || Date.now() - began > AT_ONCE_MS;
		if (end === undefined) return undefined;
		if ("failure" in end) return { text: `Cannot start "${program.name}": ${end.failure}`, tone: "error" };
		if (end.code !== 0) return { text: `"${program.name}" ended with exit code ${end.code}`, tone: "warning" };
		return kind === "editor" && (await wasChanged(path, written.mtimeMs))
			? { text: "What you edited was a copy, which is gone: the session is as it was", tone: "warning" }
			: undefined;
	} finally {
		// Else at the end of this process.
		if (isRead) await directory.remove();
	}
}

async function wasChanged(path: string, mtimeMs: number): Promise<boolean> {
	try {
		return (await stat(path)).mtimeMs !== mtimeMs;
	} catch {
		// The editor has put it somewhere else.
		return false;
	}
}
