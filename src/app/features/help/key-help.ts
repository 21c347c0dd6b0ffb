import { memoLast } from "../../../shared/memo.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { joinEnds, lineWidth, textWidth } from "../../../ui/text/width.ts";
import { wrapLine, wrapText } from "../../../ui/text/wrap.ts";
import { type Binding, type Context, keyLabel, sectionsOf } from "../../world/state/binding.ts";
import { SIGNS, type Sign, type SignPlace } from "./signs.ts";

/** A row of the first screen: the ids of one or two bindings (none for typing), and what they do in a few words. */
type FirstKey = readonly [ids: readonly string[], does: string];

/** The eight keys of each pane that a person learns first. */
const FIRST_KEYS: Readonly<Partial<Record<Context, readonly FirstKey[]>>> = {
	list: [
		[[], "search everything that was said or run"],
		[["up", "down"], "move"],
		[["next-pane"], "open the tree; again: the text"],
		[["resume"], "resume in pi"],
		[["mark"], "mark, to change several at once"],
		[["scope"], "directory, repository, all projects"],
		[["undo"], "undo the last change"],
		[["help"], "find any command by name"],
	],
	tree: [
		[["filter-text"], "filter the entries"],
		[["next-pane"], "read the text of the entry"],
		[["resume"], "resume in pi from the entry"],
		[["toggle-branch"], "unfold or fold a branch"],
		[["previous-prompt", "next-prompt"], "go to the previous or next prompt"],
		[["filter-next"], "next filter: turns, errors, labels, …"],
		[["branches"], "branches; again: changes of files"],
		[["help"], "find any command by name"],
	],
	reader: [
		[["next-page", "page-up"], "next or previous page"],
		[["next-prompt", "previous-prompt"], "next or previous prompt"],
		[["next-error", "previous-error"], "next or previous error"],
		[["find", "next-hit"], "find, next match"],
		[["unfold-text", "tools"], "open a file or an output; all of them"],
		[["copy", "copy-turn"], "copy the entry or its code, the turn"],
		[["previous-pane"], "back to the tree"],
		[["help"], "find any command by name"],
	],
	branches: [
		[["filter-text"], "filter the branches"],
		[["up", "down"], "move"],
		[["read-branch"], "read the branch"],
		[["resume"], "resume in pi from its end"],
		[["mark-branch"], "mark two to compare them"],
		[["order-branches"], "next order"],
		[["changes"], "what the session changed in files"],
		[["help"], "find any command by name"],
	],
};

/** Rows of the first screen at most, of a page that has no eight keys of its own. */
const MOST_FIRST = 8;

/** A key, an example or a sign with its meaning. */
export interface HelpRow {
	/** The heading that it stands below. */
	readonly section: string;
	readonly left: Line;
	readonly right: Line;
}

/** The keys of the first screen of a pane or a page, as the person has bound them. */
export function firstKeys(keymap: readonly Binding[], from: Context): readonly HelpRow[] {
	const here = keymap.filter(({ keys, contexts }) => keys.length > 0 && contexts.includes(from));
	const rows = FIRST_KEYS[from]?.flatMap(([ids, does]) => {
		const bindings = ids.flatMap((id) => here.find((binding) => binding.id === id) ?? []);
		const label = ids.length === 0 ? "type" : bindings.map(labelOf).join(" ");
		return label === "" ? [] : [rowOf("", label, does)];
	});
	if (rows !== undefined) return rows;
	const footerKeys = here
		.filter(({ short, condition }) => short !== undefined && condition === undefined)
		.slice(0, MOST_FIRST);
	return footerKeys.map((binding) => rowOf("", labelOf(binding), binding.help));
}

function labelOf({ keys: [key = ""] }: Binding): string {
	return keyLabel(key);
}

function rowOf(section: string, keys: string, does: string, note = ""): HelpRow {
	const right = [span(does), ...(note === "" ? [] : [span(`  (${note})`, "muted")])];
	return { section, left: [span(keys, "key")], right };
}

/** The twelve signs that a person meets first: those of the list, or of an opened session; none of a page that has neither. */
export function firstSigns(from: Context): readonly Sign[] {
	const place = PLACES[from];
	return SIGNS.filter((sign) => sign.isFirst && sign.place === place);
}

const PLACES: Readonly<Partial<Record<Context, SignPlace>>> = {
	...{ list: "list", saved: "list", projects: "list" },
	...{ tree: "session", reader: "session", find: "session", branches: "session" },
	...{ comparison: "session", changes: "session", timeline: "session" },
};

/** All keys and signs: the keys of this pane or page, all signs, then the keys of the others. */
export const helpRows = memoLast((keymap: readonly Binding[], from: Context): readonly HelpRow[] => {
	const bound = keymap.filter(({ keys }) => keys.length > 0);
	const here = bound.filter(({ contexts }) => contexts.includes(from));
	const elsewhere = bound.filter(({ contexts }) => !contexts.includes(from));
	const sections = sectionsOf(keymap);
	return [...keyRows(here, sections, ""), ...signRows(), ...keyRows(elsewhere, sections, ", elsewhere")];
});

