import type { Comment } from "../../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../../catalog/model/row.ts";
import type { Message } from "../../../../changes/answer.ts";
import type { CommentRequest } from "../../../../changes/kinds/comment.ts";
import { titleText } from "../../../../conversation/entries/session-title.ts";
import { excerptName } from "../../../../conversation/markdown/excerpt.ts";
import { placeComments, reviewPrompt } from "../../../../edits/review.ts";
import type { Session } from "../../../../store/read/read-session.ts";
import { writeUnderFreeName } from "../../../../store/write/text-file.ts";
import { formatCounted, formatSize, shortenHome } from "../../../../ui/text/format.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { modeFor } from "../../../world/effects/masked-share.ts";
import { type EffectOf, expectErrors } from "../../../world/effects/runners.ts";
import { SESSION_EFFECTS } from "../../../world/effects/sessions/session-effects.ts";
import type { Action } from "../../../world/state/action.ts";

/** Make one prompt of comments, with their lines as they are now, and hand it to an agent or to the person. */
export interface ReviewEffect {
	readonly type: "send-review";
	readonly to: "session" | "new" | "editor" | "clipboard" | "file";
	readonly session: Session;
	readonly row: SessionRow;
	readonly comments: readonly Comment[];
	/** What the person says first. */
	readonly words: string;
	/** Marks them as sent, once they are; undefined: they stay as they are. */
	readonly sent: CommentRequest | undefined;
	/** Where pi is started. */
	readonly cwd: string;
}

declare module "../../../world/state/effect.ts" {
	interface Effects {
		readonly review: ReviewEffect;
	}
}

export const REVIEW_EFFECTS = expectErrors<"send-review", Capabilities>({ "send-review": sendReview });

async function sendReview(effect: EffectOf<"send-review">, tools: Capabilities): Promise<Action | undefined> {
	const { to, session, row, comments, words, sent, cwd } = effect;
	const { store, disk } = tools;
	const options = { home: disk.home, rows: store.rows(), isRemote: row.place !== undefined };
	const placed = await placeComments(comments, session, options);
	const text = [...reviewPrompt(placed.values(), session, words)].join("").trimEnd();
	if (to === "session") {
		const request = { path: row.path, cwd, shown: { row, uses: [] }, first: { text, sent } };
		return SESSION_EFFECTS.resume({ type: "resume", request }, tools);
	}
	if (to === "new")
		return SESSION_EFFECTS["start-session"]({ type: "start-session", cwd, text, what: "the prompt", sent }, tools);
	if (to === "editor") {
		if (sent !== undefined) await tools.journal.make(sent);
		tools.terminal.leave({ kind: "chosen", choice: { action: "edit", text } });
		return undefined;
	}
	const what = `the review of ${formatCounted(comments.length, "comment")}`;
	const message = to === "clipboard" ? await copyText([text], what, tools) : await save(text, what, row, tools);
	if (sent !== undefined && message.tone !== "error") await tools.journal.make(sent);
	return { type: "done", message };
}

async function save(text: string, what: string, row: SessionRow, { disk }: Capabilities): Promise<Message> {
	const { path, size } = await writeUnderFreeName({
		directory: disk.savesTo,
		name: `review-${excerptName({ of: "branch", title: titleText(row), entryId: "" })}`,
		ending: "md",
		pieces: () => [`${text}\n`],
		mode: await modeFor(row.path),
	});
	return { text: `Saved ${what} as ${shortenHome(path, disk.home)} (${formatSize(size)})`, tone: "text" };
}
