import {
	type EditedText,
	nextGrapheme,
	partStart,
	previousGrapheme,
	replaceBetween,
	replaceTyped,
	undoEdit,
	wordBefore,
	wordEnd,
} from "./edit.ts";

/** What carries over from key to key, whatever field is edited. */
export interface Typing {
	/** Killed texts (as in Emacs and readline), the latest last. */
	readonly kills: readonly string[];
	/** The last edit; undefined if the last key was no edit. */
	readonly last?: LastEdit | undefined;
}

type LastEdit =
	| { readonly kind: "move" | "type" | "delete" | "kill" | "other" }
	/** No edit: the row with this key was marked or unmarked. */
	| { readonly kind: "mark"; readonly key: string }
	/** The killed text that was inserted: the `turn`th from the latest. */
	| { readonly kind: "yank"; readonly turn: number }
	| Completing;

/** A completion: `before`: the field before it; `index`: the inserted candidate, -1 for none. */
export interface Completing {
	readonly kind: "complete";
	readonly before: EditedText;
	readonly candidates: readonly Candidate[];
	readonly index: number;
}

/** A completion of the text from `start` to `end`. */
export interface Candidate {
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** What it means, in a few words; may be "". */
	readonly meaning: string;
	/** Whether nothing more has to be typed after it. */
	readonly isWhole: boolean;
}

export type Edit = (field: EditedText, typing: Typing) => readonly [EditedText, Typing];

const MAX_KILLS = 30;

export const NOT_TYPING: Typing = { kills: [] };

/** One undo takes back what was typed since the last space. */
export function insert(text: string): Edit {
	return (field, typing) => {
		const next = replaceSelection(field, text);
		const goesOn = typing.last?.kind === "type" && text.length < 10 && text.trim() !== "";
		return [goesOn ? { ...next, past: field.past } : next, { ...typing, last: { kind: "type" } }];
	};
}

export const moveBack: Edit = moveTo(previousGrapheme);
export const moveForward: Edit = moveTo(nextGrapheme);
export const moveWordBack: Edit = moveTo(wordBefore);
export const moveWordForward: Edit = moveTo(wordEnd);
export const moveToStart: Edit = moveTo(() => 0);
export const moveToEnd: Edit = moveTo(({ text }) => text.length);

export const deleteBefore: Edit = deleteTo(previousGrapheme);
export const deleteAfter: Edit = deleteTo(nextGrapheme);

export const killPartBefore: Edit = killTo(partStart);
export const killWordBefore: Edit = killTo(wordBefore);
export const killWordAfter: Edit = killTo(wordEnd);
export const killToStart: Edit = killTo(() => 0);
export const killToEnd: Edit = killTo(({ text }) => text.length);

/** Inserts the text that was killed last. */
export const yank: Edit = (field, typing) => {
	const killed = typing.kills.at(-1);
	if (killed === undefined) return [field, { ...typing, last: { kind: "other" } }];
	const last = { kind: "yank", turn: 0 } as const;
	return [replaceSelection(field, killed), { ...typing, last }];
};

/** Replaces the text that was just inserted by the one killed before it. */
export const yankBefore: Edit = (field, typing) => {
	const { last, kills } = typing;
	if (last?.kind !== "yank") return [field, typing];
	const turn = (last.turn + 1) % kills.length;
	// The field before the first yank, so that one undo takes back all of them.
	const base = undoEdit(field);
	const killed = kills.at(-1 - turn) ?? "";
	return [replaceBetween(base, base.cursor, base.cursor, killed), { ...typing, last: { ...last, turn } }];
};

export const undoTyping: Edit = (field, typing) => [undoEdit(field), { ...typing, last: { kind: "other" } }];

/** Undo brings the text back. */
export const clear: Edit = (field, typing) => [replaceTyped(field, "", 0), { ...typing, last: undefined }];

/** Whether an edit would change the text or move the cursor. */
export function canEdit(field: EditedText, typing: Typing, edit: Edit): boolean {
	const [next] = edit(field, typing);
	return next.cursor !== field.cursor || next.text !== field.text || next.isSelected !== field.isSelected;
}

function moveTo(place: (field: EditedText) => number): Edit {
	return ({ isSelected: _, ...field }, typing) => [
		{ ...field, cursor: place(field) },
		{ ...typing, last: { kind: "move" } },
	];
}