const SIGN_SECTIONS: Readonly<Record<SignPlace, string>> = {
	list: "Signs of the list",
	session: "Signs of a session",
	timeline: "Signs of the timeline",
};

function signRows(): readonly HelpRow[] {
	return Object.entries(SIGN_SECTIONS).flatMap(([place, section]) =>
		SIGNS.filter((sign) => sign.place === place).map((sign) => signRow(sign, section)),
	);
}

function signRow({ sign, tone, meaning, finds }: Sign, section: string): HelpRow {
	const query: Line = finds === "" ? [] : [span("  "), { ...span(finds, "key"), types: finds }];
	return { section, left: [span(sign, tone)], right: [span(meaning), ...query] };
}

/** One row for all bindings of a section that do the same; those with a condition come last. */
function keyRows(bindings: readonly Binding[], sections: readonly string[], where: string): readonly HelpRow[] {
	return sections.flatMap((section) => {
		const inSection = bindings.filter((binding) => binding.section === section);
		const same = Map.groupBy(inSection, ({ id, help, condition = "" }) => `${id} ${help} ${condition}`);
		const rows = [...same.values()].flatMap((group) => {
			const [binding] = group;
			if (binding === undefined) return [];
			const keys = [...new Set(group.flatMap((each) => each.keys.map(keyLabel)))].join(", ");
			const panes = [...new Set(group.flatMap(({ contexts }) => contexts))].join(", ");
			const notes = [binding.condition ?? "", where === "" ? "" : panes].filter((note) => note !== "");
			return [{ row: rowOf(`${section}${where}`, keys, binding.help, notes.join("; ")), binding }];
		});
		return rows
			.toSorted((a, b) => Number(a.binding.condition !== undefined) - Number(b.binding.condition !== undefined))
			.map(({ row }) => row);
	});
}

/** Cells from which keys and signs stand side by side. */
const WIDE = 70;
/** Cells between the keys and the signs. */
const GUTTER = 3;
const SIGN_CELLS = 6;

/** The first screen: eight keys, and twelve signs beside or below them. */
export function firstScreen(keymap: readonly Binding[], from: Context, width: number): readonly Line[] {
	const keys = firstKeys(keymap, from);
	const signs = firstSigns(from).map((sign) => signRow(sign, ""));
	const isWide = width >= WIDE && signs.length > 0;
	const half = isWide ? Math.floor((width - GUTTER) / 2) : width;
	const cells = Math.max(...keys.map((row) => lineWidth(row.left)));
	const keyLines = [[strong("Keys", "accent")], ...keys.flatMap((row) => drawHelpRow(row, cells, half))];
	const signLines = [
		[strong("Signs", "accent")],
		...signs.flatMap((row) => drawHelpRow(row, SIGN_CELLS, isWide ? width - half - GUTTER : width)),
	];
	if (signs.length === 0) return keyLines;
	if (!isWide) return [...keyLines, [], ...signLines];
	return Array.from(
		{ length: Math.max(keyLines.length, signLines.length) },
		(_, row): Line => [...joinEnds(keyLines[row] ?? [], [], half + GUTTER), ...(signLines[row] ?? [])],
	);
}

const KEY_CELLS = 22;
const NARROW_KEY_CELLS = 14;
const NARROW = 60;

export function drawSections(rows: readonly HelpRow[], width: number): readonly Line[] {
	const cells = width < NARROW ? NARROW_KEY_CELLS : KEY_CELLS;
	return [...Map.groupBy(rows, ({ section }) => section)].flatMap(([section, inSection]) => [
		[],
		...wrapLine([strong(section, "accent")], width),
		...inSection.flatMap((row) => drawHelpRow(row, cells, width)),
	]);
}

/** The left side in a column of `cells` cells, the right side beside it. */
function drawHelpRow({ left, right }: HelpRow, cells: number, width: number): readonly Line[] {
	const [text = span("")] = left;
	const labels = wrapText(cleanText(text.text), cells).map((label) => span(label, text.tone));
	const meanings = wrapLine(right, Math.max(1, width - cells - 2));
	return Array.from({ length: Math.max(labels.length, meanings.length) }, (_, row): Line => {
		const label = labels[row] ?? span("");
		const blank = span(" ".repeat(Math.max(1, cells + 2 - textWidth(label.text))));
		return [label, blank, ...(meanings[row] ?? [])];
	});
}

/** Rows that have each of the typed words, in any of their columns or in their heading. */
export function matchingRows(rows: readonly HelpRow[], typed: string): readonly HelpRow[] {
	return rows.filter(({ section, left, right }) =>
		hasEachWord([...left, span(" "), ...right, span(` ${section}`)].map((part) => part.text).join(""), typed),
	);
}

/** Whether a text has each of the words, in any case. */
export function hasEachWord(text: string, words: string): boolean {
	const lower = text.toLowerCase();
	return words.split(/\s+/).every((word) => lower.includes(word));
}
