import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Outline, outlineOf } from "../../../src/conversation/entries/outline.ts";
import { indexAt } from "../../../src/conversation/entries/outline-columns.ts";
import { extendSession, readSession, type Session } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { randomEntry, randomHeader, randomLine } from "../../support/random-branches.ts";
import { randomSession } from "../../support/random-session.ts";
import { sessionOf, user } from "../../support/session-builder.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = tempDirOfFile();
let files = 0;

const nextPath = () => join(folder, `${files++}.jsonl`);

/** The same, found by walking through the tree itself. */
function expected({ tree, entries }: Session) {
	const active = new Set<string>();
	for (let id = tree.leafId ?? undefined; id !== undefined; id = tree.parentOf.get(id)) active.add(id);
	const size = (id: string): number => (tree.children.get(id) ?? []).reduce((sum, child) => sum + size(child.id), 1);
	const mainChild = (id: string | undefined) => {
		const siblings = (id === undefined ? tree.roots : tree.children.get(id)) ?? [];
		const largest = Math.max(...siblings.map((entry) => size(entry.id)));
		return siblings.find((entry) => active.has(entry.id)) ?? siblings.findLast((entry) => size(entry.id) === largest);
	};
	const order: string[] = [];
	const visit = (id: string | undefined) => {
		const main = mainChild(id);
		const siblings = (id === undefined ? tree.roots : tree.children.get(id)) ?? [];
		for (const entry of [...siblings.filter((each) => each !== main), ...(main ? [main] : [])]) {
			order.push(entry.id);
			visit(entry.id);
		}
	};
	visit(undefined);
	return {
		order,
		facts: entries.map(({ id }) => ({
			id,
			active: active.has(id),
			size: size(id),
			level: pathThrough(id).indexOf(id),
			main: mainChild(id)?.id,
			branch: mainChild(tree.parentOf.get(id))?.id !== id,
			path: pathThrough(id),
		})),
	};

	function pathThrough(id: string): string[] {
		const path = [id];
		for (let at = tree.parentOf.get(id); at !== undefined; at = tree.parentOf.get(at)) path.unshift(at);
		for (let at = mainChild(id)?.id; at !== undefined; at = mainChild(at)?.id) path.push(at);
		return path;
	}
}

function found(outline: Outline, { entries }: Session) {
	const { columns } = outline;
	return {
		order: [...columns.order.subarray(0, columns.count)].map((index) => entries[index]?.id),
		facts: entries.map(({ id }) => ({
			id,
			active: outline.isActive(id),
			size: outline.size(id),
			level: outline.level(id),
			main: entries[columns.main[indexAt(columns, id)] ?? -1]?.id,
			branch: outline.isBranch(id),
			path: outline.pathThrough(id).map((entry) => entry.id),
		})),
	};
}

describe("outlineOf", () => {
	test("is the shape of the tree, for any file", async () => {
		await fc.assert(
			fc.asyncProperty(randomSession, async (bytes) => {
				const path = nextPath();
				writeFileSync(path, bytes);
				const session = await readSession(path);
				expect(found(outlineOf(session), session)).toEqual(expected(session));
			}),
			{ numRuns: caseCount(200), seed: FIRST_SEED },
		);
	});

	test("grows with its session, and equals a new one then", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(randomEntry, { minLength: 1, maxLength: 16 }), fc.nat(), async (plan, cut) => {
				const path = nextPath();
				const before = 1 + (cut % plan.length);
				const all = plan.map(randomLine);
				writeFileSync(path, `${randomHeader}\n${all.slice(0, before).join("")}`);
				let session = await readSession(path);
				outlineOf(session);
				for (const line of all.slice(before)) {
					appendFileSync(path, line);
					session = (await extendSession(session)) ?? session;
					expect(found(outlineOf(session), session)).toEqual(expected(session));
				}
			}),
			{ numRuns: caseCount(200), seed: FIRST_SEED },
		);
	});

	test("a child that comes before its parent in the file", async () => {
		const session = await sessionOf(
			user("b", "a", 2, "child"),
			user("c", "b", 3, "grandchild"),
			user("a", null, 1, "root"),
			user("d", "a", 4, "leaf"),
		);
		expect(found(outlineOf(session), session)).toEqual(expected(session));
		expect(
			outlineOf(session)
				.pathThrough("c")
				.map(({ id }) => id),
		).toEqual(["a", "b", "c"]);
	});

	test("a path is the same list for all entries that it is the same for", async () => {
		const session = await sessionOf(
			user("a", null, 1, "a"),
			user("b", "a", 2, "b"),
			user("x", "a", 3, "x"),
			user("y", "x", 4, "y"),
		);
		const outline = outlineOf(session);
		expect(outline.pathThrough("a")).toBe(outline.pathThrough("y"));
		expect(outline.pathThrough("b").map(({ id }) => id)).toEqual(["a", "b"]);
		expect(outline.pathThrough("a").map(({ id }) => id)).toEqual(["a", "x", "y"]);
		expect(outline.size("nothing")).toBe(0);
	});
});
