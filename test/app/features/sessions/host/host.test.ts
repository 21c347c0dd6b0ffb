import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { initialState } from "../../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../../src/app/core/keys/keymap.ts";
import { update } from "../../../../../src/app/core/update.ts";
import { promptText, referenceText } from "../../../../../src/app/features/sessions/host-keys.ts";
import { hostedStore } from "../../../../../src/app/world/effects/host-store.ts";
import { commandFor } from "../../../../../src/app/world/state/binding.ts";
import { type Host, liveWithHost } from "../../../../../src/app/world/state/catalog-state.ts";
import type { HostChange } from "../../../../../src/app/world/state/choice.ts";
import type { State } from "../../../../../src/app/world/state/state.ts";
import { type LiveReport, NOTHING_LIVE } from "../../../../../src/catalog/model/live.ts";
import { archiveCounterpart } from "../../../../../src/catalog/model/session-roots.ts";
import { readyToUndo, type UndoTools } from "../../../../../src/changes/engine/undo-one.ts";
import { guard } from "../../../../../src/changes/guard/guard.ts";
import { createStoreClient } from "../../../../../src/changes/store-thread/store-client.ts";
import { asRead, atPisLeaf, conversationLeaf } from "../../../../../src/conversation/entries/leaf.ts";
import { labelEntry, renameSession } from "../../../../../src/store/actions/session-actions.ts";
import { readSession } from "../../../../../src/store/read/read-session.ts";
import { drawn, linesOf } from "../../../../support/draw-tree.ts";
import { keys, run } from "../../../../support/listed-state.ts";
import { listedRows, makeRow, NOW } from "../../../../support/rows.ts";
import { assistant, entry, header, lines, message, sessionOf, user } from "../../../../support/session-builder.ts";
import { tempDir } from "../../../../support/temp-dir.ts";

const LINES = [
	user("a", null, 1, "Why?"),
	assistant("b", "a", 2, "Because."),
	user("c", "b", 3, "And then?"),
	assistant("d", "c", 4, "Nothing."),
];

function hostOf(path: string, leaf: string | null, fields: Partial<Host> = {}): Host {
	return {
		pi: "1.5.2",
		pid: 7,
		open: { id: "x", cwd: "/p", path, leaf },
		busy: false,
		reportedMs: Date.now(),
		...fields,
	};
}

describe("what pi reports about itself replaces what its process shows", () => {
	const row = makeRow("open");
	const other = makeRow("other");
	const report: LiveReport = {
		sessions: new Map([
			[row.path, [{ kind: "grew", grewMs: 1 }]],
			[other.path, [{ kind: "named", pid: 7, startedMs: 5 }]],
		]),
		pis: [
			{ pid: 7, startedMs: 5, cwd: row.cwd, sessions: [other.path], reportsSession: false },
			{ pid: 8, startedMs: 5, cwd: "/elsewhere", sessions: [], reportsSession: false },
		],
	};

	test("pi has the reported session open, and no other one", () => {
		const seen = liveWithHost(report, hostOf(row.path, null));
		expect(guard("take", seen, row).uses.map(({ kind }) => kind)).toEqual(["host", "grew"]);
		expect(guard("take", seen, other).uses).toEqual([]);
		expect(seen.pis.map(({ pid }) => pid)).toEqual([8]);
		expect(liveWithHost(report, undefined)).toBe(report);
	});

	test("after pi has opened another session, it has that one open", () => {
		const seen = liveWithHost(liveWithHost(report, hostOf(row.path, null)), hostOf(other.path, null));
		expect([guard("take", seen, row).uses, guard("take", seen, other).uses]).toMatchObject([
			[{ kind: "grew" }],
			[{ kind: "host" }],
		]);
	});
});

