import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { CODE_COLORS, SEARCH } from "../../../../src/app/features/reader/feature.ts";
import { currentEntry, RENDERERS, selectReader } from "../../../../src/app/world/opened/select-reader.ts";
import { DRAWING, selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { Effect } from "../../../../src/app/world/state/effect.ts";
import { placedAt } from "../../../../src/app/world/state/opened-state.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { loadRenderers } from "../../../../src/conversation/render/renderers.ts";
import { runToEnd } from "../../../../src/shared/steps.ts";
import type { Session } from "../../../../src/store/read/read-session.ts";
import { lineText } from "../../../../src/ui/text/line.ts";
import { treeDrawer } from "../../../support/draw-tree.ts";
import { startOf } from "../../../support/listed-state.ts";
import { answerTo, askedOf, requestsOf, searchEvent } from "../../../support/queries.ts";
import { textOfLine } from "../../../support/reader.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { ruleTexts } from "../../../support/screen-text.ts";
import { assistant, message, sessionOf, toolResult, user } from "../../../support/session-builder.ts";

const row = makeRow("a", { age: 1 });

/** The browser with an open session, and its pending effects. */
class Browser {
	state: State;
	readonly effects: Effect[] = [];

	constructor(session: Session, size = { columns: 160, rows: 40 }) {
		this.state = startOf(size, { cwd: "/home/me" });
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

	async loadRenderers(): Promise<void> {
		this.run(answerTo(RENDERERS, this.state, await loadRenderers()));
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
		const asked = askedOf(DRAWING, this.state);
		const drawing = asked && (await treeDrawer()(asked.input, asked.before));
		if (drawing !== undefined) this.run(answerTo(DRAWING, this.state, drawing));
	}

	get rows(): string[] {
		const pane = selectScreen(this.state).panes.find(({ id }) => id === "reader");
		return (pane?.rows ?? []).map(({ line }) => textOfLine(line).replace("▐", "").trim());
	}

	/** The rows with the mark of the entry that is read. */
	get marked(): string[] {
		const pane = selectScreen(this.state).panes.find(({ id }) => id === "reader");
		return (pane?.rows ?? []).flatMap(({ line }) => {
			const [before, text] = textOfLine(line).split("▐");
			return text === undefined ? [] : [`${before}${text}`.trim()];
		});
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
	test("marks the entry under the tree's cursor, begins at it and continues to the end of its branch", async () => {
		const reading = await browser();
		expect(reading.marked[0]).toContain("third answer");
		expect(reading.rows.join(" ")).toContain("third answer");
		reading.press("up");
		expect(reading.marked[0]).toContain("third question");
		expect(reading.rows.join(" ")).toContain("third answer");
		reading.press("home");
		expect(reading.marked[0]).toContain("first question");
		expect(reading.rows[0]).toContain("first question");
		expect(reading.rows).toContain("first answer");
	});

	test.each([
		["beside the tree", []],
		["as a page", ["right", "right"]],
	])("is full at its end %s: the last row is at the bottom, after what stands before it", async (_name, keys) => {
		for (const rows of [60, 20, 10]) {
			const reading = await browser({ columns: 160, rows });
			reading.press("end", ...keys);
			expect(reading.current).toBe("a3");
			const { length } = reading.rows;
			expect(length).toBe(selectReader(reading.state)?.height);
			expect(reading.rows.at(-1)).not.toBe("");
			expect(reading.rows.at(-1)).toMatch(/^third answer +◂ end$/);
			expect(reading.marked).toEqual([reading.rows.at(-1)]);
			expect(reading.marked.join(" ")).not.toContain("third question");
			expect(reading.position).toBe("100 %");
		}
	});

	test("that fits on the page is shown from its start, wherever the cursor is", async () => {
		const session = await sessionOf(user("u", null, 1, "the question"), assistant("a", "u", 2, "the answer"));
		const reading = new Browser(session);
		for (const key of ["home", "end"]) {
			reading.press(key);
			expect(reading.rows[0]).toContain("the question");
		}
		expect(reading.marked.join(" ")).toContain("the answer");
		expect(reading.marked.join(" ")).not.toContain("the question");
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

	test("the entry being read is acted on by keys, and gets the cursor", async () => {
		const reading = await browser();
		reading.press("home", "right", "}");
		expect(reading.current).toBe("p2");
		reading.press("alt+l");
		const [prompt] = reading.state.overlays;
		const [, effects] = prompt?.kind === "prompt" ? prompt.submit(reading.state, "here") : [];
		expect(effects).toMatchObject([{ type: "label", entryId: "p2", label: "here" }]);
		reading.press("escape", "q");
		expect([reading.state.focus, selectedEntry(reading.state)?.id]).toEqual(["tree", "p2"]);
		expect(reading.marked[0]).toContain("second question");
	});

	test("the position is a percentage; the end is 100", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("home", "right");
		expect(reading.position).toBe("0 %");
		reading.press("G");
		expect(reading.position).toBe("100 %");
		expect(reading.current).toBe("a3");
		expect(reading.rows.filter((text) => text !== "").at(-1)).toContain("third answer");
	});

	test("pages overlap by a row, and show the same rows up and down", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("home", "right");
		const first = reading.rows;
		reading.press(" ");
		expect(reading.rows[0]).toBe(first.at(-1));
		reading.press("ctrl+b");
		expect(reading.rows).toEqual(first);
		reading.press("ctrl+d", "ctrl+u");
		expect(reading.rows).toEqual(first);
	});

	test("row by row it ends with a full page, on which the mark goes on to the last entry", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("home", "right");
		while (reading.position !== "100 %") reading.press("j");
		const last = reading.rows;
		const seen = [reading.current];
		for (let key = 0; key < 5; key++) {
			reading.press("j");
			seen.push(reading.current);
			expect(reading.rows).toEqual(last);
		}
		expect(seen).toEqual(["e1", "r1", "p3", "a3", "a3", "a3"]);
	});

	test("the mark stays on its entry while that is visible, and then goes to the first visible one", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("end", "up", "right");
		expect(reading.current).toBe("p3");
		reading.press("k");
		expect(reading.position).not.toBe("100 %");
		expect([reading.current, reading.marked[0]]).toEqual(["p3", expect.stringContaining("third question")]);
		reading.press("ctrl+b");
		expect(reading.current).toBe("a1");
		// On the first page it goes back to the first entry.
		reading.press("g", "}", "k", "k", "k", "k");
		expect(reading.current).toBe("p2");
		reading.press("g", "k", "k");
		expect(reading.current).toBe("p1");
	});

	test("another size shows the same, and still a full page", async () => {
		const reading = await browser({ columns: 160, rows: 20 });
		reading.press("end", "up", "right");
		for (const rows of [12, 60, 10, 30]) {
			reading.run({ type: "resize", columns: 160, rows });
			expect(reading.current).toBe("p3");
			expect(reading.rows.length).toBe(selectReader(reading.state)?.height);
		}
	});
});

