import { describe, expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { currentEntry } from "../../../../src/app/world/opened/select-reader.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { Effect } from "../../../../src/app/world/state/effect.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { loadRenderers } from "../../../../src/conversation/render/renderers.ts";
import { runToEnd } from "../../../../src/shared/steps.ts";
import type { Session } from "../../../../src/store/read/read-session.ts";
import { treeDrawer } from "../../../support/draw-tree.ts";
import { textOfLine } from "../../../support/reader.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { assistant, message, sessionOf, toolResult, user } from "../../../support/session-builder.ts";

const row = makeRow("a", { age: 1 });

/** The browser with an open session, and its pending effects. */
class Browser {
	state: State;
	readonly effects: Effect[] = [];

	constructor(session: Session, size = { columns: 160, rows: 40 }) {
		const environment = { home: "/home/me", cwd: "/home/me", demo: false, keymap: KEYMAP, problems: [] };
		this.state = initialState(environment, size, NOW);
		this.run({ type: "catalog", event: { type: "rows", rows: [row] } }, LISTED);
		this.press("right");
		this.read(session);
	}

	run(...actions: readonly Action[]): void {
		for (const action of actions) {
			const [next, effects] = update(this.state, action);
			this.state = next;
			this.effects.push(...effects);
		}
	}

	press(...keys: readonly string[]): void {
		this.run({ type: "keys", keys });
	}

	/** Replaces the session, as after reading it again. */
	read(session: Session): void {
		if (this.state.detail.status === "ready") {
			const size = session.size + this.effects.length;
			this.run({ type: "catalog", event: { type: "rows", rows: [{ ...row, size }] } });
		}
		this.run({ type: "session-read", request: this.state.request, session: { ...session, path: row.path } });
	}

	/** A large tree is drawn outside of `update`. */
	async drawTree(): Promise<void> {
		const draw = this.effects.findLast((effect) => effect.type === "draw-tree");
		const drawing = draw && (await treeDrawer()(draw.input, draw.before));
		if (drawing !== undefined) this.run({ type: "tree-drawn", drawing });
	}

	get rows(): string[] {
		const pane = selectScreen(this.state).panes.find(({ id }) => id === "reader");
		return (pane?.rows ?? []).map(({ line }) => textOfLine(line).trim());
	}

	get title(): string {
		const pane = selectScreen(this.state).panes.find(({ id }) => id === "reader");
		return textOfLine(pane?.title ?? []);
	}

	get position(): string {
		return selectScreen(this.state).panes.find(({ id }) => id === "reader")?.position ?? "";
	}

	get current(): string | undefined {
		return currentEntry(this.state)?.id;
	}
}

const failed = (id: string, parent: string, second: number) =>
	message(id, parent, second, {
		role: "toolResult",
		toolCallId: id,
		toolName: "bash",
		content: [{ type: "text", text: "boom" }],
		isError: true,
	});

/** Prompts p1 to p3 with answers a1 to a3, an abandoned b1 after p2, an error after a2. */
const LINES = [
	user("p1", null, 1, "first question"),
	assistant("a1", "p1", 2, `first answer\n\n${"some words\n\n".repeat(40)}needle one`),
	user("p2", "a1", 3, "second question"),
	assistant("b1", "p2", 4, "abandoned answer"),
	assistant("a2", "p2", 5, "second answer with a Needle"),
	failed("e1", "a2", 6),
	toolResult("r1", "e1", 7, `head\n${"line\n".repeat(50)}needle in the middle\n${"line\n".repeat(50)}tail`),
	user("p3", "r1", 8, "third question"),
	assistant("a3", "p3", 9, "third answer"),
] as const;

async function browser(size?: { columns: number; rows: number }): Promise<Browser> {
	return new Browser(await sessionOf(...LINES), size);
}

describe("the conversation", () => {
	test("begins at the entry under the tree's cursor and continues to the end of its branch", async () => {
		const reading = await browser();
		expect(reading.rows[0]).toContain("assistant claude-sonnet-4-5");
		expect(reading.rows).toContain("third answer");
		reading.press("up");
		expect(reading.rows[0]).toContain("third question");
		expect(reading.rows).toContain("third answer");
		reading.press("home");
		expect(reading.rows[0]).toContain("first question");
		expect(reading.rows).toContain("first answer");
	});

	test("is never blank, even on an abandoned branch", async () => {
		const reading = await browser();
		const session = await sessionOf(...LINES);
		for (const { id } of session.entries) {
			reading.state = { ...reading.state, tree: { ...reading.state.tree, selected: id, pinned: id } };
			reading.run({ type: "tick", now: NOW });
			expect(reading.rows.join("")).not.toBe("");
		}
	});

	test("shift+down scrolls it and leaves the cursor where it is", async () => {
		const reading = await browser();
		reading.press("home");
		const before = selectedEntry(reading.state)?.id;
		const rows = reading.rows;
		reading.press("shift+down", "shift+down");
		expect(reading.rows.slice(0, 5)).toEqual(rows.slice(2, 7));
		expect([reading.state.focus, selectedEntry(reading.state)?.id]).toEqual(["tree", before]);
		reading.press("shift+up", "shift+up");
		expect(reading.rows).toEqual(rows);
	});

	test("the entry being read is named in the title, acted on by keys, and gets the cursor", async () => {
		const reading = await browser();
		reading.press("home", "right", "}");
		expect(reading.current).toBe("p2");
		expect(reading.title).toContain("second question");
		reading.press("alt+l");
		expect(reading.state.overlays).toMatchObject([{ kind: "prompt", submit: { type: "label", entryId: "p2" } }]);
		reading.press("escape", "q");
		expect([reading.state.focus, selectedEntry(reading.state)?.id]).toEqual(["tree", "p2"]);
		expect(reading.rows[0]).toContain("second question");
	});

	test("the position is a percentage; the end is 100", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("home", "right");
		expect(reading.position).toBe("0 %");
		reading.press("G");
		expect(reading.position).toBe("100 %");
		expect(reading.current).toBe("a3");
		expect(reading.rows.filter((text) => text !== "").at(-1)).toMatch(/\$0\.0/);
		reading.press("%");
		// In a short conversation a row is more than one percent, so this is the next row with at least that.
		expect(Number.parseInt(reading.position, 10)).toBeGreaterThanOrEqual(50);
		expect(Number.parseInt(reading.position, 10)).toBeLessThan(55);
	});

	test("pages overlap by a row, and show the same rows up and down", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("home", "right");
		const first = reading.rows;
		reading.press(" ");
		expect(reading.rows[0]).toBe(first.at(-1));
		reading.press("b");
		expect(reading.rows).toEqual(first);
		reading.press("ctrl+d", "ctrl+u");
		expect(reading.rows).toEqual(first);
	});

	test("row by row the last entry comes to the top", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("home", "right", ...Array.from({ length: 300 }, () => "j"));
		expect(reading.current).toBe("a3");
		expect(reading.rows[0]).toContain("assistant");
	});
});

