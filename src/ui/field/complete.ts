import { type EditedText, replaceBetween } from "./edit.ts";
import type { Candidate, Completing, Edit } from "./typing.ts";

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

/** Takes back a completion. */
export const takeBack: Edit = (field, typing) => {
	if (typing.last?.kind !== "complete") return [field, typing];
	return [typing.last.before, { ...typing, last: { kind: "type" } }];
};

/** Accepts the inserted candidate. */
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