describe("the leaf is where pi reports it", () => {
	test("even if the file ends elsewhere", async () => {
		const session = await sessionOf(header(), ...LINES);
		const moved = atPisLeaf(session, hostOf(session.path, "b"));
		expect(conversationLeaf(moved)).toBe("b");
		expect(asRead(moved)).toBe(session);
		expect(atPisLeaf(moved, hostOf(session.path, "b"))).toBe(moved);
		expect(atPisLeaf(moved, hostOf(session.path, "d"))).toBe(session);
	});

	test.each<[string | null, readonly string[]]>([
		[
			"b",
			[
				" ● Why?",
				" ◉ Because.                             ◂ pi continues here",
				" ╰╌⊞ left: Or?  … An end beside it.         2 entries $0.03",
				" ── left: 1 turn · $0.03 ──────────────────────────────────",
			],
		],
		[null, [" ── left: 3 turns · $0.09 ─────────────────────────────────"]],
		[
			"f",
			[
				" ● Why?",
				" │ Because.",
				" ├╌⊞ left: And then?  … Nothing.            2 entries $0.03",
				" ◆ Or?",
				" ◉ An end beside it.                    ◂ pi continues here",
			],
		],
	])("and nothing of it is hidden: at %s", async (leaf, rows) => {
		const session = await sessionOf(
			header(),
			...LINES.slice(0, 2),
			user("e", "b", 2.5, "Or?"),
			assistant("f", "e", 2.7, "An end beside it."),
			...LINES.slice(2),
		);
		const moved = atPisLeaf(session, hostOf(session.path, leaf));
		expect(linesOf(drawn(moved))).toEqual(rows);
	});

	test.each<[string, string | null, Partial<Host>]>([
		["it is the end of the file", "d", {}],
		["it has written since it said so", "b", { reportedMs: 0 }],
		["there is no such entry", "zz", {}],
	])("the leaf of the file is used if %s", async (_, leaf, fields) => {
		const session = await sessionOf(header(), ...LINES);
		expect(atPisLeaf(session, hostOf(session.path, leaf, fields))).toBe(session);
	});
});

describe("the store leaves the open session to pi", () => {
	function setUp(answer?: string) {
		const path = join(tempDir(), "s.jsonl");
		writeFileSync(path, lines(header(), ...LINES));
		const asked: HostChange[] = [];
		const own = createStoreClient();
		onTestFinished(() => own.close());
		const port = {
			async change(change: HostChange) {
				asked.push(change);
				if (answer !== undefined) throw new Error(answer);
				if (change.action === "rename") renameSession(path, change.name);
				else labelEntry(path, change.entryId, change.label ?? undefined);
			},
			listen: () => undefined,
		};
		return { path, asked, store: hostedStore(own, { port, open: () => path }) };
	}

	test("which renames and labels, as the store asks it to", async () => {
		const { path, asked, store } = setUp();
		const renamed = await store.run("renameSession", path, "New");
		const labeled = await store.run("labelEntry", path, "b", "good");
		const cleared = await store.run("labelEntry", path, "b", undefined);
		const ids = (await readSession(path)).entries.slice(4).map(({ id }) => id);
		expect([renamed, labeled, cleared]).toEqual([
			{ entryId: ids[0], leafId: null, before: "" },
			{ entryId: ids[1], leafId: null, before: undefined },
			{ entryId: ids[2], leafId: null, before: "good" },
		]);
		expect(asked).toEqual([
			{ action: "rename", name: "New" },
			{ action: "label", entryId: "b", label: "good" },
			{ action: "label", entryId: "b", label: null },
		]);
	});

	test("without asking for what is already so", async () => {
		const { path, asked, store } = setUp();
		expect(await store.run("renameSession", path, " ")).toMatchObject({ entryId: undefined });
		expect(await store.run("labelEntry", path, "b", undefined)).toMatchObject({ entryId: undefined });
		expect(asked).toEqual([]);
	});

	test("a refusal, and what only pi itself can do, are errors that change nothing", async () => {
		const { path, store } = setUp("Not now.");
		const before = readFileSync(path, "utf8");
		await expect(store.run("renameSession", path, "New")).rejects.toThrow("pi has not changed it: Not now. Path:");
		await expect(store.run("resumePoint", path, "b")).rejects.toThrow("it is open in pi; go to the entry");
		await expect(store.run("restoreLeaf", path, "b")).rejects.toThrow("it is open in pi; go to the entry");
		expect(readFileSync(path, "utf8")).toBe(before);
	});

	test("and handles other sessions itself", async () => {
		const { path, asked, store } = setUp("Not now.");
		const other = `${path}.other.jsonl`;
		writeFileSync(other, readFileSync(path));
		expect(await store.run("renameSession", other, "New")).toMatchObject({ entryId: expect.any(String) });
		expect(asked).toEqual([]);
	});
});

