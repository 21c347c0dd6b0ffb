import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseDuplicates, findFamilies } from "../../../../src/app/features/maintenance/duplicates.ts";
import { findTidying, type TidyFacts } from "../../../../src/app/features/maintenance/tidy-groups.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../../../../src/catalog/model/counts.ts";
import { NO_MARKS } from "../../../../src/catalog/model/marks.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import type { Diagnostic } from "../../../../src/store/format/diagnostic.ts";
import { caseCount, FIRST_SEED } from "../../../support/cases.ts";
import { makeRow, NOW } from "../../../support/rows.ts";

const DAY = 86_400_000;
const row = (path: string, fields: Partial<SessionRow> = {}): SessionRow => makeRow(path, { path, ...fields });
const DAMAGE: Diagnostic = { code: "bad-line", severity: "damage", message: "Line 3 is not JSON." };
const ANSWERED: SessionCounts = { ...NOTHING_IN_IT, turns: 2, tokens: 10, model: "m" };

const byPath = (rows: readonly SessionRow[]) => new Map(rows.map((each) => [each.path, each]));
const PROMPT: Partial<SessionCounts> = { turns: 1, ending: "unanswered", endedMs: NOW };

/** The kinds found among counted sessions, by path. */
function found(rows: readonly SessionRow[], facts: Partial<TidyFacts> = {}) {
	const { groups, kept } = findTidying({
		rows: byPath(rows),
		counts: new Map(rows.map(({ path }) => [path, ANSWERED])),
		marks: NO_MARKS,
		inUse: new Set(),
		duplicates: new Map(),
		gone: new Set(),
		oldBefore: NOW - 180 * DAY,
		...facts,
	});
	return {
		kinds: Object.fromEntries(groups.flatMap(({ kind, sessions }) => sessions.map((one) => [one.row.path, kind]))),
		bytes: Object.fromEntries(groups.map(({ kind, bytes }) => [kind, bytes])),
		kept: Object.fromEntries(kept),
	};
}

describe("the groups", () => {
	const old = new Date(NOW - 181 * DAY);

	test("each session is listed once, in its strongest group; the bytes of each group are added up", () => {
		const rows = [
			row("/d", { messageCount: 0, modified: old, size: 1, cwd: "/gone" }),
			row("/e", { messageCount: 0, modified: old, size: 20, cwd: "/gone" }),
			row("/e2", { messageCount: 0, size: 30 }),
			row("/t", { messageCount: 1, modified: old, size: 300, cwd: "/gone" }),
			row("/o", { modified: old, size: 4000, cwd: "/gone" }),
			row("/old", { modified: old, size: 50_000 }),
			row("/new", { modified: new Date(NOW - 180 * DAY) }),
		];
		const { kinds, bytes, kept } = found(rows, {
			duplicates: new Map([["/d", "/new"]]),
			gone: new Set(["/gone"]),
			counts: new Map(rows.map(({ path }) => [path, path === "/t" ? { ...NOTHING_IN_IT, ...PROMPT } : ANSWERED])),
		});
		expect(kinds).toEqual({
			"/d": "duplicate",
			"/e2": "empty",
			"/e": "empty",
			"/t": "tiny",
			"/o": "orphaned",
			"/old": "old",
		});
		expect(bytes).toEqual({ duplicate: 1, empty: 50, tiny: 300, orphaned: 4000, old: 50_000 });
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
		const rows = [row("/x", { id: "/x", modified: old, ...fields })];
		expect(found(rows, facts)).toMatchObject({ kinds: {}, kept: { [reason]: 1 } });
	});

	test("a damaged file without messages is not empty; a duplicate may have the name of the other one", () => {
		expect(found([row("/x", { messageCount: 0, diagnostics: [DAMAGE] })])).toMatchObject({
			kinds: {},
			kept: { damaged: 1 },
		});
		const named = [row("/x", { name: "N" }), row("/y", { name: "N" })];
		expect(found(named, { duplicates: new Map([["/x", "/y"]]) }).kinds).toEqual({ "/x": "duplicate" });
	});
});

describe("families", () => {
	const families = (...rows: readonly SessionRow[]) => findFamilies(byPath(rows)).map(({ paths }) => paths);
	const at = (minute: number) => new Date(NOW + minute * 60_000);

	test("are forks of the same session at any distance, even if that is gone, and files with the same id", () => {
		const rows = [
			row("/a", { id: "a" }),
			row("/b", { id: "b", parentSession: "/a" }),
			row("/c", { id: "c", parentSession: "/elsewhere/b" }),
			row("/x", { id: "x", parentSession: "/gone" }),
			row("/y", { id: "y", parentSession: "/gone" }),
			row("/m", { id: "m" }),
			row("/n", { id: "m" }),
			row("/alone", { id: "z" }),
		];
		expect(families(...rows)).toEqual([
			["/a", "/b", "/c"],
			["/x", "/y"],
			["/m", "/n"],
		]);
	});

	test("have no member that can neither be contained in another one nor contain one", () => {
		const parent = row("/a", { id: "a", messageCount: 100, modified: at(1) });
		const gone = { id: "b", parentSession: "/a" };
		expect(families(parent, row("/b", { ...gone, messageCount: 60, modified: at(2) }))).toEqual([]);
		expect(families(parent, row("/b", { ...gone, messageCount: 60, modified: at(1) }))).toEqual([["/a", "/b"]]);
		expect(families(parent, row("/b", { ...gone, messageCount: 100, modified: at(2) }))).toEqual([["/a", "/b"]]);
		for (const odd of [{ messageCount: 0 }, { archived: true as const }, { diagnostics: [DAMAGE] }])
			expect(families(parent, row("/b", { ...gone, modified: at(0), ...odd }))).toEqual([]);
		const fork = row("/b", { ...gone, modified: at(0) });
		expect(findFamilies(byPath([parent, fork]), new Set(["/b"]))).toEqual([]);
	});

	test("a change of any file makes it another family", () => {
		const fork = row("/b", { id: "b", parentSession: "/a" });
		const key = (fields: object) => findFamilies(byPath([row("/a", { id: "a", ...fields }), fork]))[0]?.key;
		expect(key({})).toBe(key({}));
		expect(new Set([key({}), key({ size: 7 }), key({ name: "N" }), key({ modified: at(1) })]).size).toBe(4);
	});
});

