import { describe, expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { selectedEntry, selectTree } from "../../../../src/app/world/opened/select-tree.ts";
import { layoutFor } from "../../../../src/app/world/screen/layout.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { Session } from "../../../../src/store/read/read-session.ts";
import { a, b, c, keys, listed, opened, rows, run, start } from "../../../support/listed-state.ts";
import { makeRow, NOW } from "../../../support/rows.ts";
import { assistant, sessionOf, user } from "../../../support/session-builder.ts";

describe("the tree", () => {
	test("the session under the cursor is read, and a late answer for another one is dropped", async () => {
		const { session } = await opened();
		const moved = run(listed, keys("down"));
		expect(moved.effects).toContainEqual({ type: "read-session", request: moved.state.request, path: b.path });
		expect(run(moved.state, { type: "session-read", request: listed.request, session }).state).toBe(moved.state);
	});

	test("a late answer leaves the cursor where it was in the session that is read now", async () => {
		const { state, session } = await opened();
		const left = run(state, keys("right", "up", "left", "down")).state;
		const other = await sessionOf(user("other", null, 1, "another session"));
		const back = run(left, keys("up")).state;
		expect(back.tree.selected).toBe("two");
		const late = run(back, { type: "session-read", request: left.request, session: other }).state;
		expect(late.tree.selected).toBe("two");
		const read = run(late, { type: "session-read", request: late.request, session }).state;
		expect(selectedEntry(read)?.id).toBe("two");
	});

	test("the cursor starts on the leaf and stays while the session is read again", async () => {
		const { state, session } = await opened();
		expect(selectedEntry(state)?.id).toBe("three");
		const up = run(state, keys("right", "up")).state;
		const grown = run(up, rows({ ...a, size: a.size + 10 }));
		expect(grown.effects).toMatchObject([{ type: "read-session", path: a.path }]);
		expect(selectedEntry(grown.state)?.id).toBe("two");
		const again = run(grown.state, { type: "session-read", request: grown.state.request, session });
		expect(selectedEntry(again.state)?.id).toBe("two");
	});

	test("on the leaf the cursor follows the session as it grows, even after a key has moved it there", async () => {
		const { state } = await opened();
		const longer = await sessionOf(
			user("one", null, 1, "question"),
			assistant("two", "one", 2, "answer"),
			user("three", "two", 3, "more"),
			assistant("four", "three", 4, "the end"),
		);
		const grown = (pressed: readonly string[]): string | undefined => {
			const growing = run(state, keys("right", ...pressed), rows({ ...a, size: a.size + 10 })).state;
			return selectedEntry(run(growing, { type: "session-read", request: growing.request, session: longer }).state)?.id;
		};
		expect([grown([]), grown(["up", "down"]), grown(["home", "end"]), grown(["home", "alt+right"])]).toEqual(
			Array.from({ length: 4 }, () => "four"),
		);
		expect(grown(["up"])).toBe("two");
	});

	test("while following the leaf, the text of a new one is shown from its start", async () => {
		const { state } = await opened();
		const text = "line\n".repeat(99);
		const long = await sessionOf(user("one", null, 1, text));
		const longer = await sessionOf(user("one", null, 1, text), assistant("two", "one", 2, text));
		const read = (now: State, session: Session): State => {
			const growing = run(now, rows({ ...a, size: (now.catalog.rows.get(a.path)?.size ?? 0) + 1 })).state;
			return run(growing, { type: "session-read", request: growing.request, session: { ...session, path: a.path } })
				.state;
		};
		const scrolled = run(read(state, long), {
			type: "mouse",
			event: { kind: "wheel", rows: 2, x: (layoutFor(state).reader?.x ?? 0) + 1, y: 20 },
		}).state;
		expect(scrolled.reader.anchor).toMatchObject({ entryId: "one", row: 2 });
		expect(read(scrolled, long).reader.anchor).toMatchObject({ entryId: "one", row: 2 });
		expect(read(scrolled, longer).reader.anchor).toMatchObject({ entryId: "two", block: 0, row: 0 });
	});

	test("moving to the next branch point and the end follows the line that is drawn straight down", async () => {
		// The oldest child of "one" is abandoned, and so is the larger child of "a1".
		const session = await sessionOf(
			user("one", null, 1, "question"),
			assistant("b1", "one", 2, "rejected"),
			user("b2", "b1", 3, "of the rejected"),
			assistant("a1", "one", 4, "kept"),
			user("c1", "a1", 5, "aside"),
			assistant("c2", "c1", 6, "of the aside"),
			assistant("c3", "c2", 7, "of the aside"),
			user("a2", "a1", 8, "kept"),
			assistant("a3", "a2", 9, "the end"),
		);
		const { state } = run(
			listed,
			{ type: "session-read", request: listed.request, session },
			keys("right", "home", "down"),
		);
		const at = (...pressed: string[]) => selectedEntry(run(state, keys(...pressed)).state)?.id;
		expect([at("alt+right"), at("alt+right", "alt+right"), at("alt+right", "alt+right", "alt+right")]).toEqual([
			"a1",
			"a2",
			"a3",
		]);
		expect(at(...Array.from({ length: 9 }, () => "alt+right"))).toBe("a3");
		// An abandoned branch is opened, and then its own end is the way to go.
		expect(at("down", "alt+right")).toBe("b1");
		expect(at("down", "alt+right", "alt+right")).toBe("b2");
		expect(at("down", "alt+right", "down", "alt+left", "alt+left")).toBe("b1");
		expect(at("down", "alt+right", "alt+left", "down")).toBe("a1");
	});

	test("moving up by forks folds nothing of the line", async () => {
		const { state } = await opened();
		const pressed = run(state, keys("right", "alt+left", "alt+left", "alt+left"));
		expect(selectedEntry(pressed.state)?.id).toBe("one");
		expect(selectTree(pressed.state)?.rows.selectable).toBe(4);
		expect(selectedEntry(run(pressed.state, keys("alt+right")).state)?.id).toBe("three");
	});

	test("the filter in pi's settings is the initial one", () => {
		const environment = { ...start.environment, treeFilter: "user-only" } as const;
		expect(initialState(environment, start.size, NOW).tree.filter).toBe("user-only");
	});

	test("a filter typed for one session does not hide entries of the next, and is shown while it applies", async () => {
		const { state } = await opened();
		const typed = run(state, keys("right", "/"), { type: "text", text: "more" }, keys("enter", "down"));
		const title = (now: State) =>
			selectScreen(now)
				.panes.find(({ id }) => id === "tree")
				?.title.map(({ text }) => text)
				.join("");
		expect(title(typed.state)).toContain("❯ more");
		const next = run(typed.state, keys("left", "down", "right"));
		expect(next.state.tree.query.text).toBe("");
		expect(title(next.state)).not.toContain("more");
	});

	test("in a narrow terminal no key acts on an entry of the previous session", async () => {
		const { state } = await opened();
		const narrow = run(state, { type: "resize", columns: 60, rows: 12 }, keys("down", "alt+n"));
		const [menu] = narrow.state.overlays;
		expect(menu?.kind === "menu" ? menu.items.map(({ label }) => label) : []).toEqual([
			"Copy the whole session, in the same project",
			"Cancel",
		]);
		expect(run(narrow.state, keys("escape", "up", "right")).effects).toMatchObject([
			{ type: "read-session", path: a.path },
		]);
	});

	test("an unchanged row does not read the session again", async () => {
		const { state } = await opened();
		expect(run(state, rows({ ...a })).effects).toEqual([]);
	});

	test("enter resumes at once on the leaf, and asks on another entry", async () => {
		const { state } = await opened();
		expect(run(state, keys("right", "enter")).effects).toMatchObject([{ type: "resume" }]);
		const asked = run(state, keys("right", "up", "enter"));
		expect(asked.effects).toEqual([]);
		expect(run(asked.state, keys("enter")).effects).toMatchObject([{ type: "resume-from", entryId: "two" }]);
	});

	test("branching copies the whole session in the list, and in its tree first the path to the entry", async () => {
		const { state } = await opened();
		expect(run(state, keys("alt+n", "enter")).effects).toMatchObject([{ type: "fork", path: a.path }]);
		expect(run(state, keys("right", "alt+n", "enter")).effects).toEqual([
			{ type: "branch", path: a.path, entryId: "three" },
		]);
		const { state: last } = run(listed, keys("end"));
		const unread: Action = { type: "session-failed", request: last.request, message: "no permission" };
		const elsewhere = run(last, unread, keys("alt+n", "down", "enter"));
		expect(elsewhere.effects.at(-1)).toEqual({ type: "fork", path: c.path, cwd: "/home/me/project" });
	});

	test("a question of an effect is shown in full on a narrow screen", () => {
		const body = "It would take back what another program has done since, which nobody wants without a question.";
		const ask: Action = {
			type: "ask",
			question: { title: "Undo?", body: [body], choices: [{ label: "Keep" }], danger: true },
		};
		const { state } = run(listed, { type: "resize", columns: 40, rows: 12 }, ask);
		const menu = selectScreen(state).overlay;
		const rows = menu?.body.map((line) => line.map(({ text }) => text).join(""));
		expect(rows?.join(" ").trim()).toBe(body);
	});

	test("a new session gets the cursor as soon as it is listed", () => {
		const made = makeRow("made", { age: 99 });
		const done: Action = { type: "done", message: { text: "Forked", tone: "text" }, select: made.path };
		expect(run(listed, keys("down"), done, rows(made)).state.list.selected).toBe(made.path);
	});

	test("a session that cannot be read says why, and the others still work", () => {
		const failed = run(listed, { type: "session-failed", request: listed.request, message: "no permission" });
		expect(failed.state.detail).toMatchObject({ status: "failed", message: "no permission" });
		expect(run(failed.state, keys("down")).effects).toMatchObject([{ type: "read-session", path: b.path }]);
	});
});
