import type { Key } from "../../world/keys/key.ts";
import { DOCUMENTS } from "../features/features.ts";

/** A letter, what it means in every document, and the commands that do that: of each page its own. */
interface Letter {
	readonly key: string;
	readonly does: string;
	readonly ids: readonly string[];
}

/**
 * The only place where letters are given out. Where a caret blinks one types; in documents (`DOCUMENTS`) a letter means one thing on
 * every page.
 */
// biome-ignore format: a table
export const LETTERS: readonly Letter[] = [
	{ key: "q", does: "back, as ← and esc", ids: ["previous-pane", "go-out"] },
	{ key: "/", does: "find or filter here; enter ends typing", ids: ["filter-text", "find"] },
	{ key: "n", does: "next hit", ids: ["next-hit", "next-match"] },
	{ key: "N", does: "previous hit", ids: ["previous-hit", "previous-match"] },
	{ key: "j", does: "down", ids: ["down"] },
	{ key: "k", does: "up", ids: ["up"] },
	{ key: "g", does: "to the first row", ids: ["first"] },
	{ key: "G", does: "to the last row", ids: ["last"] },
	{ key: " ", does: "fold or unfold in a tree, mark in a list, next page in a text", ids: ["toggle-branch", "mark", "mark-branch", "next-page"] },
	{ key: "y", does: "copy what is under the cursor", ids: ["copy", "copy-patch", "copy-comment"] },
	{ key: "Y", does: "copy the whole: the turn, all patches", ids: ["copy-turn", "copy-patches", "copy-comments"] },
	{ key: "b", does: "who wrote this line", ids: ["blame", "close-blame"] },
	{ key: "c", does: "comment on this line", ids: ["comment"] },
	{ key: "C", does: "all comments of the session, to send them", ids: ["comments"] },
	{ key: "f", does: "the file as it was here", ids: ["file-as-of"] },
	{ key: "v", does: "open in the editor", ids: ["editor", "open-file"] },
	{ key: "V", does: "open in the pager", ids: ["pager", "open-patch", "open-commit"] },
	{ key: "u", does: "take this back, after a preview", ids: ["take-back"] },
	{ key: "p", does: "put this here, after a preview", ids: ["put-here", "put-branch", "put-first", "put-second"] },
	{ key: "x", does: "save, share or send", ids: ["export", "save-patch", "send-comments"] },
	{ key: "d", does: "the other view of a difference", ids: ["diffs", "layout", "difference"] },
	{ key: "e", does: "next failed step", ids: ["next-error", "next-failed"] },
	{ key: "E", does: "previous failed step", ids: ["previous-error", "previous-failed"] },
	{ key: "}", does: "next prompt", ids: ["next-prompt"] },
	{ key: "{", does: "previous prompt", ids: ["previous-prompt"] },
	{ key: "]", does: "next branch, file or group", ids: ["next-branch", "next-file", "next-group"] },
	{ key: "[", does: "previous branch, file or group", ids: ["previous-branch", "previous-file", "previous-group"] },
	{ key: "o", does: "unfold or fold this", ids: ["unfold-text", "fold-file"] },
	{ key: "O", does: "unfold or fold all", ids: ["tools", "fold-files", "all-branches"] },
	{ key: "h", does: "thinking, or its first line", ids: ["thinking"] },
	{ key: "r", does: "with runs of subagents, or without", ids: ["with-runs"] },
	{ key: "i", does: "open the image", ids: ["open-image"] },
	{ key: "L", does: "label, as in pi", ids: ["label"] },
	{ key: "1", does: "resume the first of two", ids: ["go-on-from-first"] },
	{ key: "2", does: "resume the second of two", ids: ["go-on-from-second"] },
	{ key: "?", does: "keys and signs", ids: ["keys"] },
	{ key: ":", does: "all commands, as ctrl+k", ids: ["help"] },
];

/** Keys that say more than the letter for the same. */
const ROWS: ReadonlySet<string | undefined> = new Set(["up", "down", "home", "end", "ctrl+k"]);

/** The key, and the same on its letters in documents: not one of pi's keybindings.json, which replaces the others. */
export function withLetters(key: Key): readonly Key[] {
	const keys = LETTERS.flatMap((letter) => (letter.ids.includes(key.id) ? letter.key : []));
	const contexts = key.contexts.filter((context) => DOCUMENTS.includes(context));
	if (keys.length === 0 || contexts.length === 0) return [key];
	const { pi: _, ...shared } = key;
	const letters = { ...shared, keys, contexts };
	return ROWS.has(key.keys[0]) ? [key, letters] : [letters, key];
}