describe("jumping", () => {
	test("to prompts and errors", async () => {
		const reading = await browser();
		reading.press("home", "right");
		const seen = ["}", "alt+down", "alt+up", "{", "}", "e", "E"].map((key) => {
			reading.press(key);
			return reading.current;
		});
		expect(seen).toEqual(["p2", "p3", "p2", "p1", "p2", "e1", "e1"]);
		expect(reading.state.message?.text).toBe("There is no error before");
		reading.press("}", "}");
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
	test("o unfolds the first visible folded block, and folds it again; O unfolds all", async () => {
		const reading = await browser({ columns: 160, rows: 200 });
		reading.press("home", "right");
		const middle = () => reading.rows.includes("needle in the middle");
		expect([middle(), reading.rows.some((text) => text.endsWith("o unfolds"))]).toEqual([false, true]);
		reading.press("o");
		expect(middle()).toBe(true);
		reading.press("o");
		expect(middle()).toBe(false);
		reading.press("O");
		expect(middle()).toBe(true);
	});

	test("o shows below an entry its time and id, of an answer also the model, tokens and price, of a prompt the sum of its turn", async () => {
		const reading = await browser({ columns: 160, rows: 200 });
		reading.press("end", "right");
		const details = (id: string) => reading.rows.filter((text) => text.endsWith(id));
		expect(details("a3")).toEqual([]);
		reading.press("o");
		expect(details("a3")).toEqual([expect.stringMatching(/^claude-sonnet-4-5 · .*received · \$0\.03 · .* · a3$/)]);
		reading.press("{", "o");
		expect(details("p3")).toEqual([expect.stringMatching(/received · \$0\.03 · .* · p3$/)]);
		reading.press("o");
		expect(details("p3")).toEqual([]);
	});

	test("files that were read are a row each, one below the other; o opens the marked one, a search the one with a match", async () => {
		const call = (id: string, parent: string, second: number) =>
			assistant(id, parent, second, "", [
				{ type: "toolCall", id: `call-${id}`, name: "read", arguments: { path: `${id}.ts` } },
			]);
		const result = (id: string, parent: string, second: number, of: string) =>
			message(id, parent, second, {
				...{ role: "toolResult", toolCallId: `call-${of}`, toolName: "read", isError: false },
				content: [{ type: "text", text: `import "${of}";\nrest of ${of}\n` }],
			});
		const reading = new Browser(
			await sessionOf(
				user("u", null, 1, "Read them"),
				...[call("one", "u", 2), result("r1", "one", 3, "one"), call("two", "r1", 4), result("r2", "two", 5, "two")],
				assistant("a", "r2", 6, "Read."),
			),
		);
		reading.press("home", "right", "right");
		const files = () =>
			reading.rows.filter((text) => /\.ts|rest of|o folds/.test(text)).map((text) => text.replace(/ +/g, " "));
		const [one, two] = ["▸ read one.ts 2 lines · 26 B · 1.0s", "▸ read two.ts 2 lines · 26 B · 1.0s"];
		const at = reading.rows.findIndex((text) => text.includes("one.ts"));
		expect([files(), reading.rows[at + 1], reading.rows[at + 2]]).toEqual([
			[one, two],
			expect.stringContaining("two.ts"),
			"",
		]);
		reading.press("o");
		expect(files()).toEqual([expect.stringMatching(/^▾ read one/), "rest of one", "o folds", two]);
		reading.press("o");
		expect(files()).toEqual([one, two]);
		reading.press("/", ..."rest of two", "enter", "escape");
		expect(files()).toEqual([one, expect.stringMatching(/^▾ read two/), "rest of two", "o folds"]);
		reading.press("O");
		expect(files()).toContain("rest of one");
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

describe("the switches", () => {
	test("are in the title of a page, where a click changes them", async () => {
		const reading = await browser();
		reading.press("right", "right", "right");
		expect(reading.title).toContain("◦ thinking  ◦ whole outputs  ◦ side by side");
		reading.press("h", "d");
		expect(reading.title).toContain("● thinking  ◦ whole outputs  ● side by side");
		const { title } = selectScreen(reading.state).panes.find(({ id }) => id === "reader") ?? expect.fail();
		expect(title.map(({ press }) => press).filter(Boolean)).toEqual(["thinking", "tools", "diffs"]);
	});

	test("that are on are in the title of a pane, also while it is searched, at any width", async () => {
		for (const size of [
			{ columns: 160, rows: 40 },
			{ columns: 40, rows: 10 },
		]) {
			const reading = await browser(size);
			reading.press("home", "right");
			const rule = () => ruleTexts(reading.state).join("\n");
			expect(rule()).not.toMatch(/● (?:thinking|tools)/);
			reading.press("O");
			expect(rule()).toContain("● tools");
			reading.press("/", ..."needle");
			// The field comes first.
			if (size.columns > 40) expect(rule()).toContain("● tools");
			reading.press("escape", "O");
			expect(rule()).not.toContain("● tools");
		}
	});

	test("diffs side by side take the whole page, and the text keeps its width", async () => {
		const call = {
			type: "toolCall",
			id: "c",
			name: "edit",
			arguments: { path: "a.ts", oldText: "one", newText: "two" },
		};
		const session = await sessionOf(
			user("u", null, 1, "word ".repeat(100)),
			message("a", "u", 2, { role: "assistant", content: [call], stopReason: "toolUse" }),
			message("r", "a", 3, { role: "toolResult", toolCallId: "c", toolName: "edit", content: [], isError: false }),
		);
		const reading = new Browser(session);
		reading.press("home", "right", "right", "d");
		const pane = selectScreen(reading.state).panes.find(({ id }) => id === "reader");
		const rows = (pane?.rows ?? []).map(({ line }) => textOfLine(line));
		const diff = rows.find((text) => text.includes("one") && text.includes("two")) ?? expect.fail();
		expect(diff.indexOf("│")).toBe(81);
		expect(Math.max(...rows.filter((text) => text.includes("word")).map((text) => text.trim().length))).toBeLessThan(
			120,
		);
	});
});

test("what was copied is marked until the next key", async () => {
	const text = "Text\n\n```ts\nconst a = 1;\n```\n\n```ts\nconst b = 2;\n```";
	const reading = new Browser(await sessionOf(user("u", null, 1, "q"), assistant("a", "u", 2, text)));
	await reading.loadRenderers();
	reading.press("home", "right", "down", "y");
	expect(reading.effects).toContainEqual({ type: "copy", text: "const a = 1;", what: "the code block" });
	const copied = () => {
		const pane = selectScreen(reading.state).panes.find(({ id }) => id === "reader");
		return (pane?.rows ?? []).map(({ line }) => textOfLine(line)).filter((row) => row.includes("✓"));
	};
	expect(copied()).toEqual([expect.stringContaining("const a = 1;")]);
	reading.press("j");
	expect(copied()).toEqual([]);
});

test("y copies what the marked entry says, and the footer names it; alt+a copies the last answer of the turn, quoted if out of sight", async () => {
	const call = (id: string, name: string, args: object) =>
		assistant(id, id === "c1" ? "u" : "r1", 2, "", [{ type: "toolCall", id: `call-${id}`, name, arguments: args }]);
	const result = (id: string, of: string, text: string) =>
		message(id, of, 3, {
			...{ role: "toolResult", toolCallId: `call-${of}`, toolName: "", isError: false },
			content: [{ type: "text", text }],
		});
	const session = await sessionOf(
		user("u", null, 1, "Mend it"),
		...[call("c1", "bash", { command: "ls" }), result("r1", "c1", `a.ts\n${"word\n".repeat(60)}`)],
		...[call("c2", "edit", { path: "a.ts", oldText: "one", newText: "two" }), result("r2", "c2", "Replaced it.")],
		assistant("a1", "r2", 4, "Mended."),
		user("u2", "a1", 5, "Thanks"),
	);
	const reading = new Browser(session, { columns: 160, rows: 20 });
	reading.press("home", "right", "right");
	const names: string[] = [];
	for (const { id } of session.entries) {
		reading.state = { ...reading.state, reader: placedAt(reading.state.reader, id) };
		names.push(/ y (copy[a-z ]*?) {2}/.exec(lineText(selectScreen(reading.state).footer))?.[1] ?? "");
		reading.press("y");
	}
	expect(names).toEqual(["copy prompt", "", "copy output", "", "copy diff", "copy answer", "copy prompt"]);
	const copies = () =>
		reading.effects.flatMap((effect) => (effect.type === "copy" ? [[effect.what, effect.text]] : []));
	expect(copies()).toEqual([
		["the prompt", "Mend it"],
		["the output", `a.ts\n${"word\n".repeat(60)}`],
		["the diff", "-one\n+two"],
		["the answer", "Mended."],
		["the prompt", "Thanks"],
	]);
	reading.press("alt+a");
	expect(reading.state.message?.text).toBe("This turn has no answer");
	reading.press("O", "g", "alt+a");
	expect(copies().at(-1)).toEqual(["the answer “Mended.”", "Mended."]);
	reading.press("q", "q", "home", "down", "alt+a");
	expect([reading.state.focus, copies().at(-1)?.[1]]).toEqual(["tree", "Mended."]);
	const tree = selectScreen(reading.state).panes.find(({ id }) => id === "tree");
	const [row, ...others] = (tree?.rows ?? []).filter(({ ground }) => ground === "match");
	expect([lineText(row?.line ?? []), others]).toEqual([expect.stringContaining("Mended."), []]);
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
		expect(reading.marked[0]).toContain("third question");
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
		for (let job = askedOf(SEARCH, reading.state); job !== undefined; job = askedOf(SEARCH, reading.state)) {
			for (let step = 0; step < 1000 && !job.isComplete; step++) job.steps().next();
			reading.run(answerTo(SEARCH, reading.state, true));
		}
		expect(reading.title).toContain("1 of 1");
		expect(reading.rows[0]).toContain("the needle");
	});
});

test("a hit is scrolled to within its entry, however far down, and marked", async () => {
	const reading = await browser({ columns: 160, rows: 20 });
	reading.press("left", ..."middle");
	const snippet = { text: "needle in the middle", ranges: [] };
	const best = { line: 8, entryId: "r1", kind: "output", active: true, snippet } as const;
	const result = { path: row.path, rank: 1, modified: 0, count: 1, more: false, best };
	reading.run(searchEvent(reading.state, { type: "results", results: [result] }));
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
	expect(requestsOf(RENDERERS, reading.effects)).toHaveLength(1);
	await reading.loadRenderers();
	expect(reading.rows).toContain("bold end");
});

test("code gets its colors after the first frame", async () => {
	const reading = new Browser(
		await sessionOf(user("u", null, 1, "q"), assistant("a", "u", 2, "```ts\nconst a = 1;\n```")),
	);
	await reading.loadRenderers();
	const tones = () =>
		selectScreen(reading.state)
			.panes.find(({ id }) => id === "reader")
			?.rows.flatMap(({ line }) => line.map(({ tone }) => tone));
	expect(tones()).not.toContain("keyword");
	const job = askedOf(CODE_COLORS, reading.state) ?? expect.fail("nothing is colored");
	runToEnd(job.steps());
	reading.run(answerTo(CODE_COLORS, reading.state, true));
	expect(tones()).toContain("keyword");
	expect(askedOf(CODE_COLORS, reading.state)).toBeUndefined();
});

test("code gets its colors at every width, even if the width changed during highlighting", async () => {
	const reading = new Browser(
		await sessionOf(user("u", null, 1, "q"), assistant("a", "u", 2, "```ts\nconst a = 2;\n```")),
	);
	await reading.loadRenderers();
	const first = askedOf(CODE_COLORS, reading.state) ?? expect.fail("nothing is colored");
	const late = answerTo(CODE_COLORS, reading.state, true);
	reading.run({ type: "resize", columns: 200, rows: 60 });
	expect(reading.rows.join("\n")).toContain("const a = 2;");
	runToEnd(first.steps());
	reading.run(late);
	const second = askedOf(CODE_COLORS, reading.state) ?? expect.fail("nothing is colored any more");
	expect(second.document).not.toBe(first.document);
	runToEnd(second.steps());
	reading.run(answerTo(CODE_COLORS, reading.state, true));
	const pane = selectScreen(reading.state).panes.find(({ id }) => id === "reader");
	expect(pane?.rows.flatMap(({ line }) => line.map(({ tone }) => tone))).toContain("keyword");
	expect(askedOf(CODE_COLORS, reading.state)).toBeUndefined();
});

test("code that has its colors keeps them, whatever another browser in this process draws", async () => {
	const [one, other] = await Promise.all(
		["one", "other"].map(async (name) => {
			const code = `\`\`\`ts\nconst ${name} = 3;\n\`\`\``;
			const reading = new Browser(await sessionOf(user("u", null, 1, "q"), assistant("a", "u", 2, code)));
			await reading.loadRenderers();
			return reading;
		}),
	);
	for (const reading of [one, other]) {
		const job = reading && askedOf(CODE_COLORS, reading.state);
		if (reading === undefined || job === undefined) throw new Error("nothing is colored");
		runToEnd(job.steps());
		reading.run(answerTo(CODE_COLORS, reading.state, true));
	}
	for (const reading of [one, other, one]) {
		reading?.run({ type: "tick", now: NOW + 60_000 });
		expect(reading && askedOf(CODE_COLORS, reading.state)).toBeUndefined();
	}
});
