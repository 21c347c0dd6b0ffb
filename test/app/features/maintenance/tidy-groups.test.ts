import { describe, expect, test } from "vitest";
import { findTidying, type TidyFacts } from "../../../../src/app/world/list/tidy-groups.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../../../../src/catalog/model/counts.ts";
import { NO_MARKS } from "../../../../src/catalog/model/marks.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import type { Diagnostic } from "../../../../src/store/format/diagnostic.ts";
import { makeRow, NOW } from "../../../support/rows.ts";

const row = (path: string, fields: Partial<SessionRow> = {}): SessionRow => makeRow(path, { path, ...fields });
const DAMAGE: Diagnostic = { code: "bad-line", severity: "damage", message: "Line 3 is not JSON." };
const ANSWERED: SessionCounts = { ...NOTHING_IN_IT, turns: 2, tokens: 10, model: "m" };

const byPath = (rows: readonly SessionRow[]) => new Map(rows.map((each) => [each.path, each]));
const PROMPT: Partial<SessionCounts> = { turns: 1, ending: "unanswered", endedMs: NOW };

/** The kinds found among counted sessions, by path. */
function found(rows: readonly SessionRow[], facts: Partial<TidyFacts> = {}) {
	const { sessions, kept } = findTidying({
		rows: byPath(rows),
		counts: new Map(rows.map(({ path }) => [path, ANSWERED])),
		marks: NO_MARKS,
		inUse: new Set(),
		gone: new Set(),
		...facts,
	});
	return {
		kinds: Object.fromEntries(sessions.map(({ row: { path }, kind }) => [path, kind])),
		kept: Object.fromEntries(kept),
	};
}

describe("the groups", () => {
	test("each session is listed once, for its strongest reason; the largest of each kind first", () => {
		const rows = [
			row("/t", { messageCount: 1, size: 300, cwd: "/gone" }),
			row("/e", { messageCount: 0, size: 20, cwd: "/gone" }),
			row("/e2", { messageCount: 0, size: 30 }),
			row("/o", { size: 4000, cwd: "/gone" }),
			row("/new", {}),
		];
		const { kinds, kept } = found(rows, {
			gone: new Set(["/gone"]),
			counts: new Map(rows.map(({ path }) => [path, path === "/t" ? { ...NOTHING_IN_IT, ...PROMPT } : ANSWERED])),
		});
		expect(Object.entries(kinds)).toEqual([
			["/e2", "empty"],
			["/e", "empty"],
			["/t", "tiny"],
			["/o", "orphaned"],
		]);
		expect(kept).toEqual({});
	});

	test.each<[string, Partial<SessionRow>, Partial<SessionCounts>, string | undefined]>([
		["one prompt, no answer", { messageCount: 1 }, PROMPT, "tiny"],
		["the same below a message of the system", { messageCount: 2 }, PROMPT, "tiny"],
		["only a message of the system", { messageCount: 1 }, {}, "tiny"],
		["an answer that failed", { messageCount: 3 }, { ...PROMPT, model: "m", ending: "failed" }, "tiny"],
		[
			"an answer that failed after it had said something",
			{ messageCount: 3 },
			{ ...PROMPT, model: "m", ending: "failed", tokens: 9 },
			undefined,
		],
		["an answer", { messageCount: 2 }, { ...PROMPT, model: "m", ending: "" }, undefined],
		["an answer of no model", { messageCount: 2 }, { ...PROMPT, ending: "" }, undefined],
		["an answer on an abandoned branch", { messageCount: 2 }, { ...PROMPT, model: "m" }, undefined],
		["an answer alone", { messageCount: 1 }, { endedMs: NOW }, undefined],
		["two prompts", { messageCount: 2 }, { ...PROMPT, turns: 2 }, undefined],
		["two commands of the person beside the prompt", { messageCount: 3 }, PROMPT, undefined],
		["a prompt with a pasted file", { messageCount: 1, size: 100_001 }, PROMPT, undefined],
	])("%s", (_what, fields, counts, kind) => {
		const { kinds } = found([row("/x", fields)], { counts: new Map([["/x", { ...NOTHING_IN_IT, ...counts }]]) });
		expect(kinds["/x"]).toBe(kind);
	});

	test.each<[string, Partial<SessionRow>, Partial<TidyFacts>, string]>([
		["in use", {}, { inUse: new Set(["/x"]) }, "in-use"],
		["pinned", {}, { marks: applyChanges([{ id: "/x", on: true }]) }, "wanted"],
		["tagged", {}, { marks: applyChanges([{ id: "/x", tag: "a", on: true }]) }, "wanted"],
		["named", { name: "N" }, {}, "wanted"],
		["labeled", {}, { counts: new Map([["/x", { ...ANSWERED, labels: 1 }]]) }, "wanted"],
		["damaged", { diagnostics: [DAMAGE] }, {}, "damaged"],
		["archived", { archived: true }, {}, "archived"],
		["not counted yet", {}, { counts: new Map() }, "uncounted"],
	])("a session that is %s is not proposed, but counted", (_what, fields, facts, reason) => {
		const rows = [row("/x", { id: "/x", cwd: "/gone", ...fields })];
		expect(found(rows, { gone: new Set(["/gone"]), ...facts })).toMatchObject({ kinds: {}, kept: { [reason]: 1 } });
	});

	test("a damaged file without messages is not empty", () => {
		expect(found([row("/x", { messageCount: 0, diagnostics: [DAMAGE] })])).toMatchObject({
			kinds: {},
			kept: { damaged: 1 },
		});
	});
});