describe("jumping", () => {
	test("to prompts and errors", async () => {
		const reading = await browser();
		reading.press("home", "right");
		const seen = ["n", "n", "p", "{", "}", "e", "E"].map((key) => {
			reading.press(key);
			return reading.current;
		});
		expect(seen).toEqual(["p2", "p3", "p2", "p1", "p2", "e1", "e1"]);
		expect(reading.state.message?.text).toBe("There is no error before");
		reading.press("n", "n");
		expect(reading.state.message?.text).toBe("There is no prompt further on");
	});

	test("to the other branches at the nearest fork", async () => {
		const reading = await browser();
		reading.press("right", "E");
		expect(reading.current).toBe("e1");
		reading.press("]");
		expect(reading.current).toBe("b1");
		expect(reading.rows.join(" ")).toContain("abandoned answer");
		expect(reading.rows.join(" ")).not.toContain("third");
		reading.press("]");
		expect(reading.current).toBe("a2");
		expect(reading.rows.join(" ")).toContain("third answer");
	});
});

describe("folding", () => {
	test("o unfolds the first visible folded block, and folds it again; t unfolds all", async () => {
		const reading = await browser({ columns: 160, rows: 200 });
		reading.press("home", "right");
		const middle = () => reading.rows.includes("needle in the middle");
		expect([middle(), reading.rows.some((text) => text.endsWith("o unfolds"))]).toEqual([false, true]);
		reading.press("o");
		expect(middle()).toBe(true);
		reading.press("o");
		expect(middle()).toBe(false);
		reading.press("t");
		expect(middle()).toBe(true);
		reading.press("o");
		expect(reading.state.message?.text).toBe("Nothing visible is folded");
	});

	test("the top row stays", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("home", "right", "e", "j", "j");
		const top = reading.rows[0];
		for (const key of ["t", "h", "d", "t", "h", "d"]) {
			reading.press(key);
			expect(reading.rows[0]).toBe(top);
		}
	});
});

