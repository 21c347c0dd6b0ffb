import { expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import type { Binding, Context } from "../../../../src/app/world/state/binding.ts";

/** Move the cursor, in every list there is, ctrl+n and ctrl+p as in readline; and what shows the keys everywhere. */
const CURSOR: ReadonlySet<string> = new Set(
	["up", "down", "left", "right", "pageUp", "pageDown", "home", "end"].concat("ctrl+n", "ctrl+p", "?"),
);
/** Keys that edit text are those of any text field. */
const commands = KEYMAP.filter(({ section }) => section !== "Filter");

/** What a chord means, and the bindings that mean it. Where there are several, what is acted on differs, not what is done. */
const MEANINGS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
	"alt+enter": { "resume in a new window": ["resume-in-window"] },
	"alt+c": { compare: ["compare"] },
	"alt+n": { "new session": ["branch", "new-with-prompt"] },
	"alt+l": { label: ["label"] },
	"alt+e": { "next error": ["next-error"] },
	"alt+m": { "next label": ["next-label"] },
	"shift+alt+e": { "previous error": ["previous-error"] },
	"shift+alt+m": { "previous label": ["previous-label"] },
	"alt+a": { "copy the answer": ["copy-answer"] },
	"alt+t": { timeline: ["timeline"] },
	"alt+up": { "previous prompt": ["previous-prompt"] },
	"alt+down": { "next prompt": ["next-prompt"] },
	"alt+left": { "fold, or up": ["fold"] },
	"alt+right": { "unfold, or down": ["unfold"] },
	"ctrl+space": { mark: ["mark", "mark-branch", "mark-hunk"] },
	"shift+down": { "mark, or choose one more": ["mark", "mark-branch", "mark-hunk", "comment-lines"] },
	"shift+up": { "choose one more": ["comment-lines"] },
	"shift+tab": { "the other way round than tab": ["previous-view", "previous-sign"] },
	"ctrl+_": { "undo, or redo what is undone": ["undo", "undo-row", "redo"] },
	"ctrl+b": { "page up": ["page-up"] },
	"ctrl+c": { "back, and from the list out": ["previous-pane", "go-out", "find-cancel", "leave", "cancel"] },
	"ctrl+f": { "page down": ["next-page"] },
	"ctrl+k": { commands: ["help"] },
	"ctrl+n": { down: ["down", "find-next"] },
	"ctrl+p": { up: ["up", "find-previous"] },
	"ctrl+q": { leave: ["leave"] },
	"ctrl+r": { rename: ["rename", "rename-saved"] },
	"ctrl+s": { order: ["sort", "order-branches"] },
	"ctrl+x": { copy: ["copy-path", "copy"] },
	"ctrl+z": { suspend: ["suspend"] },
	// What pi binds in /tree, where it is a filter, and less in what is read.
	"ctrl+d": {
		"delete, or restore from the trash": ["delete", "delete-saved", "delete-comments", "restore"],
		filter: ["filter-default"],
		"half a page": ["half-page-down"],
	},
	"ctrl+u": { filter: ["filter-user-only"], "half a page": ["half-page-up"] },
	"ctrl+a": { filter: ["filter-all"] },
	"ctrl+l": { filter: ["filter-labeled-only"], "redraw, as everywhere": ["redraw"] },
	"ctrl+o": {
		"next filter, span, period or kind": ["filter-next", "next-span", "next-period", "show-commands", "show-prompts"],
	},
	"ctrl+t": { filter: ["filter-no-tools"] },
};

const isChord = (key: string): boolean => key.length > 1 && key.includes("+");

test("a chord has one meaning in all panes and views, but for pi's filters of its tree and half pages as in less", () => {
	const ids = Map.groupBy(
		commands.flatMap(({ id, keys }) => keys.filter(isChord).map((key) => ({ id, key }))),
		({ key }) => key,
	);
	for (const [key, bindings] of ids) {
		const known = Object.values(MEANINGS[key] ?? {}).flat();
		for (const { id } of bindings) expect(known, `${key} means something else in "${id}"`).toContain(id);
	}
	const several = Object.entries(MEANINGS).filter(([, meanings]) => Object.keys(meanings).length > 1);
	expect(several.map(([key]) => key)).toEqual(["ctrl+d", "ctrl+u", "ctrl+l"]);
});

test.each([
	["list", 25],
	["tree", 28],
	["branches", 25],
] as const)("the %s has at most %i keys besides those of the cursor and of text", (pane, most) => {
	// With shift, a chord does the same in the other direction.
	const keys = keysIn(pane).filter((key) => key.length > 1 && !CURSOR.has(key) && !key.startsWith("shift+alt+"));
	expect(keys.length, keys.join(" ")).toBeLessThanOrEqual(most);
});

test("no key is a function key, or alt with punctuation, and the list has no letters", () => {
	const keys = commands.flatMap(({ keys: each }) => each);
	expect(keys.filter((key) => /(?:^|\+)f\d+$/.test(key) || /alt\+[^a-z]/.test(key))).toEqual([]);
	// These are keys only before anything is typed.
	expect(keysIn("list").filter((key) => key.length === 1 && !" /?:".includes(key))).toEqual([]);
});

test("a command has at most two keys, besides those that mark and what less has for pages", () => {
	const doubles = new Set(["mark", "mark-branch", "mark-hunk", "page-down", "page-up"]);
	const moves = ({ keys }: Binding): boolean =>
		keys.some((key) => CURSOR.has(key) || key === "escape" || key === "ctrl+c");
	const many = commands.filter((binding) => !doubles.has(binding.id) && !moves(binding) && binding.keys.length > 1);
	expect(many).toEqual([]);
});

function keysIn(pane: Context): readonly string[] {
	return [...new Set(commands.filter(({ contexts }) => contexts.includes(pane)).flatMap(({ keys }) => keys))];
}
