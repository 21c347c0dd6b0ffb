import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { SessionRow } from "../../../../catalog/model/row.ts";
import type { Message } from "../../../../changes/engine/answer.ts";
import {
	type Excerpt,
	excerptMarkdown,
	excerptName,
	type ImageExcerpt,
} from "../../../../conversation/markdown/excerpt.ts";
import { explain } from "../../../../store/files/store-error.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { findOutsideProgram } from "../../../world/effects/find-program.ts";
import { expectErrors } from "../../../world/effects/runners.ts";
import { createPrivateDirectory } from "../../../world/effects/temporary-directory.ts";
import { writeNewFile } from "../../../world/effects/write-file.ts";
import type { Action } from "../../../world/state/action.ts";
import { openImage, saveImage } from "./open-image.ts";
import { shareExcerpt, shareSessions } from "./share.ts";

/** Hands texts and images out: to the clipboard, to another program, into a file. */
export const EXCERPTS_EFFECTS = expectErrors<ExcerptsEffect["type"] | "copy", Pick<Capabilities, "disk" | "terminal">>({
	copy: async ({ text, what }, tools) => done(await copyText([text], what, tools)),
	async "copy-excerpt"({ excerpt }, tools) {
		const markdown = excerptMarkdown(excerpt, tools.disk.home);
		return done(await copyText(markdown, `the ${excerpt.of} as Markdown`, tools));
	},
	async "open-excerpt"(effect, tools) {
		const { excerpt } = effect;
		const message = await trying(`open the ${excerpt.of}`, openExcerpt(excerpt, effect.in, tools));
		return message && done(message);
	},
	"share-excerpt": async (effect, tools) => done(await shareExcerpt(effect, tools)),
	"share-sessions": async (effect, tools) => done(await shareSessions(effect, tools)),
	async "open-image"({ image }, { disk }) {
		const answer = await trying("open the image", openImage(image, disk));
		return "choices" in answer ? { type: "ask", question: answer } : done(answer);
	},
	"save-image": async ({ image }, { disk }) => done(await trying("save the image", saveImage(image, disk))),
});

function done(message: Message): Action {
	return { type: "done", message };
}

async function trying<Result>(what: string, work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		throw new Error(`Cannot ${what}: ${explain(error)}`, { cause: error });
	}
}

/** A program that returns sooner may have only opened a window, and not read the file yet. */
const AT_ONCE_MS = 2000;

/**
 * Opens an excerpt in the person's editor or pager, as a Markdown file in a private directory that is removed afterwards.
 * The session file itself is never passed to a program. Resolves to a message, or undefined if all went well.
 */
async function openExcerpt(
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

/** Where something shared goes: a web page, a Markdown file, or, as Markdown, the clipboard. */
type ShareTo = "html" | "markdown" | "clipboard";

/** Effects of taking excerpts out. */
type ExcerptsEffect =
	/** Save the conversations of sessions, masked; one may be copied as Markdown instead. */
	| { readonly type: "share-sessions"; readonly rows: readonly SessionRow[]; readonly to: ShareTo }
	/** Save a part of a session, masked, or copy it as Markdown. Only a branch is saved as a page. */
	| { readonly type: "share-excerpt"; readonly excerpt: Excerpt; readonly to: ShareTo }
	/** Copy a part of a session as Markdown as it is, or show it in the person's editor or pager. */
	| { readonly type: "copy-excerpt"; readonly excerpt: Excerpt }
	| { readonly type: "open-excerpt"; readonly excerpt: Excerpt; readonly in: "editor" | "pager" }
	/** Open an image in the person's image viewer, or save it as a file. */
	| { readonly type: "open-image"; readonly image: ImageExcerpt }
	| { readonly type: "save-image"; readonly image: ImageExcerpt };

declare module "../../../world/state/effect.ts" {
	interface Effects {
		readonly excerpts: ExcerptsEffect;
	}
}