describe("finding", () => {
	test("goes to matches, counts them, unfolds their blocks and wraps around", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("home", "right", "/", ..."needle");
		expect(reading.title).toMatch(/needle {2}1 of 3$/);
		expect(reading.rows).toContain("needle one");
		reading.press("enter", "n");
		expect(reading.title).toContain("2 of 3");
		expect(reading.rows).toContain("second answer with a Needle");
		reading.press("n");
		expect(reading.title).toContain("3 of 3");
		expect(reading.rows).toContain("needle in the middle");
		reading.press("n");
		expect(reading.title).toContain("1 of 3");
		reading.press("N");
		expect(reading.title).toContain("3 of 3");
		reading.press("escape", "q");
		expect(reading.state.focus).toBe("tree");
	});

	test("marks matches in the rows", async () => {
		const reading = await browser();
		reading.press("home", "right", "/", ..."QUESTION", "enter");
		const pane = selectScreen(reading.state).panes.find(({ id }) => id === "reader");
		const marked = pane?.rows.flatMap(({ line }) => line.filter(({ ground }) => ground === "match"));
		expect(marked?.map(({ text }) => text)).toContain("question");
	});

	test("letters are typed; escape goes back to where the search began", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("home", "right", "j", "j");
		const { anchor } = reading.state.reader;
		reading.press("/", ..."third q");
		expect(reading.state.reader.find?.text.text).toBe("third q");
		expect(reading.rows[0]).toContain("third question");
		reading.press("backspace", "backspace", ..."zzz");
		expect(reading.title).toContain("not found");
		reading.press("escape");
		expect(reading.state.reader).toMatchObject({ find: undefined, anchor });
	});

	test("a conversation of any length is searched in steps", async () => {
		const lines = Array.from({ length: 6000 }, (_, index) =>
			user(`u${index}`, index === 0 ? null : `u${index - 1}`, index, index === 5500 ? "the needle" : "hay"),
		);
		const reading = new Browser(await sessionOf(...lines));
		await reading.drawTree();
		reading.press("home");
		await reading.drawTree();
		reading.press("right", "/", ..."needle");
		expect(reading.title).toContain("looking …");
		for (let job = reading.state.reader.searching; job !== undefined; job = reading.state.reader.searching) {
			for (let step = 0; step < 1000 && !job.isComplete; step++) job.steps().next();
			reading.run({ type: "conversation-searched", job });
		}
		expect(reading.title).toContain("1 of 1");
		expect(reading.rows[0]).toContain("the needle");
	});
});

