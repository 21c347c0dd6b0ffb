import fc from "fast-check";
import { expect, test } from "vitest";
import { Screen } from "../../../../components/Screen.tsx";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { openOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { AppScreen, State, Transition } from "../../../../src/app/world/state/state.ts";
import { cellWidth } from "../../../../src/shared/cell-width.ts";
import { editedText } from "../../../../src/ui/field/edit.ts";
import { screenRules } from "../../../../src/ui/pane-title.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import type { Box, Size } from "../../../../src/ui/view.ts";
import { caseCount, inShort } from "../../../support/cases.ts";
import { FakeTerminal } from "../../../support/fake-terminal.ts";
import { stateAfter } from "../../../support/listed-state.ts";
import { draw } from "../../../support/render.tsx";
import { makeRow, NOW } from "../../../support/rows.ts";
import { label, sessionOf, toolResult, user } from "../../../support/session-builder.ts";
import { GOLDEN_SIZES } from "../../../support/shown-screen.tsx";

/** Text of every class on whose width terminals disagree, or that is not seen at all. */
const ODD_TEXTS = [
	"zero\u200bwidth\u200bspace \u200b",
	"soft\u00adhyphen\u00ad",
	"word\u2060joiner",
	"hangul\u3164filler \u115f\u1160 \uffa0",
	"mongolian\u180evowel",
	"annotation\ufff9a\ufffab\ufffb",
	"\ufefforder mark",
	"ltr\u200emark rtl\u200fmark \u061c",
	"override \u202etxet\u202c \u2066isolate\u2069",
	"invisible \u2061\u2062\u2063\u2064 operators",
	"\u034fgrapheme\u034fjoiner",
	"\u17b4\u17b5 khmer inherent vowels",
	"tags \u{e0041}\u{e0042}\u{e007f} \u{e0001}",
	"variation\ufe00\ufe0e\ufe0f\u{e0100}",
	"keycaps 1️⃣ 2️⃣ #️⃣ *️⃣ 0⃣",
	"hearts ❤️ ❤ ☺️ ✂️ ✔️ ⚠️",
	"skin 👍🏽 👩🏿‍🚀 🏽",
	"family 👨‍👩‍👧‍👦 👩‍💻 🏳️‍🌈 🏴‍☠️",
	"flags 🇩🇪🇯🇵🇺🇳 🇩 🇩🇪🇯",
	"england 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
	"new emoji 🫨🫷🪿🩵🫩🫆🪾",
	"old emoji ⌚⏰☔♈⚡⛄✅❌➕⭐",
	"text or emoji ↔ ↩ ▶ ◀ ☀ ☎ ♠ ™ © ®",
	"日本語の題名",
	"ｆｕｌｌｗｉｄｔｈ ｶﾞｷﾞｸﾞ ﾊﾟ",
	"か\u3099き\u3099 は\u309a",
	"한국어 \u1112\u1161\u11ab\u1100\u1173\u11af \u1100\u1100\u1161 \u1161\u11ab",
	"हिन्दी में लिखा क्षत्रिय ज्ञान श्री",
	"தமிழ் மொழி கௌ ஸ்ரீ",
	"বাংলা ভাষা ক্ষ্ম",
	"తెలుగు ಕನ್ನಡ മലയാളം ක්‍ෂ",
	"ภาษาไทย กำลัง น้ำ ที่",
	"ພາສາລາວ ខ្មែរ ស្រ្តី မြန်မာ",
	"བོད་སྐད་ རྒྱ",
	"العربية لغة ﷽ السَّلَامُ",
	"עברית שָׁלוֹם",
	"فارسی می‌خواهم",
	"܏ܫܠܡ ۝ \u0600\u0601",
	"é e\u0301 ñ n\u0303 a\u0302\u0301",
	"zalgo Z̷̢̧̛̛̼̗̞͓a̸̡̨̛l̶̢̛̼̗g̷̢̛̞o̸̡",
	"\u0301mark first",
	"  \u0301\u0302marks after blanks",
	"many\u0300\u0300\u0300\u0300\u0300\u0300\u0300\u0300\u0300\u0300\u0300\u0300marks",
	"enclosing a\u20dd b\u20e0 \u0488",
	"math 𝕳𝖊𝖑𝖑𝖔 ∑∫√ 𝟘𝟙",
	"astral 𐎀𒀀𓀀𓂀 𛀀 𠀀𪚥",
	"music 𝄞𝅘𝅥𝅮 𝆺𝅥",
	"private \ue000\uf8ff\u{f0000}",
	"unassigned \u0378\u{1fbff}\u{3ffff}",
	"nonchar \ufffe\uffff\u{1fffe}",
	"lone \ud800 surrogate \udc00",
	"controls \u0000\u0007\u0008\u000e\u007f",
	"c1 \u0085\u009b31m\u009d0;x\u009c",
	"escapes \u001b[31mred\u001b[0m \u001b]0;t\u0007 \u001b",
	"tab\there\t\tand\tthere",
	"lines\nand\r\nmore\rof\u2028them\u2029all",
	"braille ⠿⣿ blocks █▓▒░ ▏▎",
	"box ─│┌┐└┘├┤ in text",
	"ideographic　space \u2003em \u1680ogham",
	"ﬁ ﬂ Ǆ ĳ ligatures",
	"hangul jamo ᄀᄀᄀᄀᄀᄀᄀ ퟋ",
	"signwriting 𝠀𝧿 bamum 𖠀",
	"egypt 𓀀\u{13430}𓀁 duployan \u{1bca0}",
	"emoji digits 🔟 🅰️ 🈁 🀄 🃏",
	"coptic letters among the greek ones Ϣ ϣ Ϯ",
	"arrows ⬅️➡️⬆️⬇️ ⤴️ ↗️",
];

/** Width tables of terminals that agree on Latin, Greek, Cyrillic, Chinese, Japanese, Korean and lines, and on little else. */
const AGREED =
	/^(?:[ -~\u00a0-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25fc\u30a0\u30fb\u30fc]|[\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}])$/u;
