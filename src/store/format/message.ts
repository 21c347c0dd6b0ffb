import type { Fields } from "./fields.ts";
import type { ContentBlock } from "./schema.ts";

/** The blocks of a message's content: a string is one text block; malformed content has none. */
export function contentBlocks(content: unknown): readonly ContentBlock[] {
	if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
	if (!Array.isArray(content)) return [];
	return content.filter(isBlock);
}

/** The text blocks of a message's content joined by `separator`; "" for null and malformed content. */
export function contentText(content: unknown, separator = " "): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	let text = "";
	let first = true;
	for (const block of content) {
		if (!isBlock(block) || block.type !== "text" || typeof block.text !== "string") continue;
		text += first ? block.text : separator + block.text;
		first = false;
	}
	return text;
}

function isBlock(value: unknown): value is ContentBlock {
	return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** Stop reasons of answers that ended early without failing, whatever their error message says. */
const UNFINISHED: ReadonlySet<unknown> = new Set(["aborted", "length", "pending", "deferred"]);

/** Whether an answer ended early without failing: it was aborted, cut off, or is still to come. */
export function answerStopped(message: Fields): boolean {
	return UNFINISHED.has(message.stopReason) && !answerFailed(message);
}

/** Whether an answer is missing or incomplete because something went wrong. */
export function answerFailed({ stopReason, errorMessage }: Fields): boolean {
	if (stopReason === "error") return true;
	return !UNFINISHED.has(stopReason) && typeof errorMessage === "string" && errorMessage !== "";
}

export const SHELLS: ReadonlySet<string> = new Set(["bash", "powershell"]);

type ShellEnding =
	| { readonly kind: "exit"; readonly code: number }
	| { readonly kind: "timed out"; readonly seconds: number }
	| { readonly kind: "aborted" | "killed" };

/** What pi appends to the output of such a command (pi 1.5.2, core/tools/bash.js). */
const STATUS =
	/(?:^|\n)Command (?:exited with code (-?\d+)|(aborted)|(timed out) after (\d+) seconds|(terminated) without an exit code)[^\n]*\s*$/;
/** The status stands within this many characters of the end. */
const STATUS_CHARS = 500;

/** How a failed shell call ended, by its output or the end of it; undefined if the output does not say. */
export function shellEnding(output: string): ShellEnding | undefined {
	const [, code, aborted, timedOut, seconds, terminated] = STATUS.exec(output.slice(-STATUS_CHARS)) ?? [];
	if (code !== undefined) return { kind: "exit", code: Number(code) };
	if (timedOut !== undefined) return { kind: "timed out", seconds: Number(seconds) };
	if (aborted !== undefined) return { kind: "aborted" };
	return terminated === undefined ? undefined : { kind: "killed" };
}