test("a hit is scrolled to within its entry, however far down, and marked", async () => {
	const reading = await browser({ columns: 160, rows: 20 });
	reading.press("left", ..."middle");
	const { search } = reading.state.list;
	const snippet = { text: "needle in the middle", ranges: [] };
	const best = { line: 8, entryId: "r1", kind: "output", active: true, snippet } as const;
	const result = { path: row.path, rank: 1, modified: 0, count: 1, more: false, best };
	reading.run({ type: "search", request: search.request, event: { type: "results", results: [result] } });
	reading.press("right");
	expect(reading.current).toBe("r1");
	expect(reading.rows).toContain("needle in the middle");
	const pane = selectScreen(reading.state).panes.find(({ id }) => id === "reader");
	expect(
		pane?.rows.flatMap(({ line }) => line.filter(({ ground }) => ground === "match")).map(({ text }) => text),
	).toEqual(["middle"]);
});

describe("a session that grows", () => {
	const grown = [...LINES, user("p4", "a3", 10, "fourth question")];

	test("follows the tail if the end is visible", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("right", "G");
		reading.read(await sessionOf(...grown));
		expect(reading.rows.join(" ")).toContain("fourth question");
		expect(reading.position).toBe("100 %");
	});

	test("otherwise stays where it was", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("home", "right", " ");
		const rows = reading.rows;
		reading.read(await sessionOf(...grown));
		expect(reading.rows).toEqual(rows);
	});
});

test("plain text becomes Markdown once the libraries are loaded, and the viewport stays", async () => {
	const text = `${"plain words\n\n".repeat(60)}**bold** end\n\n${"more words\n\n".repeat(60)}`;
	const reading = new Browser(await sessionOf(user("u", null, 1, "q"), assistant("a", "u", 2, text)));
	reading.press("right", "/", ..."bold");
	expect(reading.rows).toContain("**bold** end");
	expect(reading.effects).toContainEqual({ type: "load-renderers" });
	reading.run({ type: "renderers", renderers: await loadRenderers() });
	expect(reading.rows).toContain("bold end");
});

test("code gets its colors after the first frame", async () => {
	const reading = new Browser(
		await sessionOf(user("u", null, 1, "q"), assistant("a", "u", 2, "```ts\nconst a = 1;\n```")),
	);
	reading.run({ type: "renderers", renderers: await loadRenderers() });
	const tones = () =>
		selectScreen(reading.state)
			.panes.find(({ id }) => id === "reader")
			?.rows.flatMap(({ line }) => line.map(({ tone }) => tone));
	expect(tones()).not.toContain("keyword");
	const job = reading.state.reader.coloring;
	if (job === undefined) throw new Error("nothing is colored");
	runToEnd(job.steps());
	reading.run({ type: "colored", job });
	expect(tones()).toContain("keyword");
	expect(reading.state.reader.coloring).toBeUndefined();
});

test("code gets its colors at every width, even if the width changed during highlighting", async () => {
	const reading = new Browser(
		await sessionOf(user("u", null, 1, "q"), assistant("a", "u", 2, "```ts\nconst a = 2;\n```")),
	);
	reading.run({ type: "renderers", renderers: await loadRenderers() });
	const first = reading.state.reader.coloring ?? expect.fail("nothing is colored");
	reading.run({ type: "resize", columns: 200, rows: 60 });
	expect(reading.rows.join("\n")).toContain("const a = 2;");
	runToEnd(first.steps());
	reading.run({ type: "colored", job: first });
	const second = reading.state.reader.coloring ?? expect.fail("nothing is colored any more");
	expect(second.document).not.toBe(first.document);
	runToEnd(second.steps());
	reading.run({ type: "colored", job: second });
	const pane = selectScreen(reading.state).panes.find(({ id }) => id === "reader");
	expect(pane?.rows.flatMap(({ line }) => line.map(({ tone }) => tone))).toContain("keyword");
	expect(reading.state.reader.coloring).toBeUndefined();
});