describe("keys in pi", () => {
	const row = makeRow("s");
	const OPTIONS = { home: "/home/me", cwd: "/home/me/project", demo: false, keymap: KEYMAP, problems: [] };

	/** The browser in the tree of the session that is open in pi, on an entry. */
	async function on(entryId: string, busy = false): Promise<State> {
		const session = await sessionOf(header(), ...LINES);
		const shown = { ...row, path: session.path };
		const environment = { ...OPTIONS, host: hostOf(session.path, "d", { busy }) };
		const state = initialState(environment, { columns: 120, rows: 40 }, NOW);
		return {
			...state,
			focus: "tree",
			catalog: { ...state.catalog, complete: true, ...listedRows(shown) },
			list: { ...state.list, selected: shown.path },
			detail: { status: "ready", row: shown, session },
			tree: { ...state.tree, selected: entryId },
		};
	}

	async function menuOn(entryId: string, busy: boolean): Promise<readonly (readonly [string, unknown])[]> {
		const [state] = update(await on(entryId, busy), { type: "keys", keys: ["enter"] });
		const menu = state.overlays.at(-1);
		if (menu?.kind !== "menu") throw new Error("no menu is open");
		return menu.items.map(({ label, effect }) => [label, effect?.type === "leave" ? effect.outcome : effect]);
	}

	test("enter on a prompt, and on the leaf of pi, while a turn is running and while none is", async () => {
		const edit = { kind: "chosen", choice: { action: "edit", text: "And then?" } };
		const reference = (entryId: string) =>
			expect.objectContaining({ choice: expect.objectContaining({ action: "reference", entryId }) });
		expect(await menuOn("c", true)).toMatchObject([
			[
				"Rewind to before this prompt, and reword it (its text goes to pi's editor), when the running turn has ended",
				{ choice: { action: "goto", entryId: "c" } },
			],
			["Back to pi, which continues after its answer", { kind: "quit" }],
			["With the files as they were here, in a new worktree…", { type: "plan-files", entryId: "c" }],
			[
				"Branch before this prompt, and reword it there: stops the running turn",
				{ choice: { action: "fork", position: "before", entryId: "c" } },
			],
			["Branch into a new session, up to here: stops the running turn", { choice: { action: "fork", position: "at" } }],
			["Insert its text into pi's editor", edit],
			["Insert a reference to it into pi's editor", reference("c")],
			["Cancel", undefined],
		]);
		expect(await menuOn("d", false)).toMatchObject([
			["Back to pi, which continues here", { kind: "quit" }],
			["With the files as they were here, in a new worktree…", { type: "plan-files", entryId: "d" }],
			["Branch into a new session, up to here", { choice: { action: "fork", entryId: "d", position: "at" } }],
			["Insert a reference to it into pi's editor", reference("d")],
			["Cancel", undefined],
		]);
		expect(await menuOn("b", false)).toMatchObject([
			["Continue from here", { choice: { action: "goto", entryId: "b" } }],
			["With the files as they were here, in a new worktree…", { type: "plan-files", entryId: "b" }],
			[
				"Here, with the later changes of files taken back…",
				{ type: "plan-rewind", entryId: "b", next: { outcome: { choice: { action: "goto", entryId: "b" } } } },
			],
			["Branch into a new session, up to here", { choice: { action: "fork", entryId: "b", position: "at" } }],
			["Back to pi, which continues at the end   “Nothing.”", { kind: "quit" }],
			["Insert a reference to it into pi's editor", reference("b")],
			["Cancel", undefined],
		]);
		expect((await menuOn("a", false)).slice(0, 2)).toMatchObject([
			["Rewind to before this prompt, and reword it (its text goes to pi's editor)", { choice: { entryId: "a" } }],
			["Continue after its answer", { choice: { action: "goto", entryId: "b" } }],
		]);
	});

	test("a key puts the text of a prompt into the editor, or says why there is none", async () => {
		const { effects } = run(await on("c"), keys("<to-editor>"));
		expect(effects).toContainEqual({
			type: "leave",
			outcome: { kind: "chosen", choice: { action: "edit", text: "And then?" } },
		});
		const { state } = run(await on("d"), keys("<to-editor>"));
		expect(state.message?.text).toContain("Only a prompt or a command");
	});

	test("a session is handed over to a new one of pi, whose editor gets the digest", async () => {
		const { state } = run(await on("c", true), keys("<hand-over>"));
		const menu = state.overlays.at(-1);
		expect(menu?.kind === "menu" && menu.items).toMatchObject([
			{
				label: expect.stringMatching(/^New session in pi.*, with the digest in its editor: stops the running turn$/),
				effect: { outcome: { choice: { action: "new", text: expect.stringContaining("And then?") } } },
			},
			{ label: "Cancel" },
		]);
	});

	test("in the list, enter on the open session goes back to pi", async () => {
		const [, effects] = update({ ...(await on("c")), focus: "list" }, { type: "keys", keys: ["enter"] });
		expect(effects).toContainEqual({ type: "leave", outcome: { kind: "quit" } });
	});

	test("without pi there are no such keys", async () => {
		const state = await on("c");
		const alone = { ...state, environment: OPTIONS };
		expect(["to-editor", "reference"].map((id) => commandFor(alone, id))).toEqual([undefined, undefined]);
		expect(["to-editor", "reference"].map((id) => commandFor(state, id)?.section)).toEqual(["In pi", "In pi"]);
	});
});