const agreeing = (other: (character: string) => 0 | 1 | 2) => (codePoint: number) => {
	const character = String.fromCodePoint(codePoint);
	return AGREED.test(character) && !/\p{M}/u.test(character) ? (cellWidth(character) as 1 | 2) : other(character);
};
const TERMINALS = {
	"a table of Unicode 6": undefined,
	"our own table": agreeing((character) => cellWidth(character) as 0 | 1 | 2),
	"one that draws all else in one cell": agreeing((character) => (/[\p{Mn}\p{Me}]/u.test(character) ? 0 : 1)),
	"one that draws all else in two": agreeing((character) => (/[\p{Mn}\p{Me}]/u.test(character) ? 0 : 2)),
	"one that joins all marks": agreeing((character) => (/\p{M}/u.test(character) ? 0 : 2)),
} as const;

/** Sessions with these titles and names, the first one opened, with these texts as entries and labels. */
async function opened(texts: readonly string[], size: Size): Promise<State> {
	const start = initialState(
		{ home: "/home/me", cwd: `/home/me/${texts[0]}`, demo: false, keymap: KEYMAP, problems: [] },
		size,
		NOW,
	);
	const rows = texts.map((text, index) =>
		makeRow(`s${index}`, { age: index, cwd: `/home/${text}`, firstMessage: text, ...(index % 2 && { name: text }) }),
	);
	const entries = texts.flatMap((text, index) => {
		const before = index === 0 ? null : `e${index - 1}`;
		const own =
			index % 3 === 0
				? toolResult(`e${index}`, before, index, `${text}\n\t${text}\tend`)
				: user(`e${index}`, before, index, text);
		return [own, label(`l${index}`, `e${index}`, index, `e${index}`, text)];
	});
	const session = await sessionOf(...entries);
	const listed = stateAfter(
		start,
		{ type: "catalog", event: { type: "rows", rows } },
		{ type: "keys", keys: size.columns < 100 ? ["right"] : [] },
	);
	return stateAfter(listed, { type: "session-read", request: listed.request, session });
}

/** Every place that shows text of a session: list, tree, entry, prompt, menu, query, message. */
function scenes(state: State, text: string): State[] {
	const list = { ...state, focus: "list" } as const;
	const prompt = {
		kind: "prompt",
		title: text,
		body: [],
		value: editedText(text),
		submit: (now: State): Transition => [now, []],
	} as const;
	return [
		list,
		{ ...state, focus: "tree" },
		stateAfter({ ...state, focus: "tree" }, { type: "keys", keys: ["up", "up", "up"] }),
		stateAfter({ ...state, focus: "reader" }),
		openOverlay(list, prompt),
		stateAfter(list, { type: "keys", keys: ["ctrl+d"] }),
		{ ...list, list: { ...list.list, query: editedText(text) }, message: { text, tone: "error" } },
	];
}