/** One undo brings back all characters deleted one after the other. */
function deleteTo(place: (field: EditedText) => number): Edit {
	return (field, typing) => {
		const next = field.isSelected ? replaceSelection(field, "") : withoutTo(field, place(field));
		const goesOn = next !== field && typing.last?.kind === "delete";
		return [goesOn ? { ...next, past: field.past } : next, { ...typing, last: { kind: "delete" } }];
	};
}

/** Texts killed one after the other become one killed text. */
function killTo(place: (field: EditedText) => number): Edit {
	return (field, typing) => {
		const to = place(field);
		const last = { kind: "kill" } as const;
		if (to === field.cursor) return [field, { ...typing, last }];
		const killed = field.text.slice(Math.min(to, field.cursor), Math.max(to, field.cursor));
		const goesOn = typing.last?.kind === "kill";
		const killedBefore = goesOn ? (typing.kills.at(-1) ?? "") : "";
		const all = to < field.cursor ? killed + killedBefore : killedBefore + killed;
		const kills = [...(goesOn ? typing.kills.slice(0, -1) : typing.kills), all].slice(-MAX_KILLS);
		return [withoutTo(field, to), { ...typing, kills, last }];
	};
}

/** The field with a text at its cursor, or in the place of all that is selected. */
function replaceSelection(field: EditedText, text: string): EditedText {
	const { isSelected = false, cursor } = field;
	return isSelected ? replaceBetween(field, 0, field.text.length, text) : replaceBetween(field, cursor, cursor, text);
}

function withoutTo(field: EditedText, to: number): EditedText {
	if (to === field.cursor) return field;
	return replaceBetween(field, Math.min(to, field.cursor), Math.max(to, field.cursor), "");
}

/**
 * Completes the text before the cursor: wholly if there is one candidate, else by what all candidates have in common. When
 * called again, inserts the next candidate (with -1 the previous one) in its place.
 */
export function complete(candidates: readonly Candidate[], by: 1 | -1 = 1): Edit {
	return (field, typing) => {
		if (typing.last?.kind === "complete" && typing.last.candidates.length > 1) {
			const { last } = typing;
			const { length } = last.candidates;
			const index = last.index === -1 && by === -1 ? length - 1 : (last.index + by + length) % length;
			return [withCandidate(last, index), { ...typing, last: { ...last, index } }];
		}
		const [only, second] = candidates;
		if (only === undefined) return [field, typing];
		const last = { kind: "complete", before: field, candidates, index: second === undefined ? 0 : -1 } as const;
		if (second === undefined) return [closeWord(withCandidate(last, 0), only), { ...typing, last }];
		const common = commonStart(candidates.map(({ text }) => text));
		const typed = field.text.slice(only.start, only.end);
		const isMore = common.length > typed.length && common.toLowerCase().startsWith(typed.toLowerCase());
		const next = isMore ? replaceBetween(field, only.start, only.end, common) : field;
		return [next, { ...typing, last }];
	};
}

export const takeBack: Edit = (field, typing) => {
	if (typing.last?.kind !== "complete") return [field, typing];
	return [typing.last.before, { ...typing, last: { kind: "type" } }];
};

export const acceptCandidate: Edit = (field, typing) => {
	if (typing.last?.kind !== "complete") return [field, typing];
	const candidate = typing.last.candidates[typing.last.index];
	const next = candidate === undefined ? field : closeWord(field, candidate);
	return [
		{ ...next, past: field.past },
		{ ...typing, last: { kind: "type" } },
	];
};

function withCandidate({ before, candidates }: Completing, index: number): EditedText {
	const candidate = candidates[index];
	return candidate === undefined ? before : replaceBetween(before, candidate.start, candidate.end, candidate.text);
}

/** Puts the cursor after a space behind a whole candidate, so that the next word can be typed; adds one if there is none. */
function closeWord(field: EditedText, { isWhole }: Candidate): EditedText {
	if (!isWhole) return field;
	const rest = field.text.slice(field.cursor);
	if (rest.startsWith(" ")) return { ...field, cursor: field.cursor + 1 };
	return { ...replaceBetween(field, field.cursor, field.cursor, " "), past: field.past };
}

function commonStart(texts: readonly string[]): string {
	const [first = "", ...others] = texts;
	let length = first.length;
	for (const text of others) while (!text.startsWith(first.slice(0, length))) length--;
	// Never half a surrogate pair.
	return first.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