describe("which of several sessions is a duplicate", () => {
	const choose = (
		contained: Record<string, string[]>,
		rows: readonly SessionRow[],
		prefers: { gone?: string[]; wanted?: string[] } = {},
	) =>
		Object.fromEntries(
			chooseDuplicates(grouped(contained), {
				rows: byPath(rows),
				isGone: ({ path }) => prefers.gone?.includes(path) === true,
				isWanted: ({ path }) => prefers.wanted?.includes(path) === true,
			}),
		);
	/** Groups equal sessions, as the store reports them. */
	const grouped = (contained: Record<string, string[]>) =>
		Object.entries(contained).flatMap(([path, within]) => {
			const same = within.filter((other) => contained[other]?.includes(path));
			const isFirst = same.every((other) => path < other);
			return isFirst ? [{ paths: [path, ...same], within: within.filter((other) => !same.includes(other)) }] : [];
		});
	const original = row("/a", { created: new Date(1) });
	const copy = row("/b", { created: new Date(2), parentSession: "/a" });
	const same = { "/a": ["/b"], "/b": ["/a"] };

	test("of two equal sessions, the copy", () => {
		expect(choose(same, [original, copy])).toEqual({ "/b": "/a" });
		expect(choose(same, [original, row("/b", { created: new Date(1), parentSession: "/a" })])).toEqual({ "/b": "/a" });
		const [own, other] = [row("/x_id.jsonl", { id: "id" }), row("/a copy.jsonl", { id: "id" })];
		const [short, long] = [row("/a.jsonl"), row("/a (copy).jsonl")];
		expect(choose({ [short.path]: [long.path], [long.path]: [short.path] }, [short, long])).toEqual({
			[long.path]: short.path,
		});
		expect(choose({ [own.path]: [other.path], [other.path]: [own.path] }, [own, other])).toEqual({
			[other.path]: own.path,
		});
	});

	test("never a wanted one, and not one whose directory exists if that of the other is gone", () => {
		expect(choose(same, [original, copy], { wanted: ["/b"] })).toEqual({ "/a": "/b" });
		expect(choose(same, [original, copy], { gone: ["/a"] })).toEqual({ "/a": "/b" });
		expect(choose({ "/b": ["/a"] }, [original, copy], { gone: ["/a"] })).toEqual({});
	});

	test("a session contained in a duplicate is contained in the session that is kept", () => {
		const third = row("/c", { created: new Date(3), parentSession: "/b" });
		expect(choose({ "/a": ["/b", "/c"], "/b": ["/c"] }, [original, copy, third])).toEqual({ "/a": "/c", "/b": "/c" });
		expect(choose({ "/a": ["/gone"] }, [original])).toEqual({});
	});

	test("in any constellation, each duplicate is contained in a session that is kept", () => {
		const paths = ["/a", "/b", "/c", "/d", "/e"];
		const sets = fc.array(fc.subarray([1, 2, 3, 4]), { minLength: 5, maxLength: 5 });
		const checked = fc.property(sets, fc.subarray(paths), fc.subarray(paths), (contents, gone, wanted) => {
			const holds = (a: number, b: number) => contents[b]?.every((one) => contents[a]?.includes(one)) === true;
			const contained = Object.fromEntries(
				paths.map((path, index) => [path, paths.filter((_, other) => other !== index && holds(other, index))]),
			);
			const rows = paths.map((path, index) => row(path, { created: new Date(index % 2) }));
			const chosen = choose(contained, rows, { gone, wanted });
			for (const [path, stays] of Object.entries(chosen)) {
				expect(contained[path]).toContain(stays);
				expect(Object.keys(chosen)).not.toContain(stays);
				expect(gone.includes(stays) && !gone.includes(path)).toBe(false);
			}
			// Each content is kept somewhere.
			const staying = paths.filter((path) => chosen[path] === undefined);
			expect(paths.every((path) => staying.some((one) => one === path || contained[path]?.includes(one)))).toBe(true);
		});
		fc.assert(checked, { numRuns: caseCount(500), seed: FIRST_SEED });
	});
});