/** Cells that must hold a piece of a line: those between panes, their ends, and the border of an overlay. */
function lineCells(view: AppScreen): Map<string, string> {
	const { panes, overlay, message = [], columns, rows } = view;
	const cells = new Map<string, string>();
	for (const { x, y, height } of panes)
		if (x > 0) for (let row = y; row < y + height; row++) cells.set(`${x - 1},${row}`, "│");
	for (const { x, y, line } of screenRules(view)) {
		const text = line.map((part) => part.text).join("");
		if (x > 0) cells.set(`${x},${y}`, text[0] ?? "");
		// The right end of a title has its column too.
		if (text.endsWith("─")) cells.set(`${x + lineWidth(line) - 1},${y}`, "─");
	}
	if (overlay) addBorder(cells, overlay);
	for (let row = rows - message.length; row < rows; row++)
		for (let column = 0; column < columns; column++) cells.delete(`${column},${row}`);
	return cells;
}

function addBorder(cells: Map<string, string>, { x, y, width, height }: Box): void {
	for (let row = y; row < y + height; row++)
		for (let column = x; column < x + width; column++) cells.delete(`${column},${row}`);
	for (let row = y + 1; row < y + height - 1; row++) {
		cells.set(`${x},${row}`, "│");
		cells.set(`${x + width - 1},${row}`, "│");
	}
	for (const [dx, dy, corner] of [
		[0, 0, "┌"],
		[1, 0, "┐"],
		[0, 1, "└"],
		[1, 1, "┘"],
	] as const)
		cells.set(`${x + dx * (width - 1)},${y + dy * (height - 1)}`, corner);
}

/** Draws a state, and shows what was written to the terminal on each of the terminals. */
async function expectBordersInPlace(state: State): Promise<void> {
	const view = selectScreen(state);
	const { terminal, ink } = draw(<Screen view={view} />, view.columns, view.rows);
	await ink.waitUntilRenderFlush();
	for (const [name, widthOf] of Object.entries(TERMINALS)) {
		const shown = new FakeTerminal(view.columns, view.rows, widthOf);
		shown.write(terminal.written);
		const rows = await Promise.all(Array.from({ length: view.rows }, (_, row) => shown.cells(row)));
		const wrong = [...lineCells(view)].filter(([cell, border]) => {
			const [column = 0, row = 0] = cell.split(",").map(Number);
			return rows[row]?.[column] !== border;
		});
		const text = wrong.map(([cell]) => `${cell}: ${rows[Number(cell.split(",")[1])]?.join("|")}`);
		expect(text, name).toEqual([]);
	}
	ink.unmount();
}

test.each(inShort(GOLDEN_SIZES, ({ columns }) => columns === 40))(
	"every border is in its column on any terminal, whatever the text is: $columns×$rows",
	async (size) => {
		const perScreen = size.rows - 4;
		for (let from = 0; from < ODD_TEXTS.length; from += perScreen) {
			const texts = ODD_TEXTS.slice(from, from + perScreen);
			const all = scenes(await opened(texts, size), texts.join(" "));
			// In the test command each text is in a third of the places, in turn.
			const place = (from / perScreen) % 3;
			for (const state of inShort(all, (_, index) => index % 3 === place)) await expectBordersInPlace(state);
		}
	},
);

test("every border is in its column around any text of any script", async () => {
	const character = fc.oneof(
		fc.integer({ min: 0xa0, max: 0xffff }).map((code) => String.fromCharCode(code)),
		fc.integer({ min: 0x10000, max: 0x1ffff }).map((code) => String.fromCodePoint(code)),
		fc.integer({ min: 0x20000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
		fc.integer({ min: 0x300, max: 0x1fff }).map((code) => String.fromCharCode(code)),
		fc.constantFrom(" ", "  ", "a", "\t", "\n", "\u200d", "\ufe0f", "日", "👍", "🇩", "\u0301", "्", "क", "ᄀ"),
	);
	const texts = fc.array(fc.string({ unit: character, minLength: 1, maxLength: 60 }), { minLength: 9, maxLength: 9 });
	await fc.assert(
		fc.asyncProperty(texts, fc.constantFrom(...GOLDEN_SIZES), async (some, size) => {
			for (const state of scenes(await opened(some, size), some.join(""))) await expectBordersInPlace(state);
		}),
		{ numRuns: caseCount(4) },
	);
});
