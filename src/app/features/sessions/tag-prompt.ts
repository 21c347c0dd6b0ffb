import { sessionTags } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { changedSession, type MarkChange } from "../../../changes/noted/marks.ts";
import { type EditedText, editedText, replaceBetween } from "../../../ui/field/edit.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { drawTags, knownTags } from "../../world/list/row-cells.ts";
import { subjectRow } from "../../world/screen/menus.ts";
import { type PromptOverlay, replaceTop, type TagSubmit, topOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";

/** Asks which tags to add to sessions, or to remove from them. */
export function tagPrompt(rows: readonly SessionRow[]): PromptOverlay {
	return {
		kind: "prompt",
		title: rows.length === 1 ? "Tags of the session" : "Tags of the sessions",
		body: [subjectRow(rows), [span("Several at once; -tag takes one off", "muted")]],
		value: editedText(""),
		submit: (state, text) => submitTags(state, rows, text),
		of: { type: "tags", rows },
	};
}

export function isTagPrompt(state: State): boolean {
	return openTagPrompt(state) !== undefined;
}

export function completeTag(state: State): State {
	const top = openTagPrompt(state);
	const first = top && proposedTags(state, top)[0];
	return top === undefined || first === undefined
		? state
		: replaceTop(state, { ...top, value: complete(top.value, first) });
}

/** Why nothing can be completed; undefined when something can. */
export function whyNoCompletion(state: State): string | undefined {
	const top = openTagPrompt(state);
	if (top !== undefined && proposedTags(state, top).length > 0) return undefined;
	return "No known tag begins with this; enter makes a new one";
}

/** Enter in the prompt: adds and removes the typed tags. */
function submitTags(state: State, rows: readonly SessionRow[], text: string): Transition {
	const { add, remove, mistake } = parseTags(text, knownTags(state.marks));
	if (mistake !== undefined) return transition(say(state, mistake, "warning"));
	const changes = rows.flatMap((row): MarkChange[] => [
		...add.map((tag) => ({ ...changedSession(row), tag, on: true })),
		...remove.map((tag) => ({ ...changedSession(row), tag, on: false })),
	]);
	if (changes.length === 0) return transition(state);
	return transition(state, { type: "mark", paths: rows.map(({ path }) => path), changes });
}

function openTagPrompt(state: State): PromptOverlay | undefined {
	const top = topOverlay(state);
	return top?.kind === "prompt" && top.of?.type === "tags" ? top : undefined;
}

/** The lines below the field: the current tags of the sessions, and the completions. */
export function tagLines(state: State, overlay: PromptOverlay, width: number): Line[] {
	if (overlay.of?.type !== "tags") return [];
	const present = presentTags(state, overlay.of);
	const [first, ...more] = proposedTags(state, overlay);
	const lines: Line[] = present.length === 0 ? [] : [[span("now ", "muted"), ...drawTags(present)]];
	if (first === undefined) return lines;
	const line = [span("tab ", "key"), span(`#${first}`, "accent")];
	for (const tag of more) {
		const next = span(` #${tag}`, "muted");
		if (lineWidth([...line, next]) > width) break;
		line.push(next);
	}
	return [...lines, line];
}

/** Completions of the word before the cursor, the best first. */
function proposedTags({ marks }: Pick<State, "marks">, { value, of }: PromptOverlay): readonly string[] {
	return of?.type === "tags" ? completions(value, knownTags(marks), presentTags({ marks }, of)) : [];
}

function presentTags({ marks }: Pick<State, "marks">, { rows }: TagSubmit): readonly string[] {
	return [...new Set(rows.flatMap((row) => sessionTags(row, marks)))].sort();
}

interface TagInput {
	readonly add: readonly string[];
	readonly remove: readonly string[];
	/** Why the text is not valid, in a sentence. */
	readonly mistake?: string;
}

/** Characters of a tag: anything longer is a sentence, and does not fit into a row. */
const MAX_LENGTH = 40;

/**
 * Parses tags separated by blanks or commas: each is added, or removed if it begins with "-"; a leading "#" is ignored. A
 * known tag in a different case (Wip, wip) is used as it is known, so there are never both.
 */
export function parseTags(text: string, known: readonly string[]): TagInput {
	const add = new Set<string>();
	const remove = new Set<string>();
	for (const word of text.normalize("NFC").split(/[\s,]+/u)) {
		const isRemoved = word.startsWith("-");
		const typed = (isRemoved ? word.slice(1) : word).replace(/^#+/, "");
		if (typed === "") continue;
		if (typed.length > MAX_LENGTH)
			return { add: [], remove: [], mistake: `A tag has at most ${MAX_LENGTH} characters` };
		if (typed.includes('"')) return { add: [], remove: [], mistake: "A tag has no quotation marks" };
		const tag = known.find((other) => other.toLowerCase() === typed.toLowerCase()) ?? typed;
		// If a tag is given twice, the last one counts.
		add.delete(tag);
		remove.delete(tag);
		(isRemoved ? remove : add).add(tag);
	}
	return { add: [...add], remove: [...remove] };
}

function wordBefore({ text, cursor }: EditedText): {
	readonly from: number;
	readonly sign: string;
	readonly typed: string;
} {
	const before = text.slice(0, cursor);
	const [word = ""] = /[^\s,]*$/u.exec(before) ?? [];
	const [sign = ""] = /^-?#*/.exec(word) ?? [];
	return { from: cursor - word.length, sign, typed: word.slice(sign.length) };
}

/**
 * Completions of the word before the cursor: after a "-" the tags that the sessions have (`present`), otherwise known tags
 * that they do not have; in both cases without those already typed.
 */
export function completions(
	edited: EditedText,
	known: readonly string[],
	present: readonly string[],
): readonly string[] {
	const { from, sign, typed } = wordBefore(edited);
	const others = parseTags(`${edited.text.slice(0, from)} ${edited.text.slice(edited.cursor)}`, known);
	const typedTags = new Set([...others.add, ...others.remove]);
	const candidates = sign.startsWith("-") ? present : known.filter((tag) => !present.includes(tag));
	const start = typed.normalize("NFC").toLowerCase();
	const positionIn = (tag: string): number => (typedTags.has(tag) ? -1 : tag.toLowerCase().indexOf(start));
	return [...candidates.filter((tag) => positionIn(tag) === 0), ...candidates.filter((tag) => positionIn(tag) > 0)];
}

/** Replaces the word before the cursor by a tag and a blank. */
export function complete(edited: EditedText, tag: string): EditedText {
	const { from, sign } = wordBefore(edited);
	const to = edited.text[edited.cursor] === " " ? edited.cursor + 1 : edited.cursor;
	return replaceBetween(edited, from, to, `${sign}${tag} `);
}
