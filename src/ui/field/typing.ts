import { type EditedText, nextGrapheme, previousGrapheme, replaceBetween, replaceText, undoEdit } from "./edit.ts";
import { partStart, wordEnd, wordStart } from "./words.ts";

/** What the hands remember from key to key, in whatever field they type. */
export interface Typing {
	/** What was killed, the latest last. */
	readonly kills: readonly string[];
	/** What the last key did in a field; undefined when it did something else. */
	readonly last?: LastEdit | undefined;
}

type LastEdit =
	| { readonly kind: "move" | "type" | "delete" | "kill" | "other" }
	/** The killed text that was put there: the `turn`th from the latest. */
	| { readonly kind: "yank"; readonly turn: number }
	| Completing;

/** What was completed: `before` is the field before it, `index` the candidate that stands there, -1 for none of them. */
export interface Completing {
	readonly kind: "complete";
	readonly before: EditedText;
	readonly candidates: readonly Candidate[];
	readonly index: number;
}

/** What may stand in the text in the place of what is from `start` to `end`. */
export interface Candidate {
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** What it means, in a few words; may be "". */
	readonly meaning: string;
	/** Whether nothing more is to be typed for it. */
	readonly isWhole: boolean;
}

/** What a key does to a field. */
export type Edit = (field: EditedText, typing: Typing) => readonly [EditedText, Typing];

/** Killed texts that are kept. */
const MOST_KILLS = 30;

export const NOT_TYPING: Typing = { kills: [] };

/** Types text where the cursor is. Undo takes back what was typed since the last blank. */
export function insert(text: string): Edit {
	return (field, typing) => {
		const next = replaceBetween(field, field.cursor, field.cursor, text);
		const goesOn = typing.last?.kind === "type" && text.length < 10 && text.trim() !== "";
		return [goesOn ? { ...next, past: field.past } : next, { ...typing, last: { kind: "type" } }];
	};
}

export const moveBack: Edit = moveTo(previousGrapheme);
export const moveForward: Edit = moveTo(nextGrapheme);
export const moveWordBack: Edit = moveTo(wordStart);
export const moveWordForward: Edit = moveTo(wordEnd);
export const moveToStart: Edit = moveTo(() => 0);
export const moveToEnd: Edit = moveTo(({ text }) => text.length);

export const deleteBefore: Edit = deleteTo(previousGrapheme);
export const deleteAfter: Edit = deleteTo(nextGrapheme);

export const killPartBefore: Edit = killTo(partStart);
export const killWordBefore: Edit = killTo(wordStart);
export const killWordAfter: Edit = killTo(wordEnd);
export const killToStart: Edit = killTo(() => 0);
export const killToEnd: Edit = killTo(({ text }) => text.length);

/** Puts there what was killed last. */
export const yank: Edit = (field, typing) => {
	const killed = typing.kills.at(-1);
	if (killed === undefined) return [field, { ...typing, last: { kind: "other" } }];
	const last = { kind: "yank", turn: 0 } as const;
	return [replaceBetween(field, field.cursor, field.cursor, killed), { ...typing, last }];
};

/** Puts what was killed before that in the place of what was just put there. */
export const yankBefore: Edit = (field, typing) => {
	const { last, kills } = typing;
	if (last?.kind !== "yank") return [field, typing];
	const turn = (last.turn + 1) % kills.length;
	// The text before the first one was put there, so that one undo takes all of it back.
	const base = undoEdit(field);
	const killed = kills.at(-1 - turn) ?? "";
	return [replaceBetween(base, base.cursor, base.cursor, killed), { ...typing, last: { ...last, turn } }];
};

/** Takes back the last edit. */
export const undo: Edit = (field, typing) => [undoEdit(field), { ...typing, last: { kind: "other" } }];

/** Deletes all; undo brings it back. */
export const clear: Edit = (field, typing) => [replaceText(field, "", 0), { ...typing, last: undefined }];

/** Whether an edit would change the text or move the cursor. */
export function canEdit(field: EditedText, typing: Typing, edit: Edit): boolean {
	const [next] = edit(field, typing);
	return next.cursor !== field.cursor || next.text !== field.text;
}

function moveTo(place: (field: EditedText) => number): Edit {
	return (field, typing) => [
		{ ...field, cursor: place(field) },
		{ ...typing, last: { kind: "move" } },
	];
}

/** Characters that are deleted one after the other come back together. */
function deleteTo(place: (field: EditedText) => number): Edit {
	return (field, typing) => {
		const next = withoutTo(field, place(field));
		const goesOn = next !== field && typing.last?.kind === "delete";
		return [goesOn ? { ...next, past: field.past } : next, { ...typing, last: { kind: "delete" } }];
	};
}

/** What is killed one after the other comes back together. */
function killTo(place: (field: EditedText) => number): Edit {
	return (field, typing) => {
		const to = place(field);
		const last = { kind: "kill" } as const;
		if (to === field.cursor) return [field, { ...typing, last }];
		const killed = field.text.slice(Math.min(to, field.cursor), Math.max(to, field.cursor));
		const goesOn = typing.last?.kind === "kill";
		const before = goesOn ? (typing.kills.at(-1) ?? "") : "";
		const all = to < field.cursor ? killed + before : before + killed;
		const kills = [...(goesOn ? typing.kills.slice(0, -1) : typing.kills), all].slice(-MOST_KILLS);
		return [withoutTo(field, to), { ...typing, kills, last }];
	};
}

/** The field without what is between its cursor and another place. */
function withoutTo(field: EditedText, to: number): EditedText {
	if (to === field.cursor) return field;
	return replaceBetween(field, Math.min(to, field.cursor), Math.max(to, field.cursor), "");
}
