import { type Candidate, complete } from "../../../ui/field/typing.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { type PromptCompletion, type PromptOverlay, replaceTop, topOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";

type CompletedPrompt = PromptOverlay & { readonly completion: PromptCompletion };

function completedPrompt(state: State): CompletedPrompt | undefined {
	const top = topOverlay(state);
	return top?.kind === "prompt" && top.completion !== undefined ? { ...top, completion: top.completion } : undefined;
}

export function canCompletePrompt(state: State): boolean {
	return completedPrompt(state) !== undefined;
}

/** The candidates in the order in which the next keys insert them. */
function nextCandidates(state: State, { completion, value }: CompletedPrompt): readonly Candidate[] {
	const { last } = state.typing;
	if (last?.kind !== "complete" || last.candidates.length < 2) return completion.candidates(state, value);
	const at = Math.max(0, last.index);
	return [...last.candidates.slice(at), ...last.candidates.slice(0, at)];
}

export function whyNoCompletion(state: State): string | undefined {
	const prompt = completedPrompt(state);
	return prompt === undefined || nextCandidates(state, prompt).length > 0 ? undefined : prompt.completion.nothing;
}

/** Completes the text of the open prompt; again, inserts the next (1) or the previous (-1) candidate. */
export function completePrompt(by: 1 | -1): (state: State) => State {
	return (state) => {
		const prompt = completedPrompt(state);
		if (prompt === undefined) return state;
		const step = complete(prompt.completion.candidates(state, prompt.value), by);
		let [value, typing] = step(prompt.value, state.typing);
		// Before anything is typed, and where the candidates have nothing more in common, the first one is meant.
		const isFirstMeant = prompt.value.text === "" || value.text === prompt.value.text;
		if (isFirstMeant && typing.last?.kind === "complete" && typing.last.index === -1)
			[value, typing] = step(value, typing);
		return replaceTop({ ...state, typing }, { ...prompt, value });
	};
}

/** The open prompt completed, if there is only one way to do that. */
export function onlyCompletion(state: State): State | undefined {
	const prompt = completedPrompt(state);
	const candidates = prompt === undefined ? [] : nextCandidates(state, prompt);
	return candidates.length === 1 ? completePrompt(1)(state) : undefined;
}

/** The open prompt with a candidate that is clicked. `isWhole`: whether nothing more can follow it, as a folder or another tag would. */
export function takeCandidate(state: State, text: string): { readonly state: State; readonly isWhole: boolean } {
	const prompt = completedPrompt(state);
	const candidate = prompt && nextCandidates(state, prompt).find((one) => one.text === text);
	if (prompt === undefined || candidate === undefined) return { state, isWhole: false };
	const { last } = state.typing;
	const field = last?.kind === "complete" ? last.before : prompt.value;
	const [value, typing] = complete([candidate])(field, { ...state.typing, last: undefined });
	return { state: replaceTop({ ...state, typing }, { ...prompt, value }), isWhole: !/[/\\\s]$/.test(text) };
}

/**
 * The row of candidates of the open prompt, as many as fit: the current one first. A prompt with completions always has the
 * row, so that it does not move while one types.
 */
export function candidateRow(state: State, width: number): Line[] {
	const prompt = completedPrompt(state);
	if (prompt === undefined) return [];
	const [first, ...otherCandidates] = nextCandidates(state, prompt);
	if (first === undefined) return [[]];
	const wordsOf = (candidate: Candidate): string => sanitizeLine(prompt.completion.wordsOf(candidate));
	const row: Span[] = [span("tab ", "key"), { ...span(wordsOf(first), "accent"), types: first.text }];
	for (const candidate of otherCandidates) {
		const next: Span = { ...span(`  ${wordsOf(candidate)}`, "muted"), types: candidate.text };
		if (lineWidth([...row, next]) > width) break;
		row.push(next);
	}
	return [row];
}