test("an undo does not remove the session that is open in pi", async () => {
	const root = "/nowhere/sessions";
	const sessionRoots = { kind: "default", root, agentDir: "/nowhere", problems: [] } as const;
	const open = `${root}/--p--/s.jsonl`;
	const undo = { type: "moved", path: archiveCounterpart(open, sessionRoots), to: open } as const;
	const change = { id: "1", at: "", what: "bring back", run: undefined, group: undefined, plan: undefined, undo };
	const over = { of: undefined, fate: "made", isMine: true, undoneAt: undefined, receipt: undefined } as const;
	const checkUse = async () => liveWithHost(NOTHING_LIVE, hostOf(open, null));
	const tools = { sessionRoots, checkUse, rowOf: () => undefined, clock: Date.now } as unknown as UndoTools;
	await expect(readyToUndo({ ...change, ...over }, new Set(), tools)).rejects.toThrow(
		"open in the pi that you came from",
	);
});

describe("texts for pi's editor", () => {
	test.each<[string, string, string | undefined]>([
		["a prompt", user("a", null, 1, "Why?\nTell me."), "Why?\nTell me."],
		["a command", message("a", null, 1, { role: "bashExecution", command: "ls", output: "" }), "!ls"],
		[
			"a command that the model does not see",
			message("a", null, 1, { role: "bashExecution", command: "ls", output: "", excludeFromContext: true }),
			"!!ls",
		],
		["an answer", assistant("a", null, 1, "Because."), undefined],
		["a model change", entry("model_change", "a", null, 1, { provider: "x", modelId: "y" }), undefined],
	])("%s", async (_, line, text) => {
		const { entries } = await sessionOf(header(), line);
		expect(entries[0] && promptText(entries[0])).toBe(text);
	});

	test("a reference is one sanitized line", () => {
		const row = makeRow("id-1", { name: 'A "good" one\x1b[31m\nred', path: "/sessions/a\u202eb.jsonl" });
		const text = referenceText(row, "e1");
		expect(text).toMatch(/^session id-1#e1 "A 'good' one.*red" \(\/sessions\/a.*b\.jsonl\)$/);
		expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
		expect(referenceText(makeRow("id-2", { firstMessage: "x".repeat(300) })).length).toBeLessThan(200);
	});
});
