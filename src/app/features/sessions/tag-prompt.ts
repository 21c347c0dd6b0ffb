import { sessionTags } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { changedSession, type MarkChange } from "../../../changes/noted/marks.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import type { Candidate } from "../../../ui/field/typing.ts";
import { span } from "../../../ui/text/line.ts";
import { drawTags, knownTags } from "../../world/list/row-cells.ts";
import { subjectRow } from "../../world/screen/menus.ts";
import type { PromptOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";

export function tagPrompt({ marks }: State, rows: readonly SessionRow[]): PromptOverlay {
	const present = [...new Set(rows.flatMap((row) => sessionTags(row, marks)))].sort();
	return {
		kind: "prompt",
		title: rows.length === 1 ? "Tags of the session" : "Tags of the sessions",
		body: [
			subjectRow(rows),
			[span("Several at once; -tag removes one", "muted")],
			...(present.length === 0 ? [] : [[span("now ", "muted"), ...drawTags(present)]]),
		],
		value: editedText(""),
		submit: (state, text) => submitTags(state, rows, text),
		completion: {
			candidates: (state, field) => tagCandidates(field, knownTags(state.marks), present),
			wordsOf: ({ text }) => `#${text.replace(/^-?#*/, "").trimEnd()}`,
			nothing: "No tag begins with this; enter creates it",
		},
	};
}

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
export function parseTags(text: string, tags: readonly string[]): TagInput {
	const add = new Set<string>();
	const remove = new Set<string>();
	for (const word of text.normalize("NFC").split(/[\s,]+/u)) {
		const isRemoved = word.startsWith("-");
		const typed = (isRemoved ? word.slice(1) : word).replace(/^#+/, "");
		if (typed === "") continue;
		if (typed.length > MAX_LENGTH)
			return { add: [], remove: [], mistake: `A tag has at most ${MAX_LENGTH} characters` };
		if (typed.includes('"')) return { add: [], remove: [], mistake: "A tag has no quotation marks" };
		const tag = tags.find((other) => other.toLowerCase() === typed.toLowerCase()) ?? typed;
		// If a tag is given twice, the last one counts.
		add.delete(tag);
		remove.delete(tag);
		(isRemoved ? remove : add).add(tag);
	}
	return { add: [...add], remove: [...remove] };
}

/**
 * Completions of the word before the cursor: after a "-" the tags that the sessions have (`present`), otherwise known tags
 * that they do not have; in both cases without those already typed.
 */
export function tagCandidates(
	{ text, cursor }: EditedText,
	allTags: readonly string[],
	present: readonly string[],
): readonly Candidate[] {
	const [word = ""] = /[^\s,]*$/u.exec(text.slice(0, cursor)) ?? [];
	const [sign = ""] = /^-?#*/.exec(word) ?? [];
	const start = cursor - word.length;
	const otherTags = parseTags(`${text.slice(0, start)} ${text.slice(cursor)}`, allTags);
	const typedTags = new Set([...otherTags.add, ...otherTags.remove]);
	const tags = sign.startsWith("-") ? present : allTags.filter((tag) => !present.includes(tag));
	const typed = word.slice(sign.length).normalize("NFC").toLowerCase();
	const positionIn = (tag: string): number => (typedTags.has(tag) ? -1 : tag.toLowerCase().indexOf(typed));
	const end = text[cursor] === " " ? cursor + 1 : cursor;
	return [...tags.filter((tag) => positionIn(tag) === 0), ...tags.filter((tag) => positionIn(tag) > 0)].map((tag) => ({
		...{ text: `${sign}${tag} `, start, end, meaning: "", isWhole: false },
	}));
}
