import type { Steps } from "../shared/steps.ts";
import { formatCounted } from "../ui/text/format.ts";
import {
	type BlameAnswer,
	type BlamedLine,
	type BlameFacts,
	blameLine,
	candidates,
	type KnownEdit,
	noAuthor,
	otherAuthorsOf,
} from "./blame.ts";

/** Lines above and below that may have been written together with a line that is not distinctive. */
export const NEIGHBORS = 50;

/** A distinctive line has at least this many characters, and two words or one this long. */
const MIN_CHARACTERS = 12;

/** Finds who wrote each of the lines of a file with these numbers, from 1, in steps. */
export function* blameLines(facts: BlameFacts, numbers: readonly number[]): Steps<readonly BlameAnswer[]> {
	const { lines, edits } = facts;
	const times = countTimes(lines);
	const answers = new Map<number, BlameAnswer<KnownEdit>>();
	const answerOf = (index: number): BlameAnswer<KnownEdit> | undefined => {
		const line = lines[index];
		if (line === undefined || !isDistinctive(line.text) || times.get(line.text.trim()) !== 1) return undefined;
		const answer = answers.get(index) ?? blameLine(line, facts);
		answers.set(index, answer);
		return answer;
	};
	const inOrder: BlameAnswer[] = [];
	for (const number of numbers) {
		const line = lines[number - 1];
		if (line === undefined) continue;
		inOrder.push(answerOf(number - 1) ?? byNeighbor(number - 1, facts, answerOf) ?? unclear(line, times, edits));
		yield;
	}
	return inOrder;
}

function countTimes(lines: readonly BlamedLine[]): ReadonlyMap<string, number> {
	const times = new Map<string, number>();
	for (const { text } of lines) times.set(text.trim(), (times.get(text.trim()) ?? 0) + 1);
	return times;
}

/** Whether a line is unlikely to be written twice by chance. */
function isDistinctive(text: string): boolean {
	const trimmed = text.trim();
	if (trimmed.length < MIN_CHARACTERS) return false;
	const words = trimmed.match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
	return words.length > 1 || (words[0]?.length ?? 0) >= MIN_CHARACTERS;
}

/**
 * The answer of a distinctive line that was written together with this one: both are of the same commit, and one edit added
 * them with all lines between them.
 */
function byNeighbor(
	index: number,
	facts: BlameFacts,
	answerOf: (index: number) => BlameAnswer<KnownEdit> | undefined,
): BlameAnswer | undefined {
	const { lines } = facts;
	const line = lines[index];
	if (line === undefined) return undefined;
	const hash = line.commit?.hash;
	for (const step of [-1, 1]) {
		for (let distance = 1; distance <= NEIGHBORS; distance++) {
			const near = index + step * distance;
			if (near < 0 || near >= lines.length || lines[near]?.commit?.hash !== hash) break;
			const answer = answerOf(near);
			if (answer === undefined) continue;
			const block = lines.slice(Math.min(index, near), Math.max(index, near) + 1).map(({ text }) => text);
			const [edit] = answer.edits;
			if (answer.answer !== "exact" || edit === undefined || !wroteTogether(edit, block, facts)) break;
			const otherEdits = otherAuthorsOf(edit, line, facts);
			if (otherEdits.length > 0)
				return candidates([edit, ...otherEdits], "more than one session added such a line, and it is not distinctive");
			return {
				...answer,
				why: `it was added together with line ${near + 1}, which no other session added to this file`,
			};
		}
	}
	return undefined;
}

function wroteTogether(edit: KnownEdit, block: readonly string[], facts: BlameFacts): boolean {
	const isThere = edit.events.runs.some((run) => {
		for (let start = run.indexOf(block[0] ?? ""); start !== -1; start = run.indexOf(block[0] ?? "", start + 1)) {
			if (block.every((text, offset) => run[start + offset] === text)) return true;
		}
		return false;
	});
	return isThere && (!edit.events.isWhole || madeFile(edit, facts));
}

/** Whether a `write` created the file: nothing is known of it before, and the session had seen none of its lines. */
function madeFile(edit: KnownEdit, { lines, edits, committedMs }: BlameFacts): boolean {
	const isBefore = (timeMs: number): boolean => !(timeMs >= edit.timeMs);
	if (committedMs.some(isBefore) || lines.some(({ commit }) => commit?.earlierMs.some(isBefore))) return false;
	if (edits.some((other) => other !== edit && other.path === edit.path && isBefore(other.timeMs))) return false;
	return !lines.some(({ text }) => isDistinctive(text) && edit.events.adds.has(text) && edit.hadSeen(text));
}

function unclear({ text }: BlamedLine, times: ReadonlyMap<string, number>, edits: readonly KnownEdit[]): BlameAnswer {
	if (edits.length === 0) return noAuthor(0);
	const count = times.get(text.trim()) ?? 1;
	const why = count > 1 ? `the line occurs ${formatCounted(count, "time")} in the file` : "the line is not distinctive";
	return { answer: "unknown", edits: [], why: `${why}, and no line near it shows which edit it came from` };
}
