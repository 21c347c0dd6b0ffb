import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TreeFilter } from "../../../src/app/model/state.ts";
import { passesFilter } from "../../../src/app/tree/entry-filter.ts";
import { type DrawnTree, growTree } from "../../../src/app/tree/grow-tree.ts";
import { treeRows } from "../../../src/app/tree/tree-rows.ts";
import { visibleTree } from "../../../src/app/tree/visible-tree.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import type { SessionEntry } from "../../../src/store/format/schema.ts";
import { extendSession } from "../../../src/store/read/extend-session.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = tempDirOfFile();

const time = (second: number) => new Date(1.7e12 + second * 1000).toISOString();
const header = JSON.stringify({ type: "session", version: 3, id: "x", timestamp: time(0), cwd: "/x" });
const KINDS = ["user", "answer", "call", "result", "session_info", "label", "custom"] as const;

/** One entry: what it is, and how many entries back its parent stands (0: the leaf). */
type Step = readonly [kind: (typeof KINDS)[number], back: number];

function lineOf([kind, back]: Step, index: number): string {
	const id = index.toString(16).padStart(8, "0");
	const parent = index - 1 - Math.min(back, index);
	const parentId = parent < 0 ? null : parent.toString(16).padStart(8, "0");
	const base = { id, parentId, timestamp: time(index + 1) };
	const message = (fields: object) => ({ type: "message", ...base, message: { timestamp: 1, ...fields } });
	const text = [{ type: "text", text: `entry ${index}` }];
	const call = [{ type: "toolCall", id: `c${index}`, name: "bash", arguments: { command: "ls" } }];
	const entry = {
		user: message({ role: "user", content: text }),
		answer: message({ role: "assistant", content: text, stopReason: "stop" }),
		call: message({ role: "assistant", content: call, stopReason: "toolUse" }),
		result: message({
			role: "toolResult",
			toolCallId: `c${index - 1}`,
			toolName: "bash",
			content: text,
			isError: false,
		}),
		session_info: { type: "session_info", ...base, name: `name ${index}` },
		label: { type: "label", ...base, targetId: parentId ?? id, label: "here" },
		custom: { type: "custom", ...base, customType: "x" },
	}[kind];
	return `${JSON.stringify(entry)}\n`;
}

function draw(session: Session, isVisible: (entry: SessionEntry) => boolean): DrawnTree {
	const visible = runToEnd(visibleTree(session, isVisible));
	const rows = runToEnd(treeRows(visible, new Set()));
	return { visible, rows, indexes: new Map(rows.map(({ entry }, index) => [entry.id, index])) };
}

/** All that is drawn; sizes count only where something is folded, and then all is drawn anew. */
function shown({ visible: { roots, children, parents, active, sizes }, rows, indexes }: DrawnTree) {
	return { roots, children, parents, active, visible: new Set(sizes.keys()), rows, indexes };
}

const FILTERS: readonly TreeFilter[] = ["default", "no-tools", "user-only", "labeled-only", "all"];
const step = fc.tuple(
	fc.constantFrom(...KINDS),
	fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat({ max: 4 })),
);

/** Under "no-tools" the call is shown only while it is where the leaf is, and it is not the last row. */
const HIDDEN_LEAF_ABOVE_A_BRANCH: [Step[], Step[]] = [
	[
		["call", 0],
		["user", 0],
		["user", 0],
	],
	[
		["custom", 2],
		["result", 0],
	],
];

let files = 0;
let grew = 0;

test.each(FILTERS)("a tree that has grown is the one that would be drawn anew: %s", async (filter) => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 1, maxLength: 8 }),
			fc.array(step, { maxLength: 6 }),
			async (before, after) => {
				const path = join(folder, `${files++}.jsonl`);
				const all = [...before, ...after].map(lineOf);
				writeFileSync(path, `${header}\n${all.slice(0, before.length).join("")}`);
				let session = await readSession(path);
				let tree = draw(session, (entry) => passesFilter(entry, session, filter));
				for (const line of all.slice(before.length)) {
					const count = session.entries.length;
					appendFileSync(path, line);
					const grown = await extendSession(session);
					expect(grown).toBeDefined();
					session = grown ?? session;
					const now = session;
					const isVisible = (entry: SessionEntry) => passesFilter(entry, now, filter);
					const anew = draw(now, isVisible);
					if (growTree(tree, now, now.entries.slice(count), isVisible)) {
						grew += 1;
						expect(shown(tree)).toEqual(shown(anew));
					} else tree = anew;
				}
			},
		),
		{ numRuns: 150, examples: [HIDDEN_LEAF_ABOVE_A_BRANCH] },
	);
});

test("most entries are simply added", () => expect(grew).toBeGreaterThan(500));
