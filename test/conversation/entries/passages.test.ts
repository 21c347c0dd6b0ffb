import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type PassageScope, passagesOf } from "../../../src/conversation/entries/passages.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { branchingSession } from "../../support/branching-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { fixtureDir } from "../../support/fixture.ts";
import { randomEntry, randomHeader, randomLine } from "../../support/random-branches.ts";
import { tempDir } from "../../support/temp-dir.ts";

const pathOfTest = () => join(tempDir(), "session.jsonl");

function idsOf(session: Session, scope: PassageScope): string[][] {
	return [...passagesOf(session, scope)].map((one) => one.path.slice(one.from, one.to).map(({ id }) => id));
}

/** Each entry is shown once, behind its parent's branch, and the first passage is the path to the leaf. */
function checkAll(session: Session): void {
	const { tree } = session;
	const all = idsOf(session, { of: "all" });
	expect(all.flat().sort()).toEqual([...tree.byId.keys()].sort());
	if (tree.leafId !== null) expect(all[0]).toContain(tree.leafId);
	expect(all.slice(0, 1)).toEqual(idsOf(session, { of: "active" }));
	const seen = new Set<string>();
	for (const { path: whole, from, to, leaves } of passagesOf(session, { of: "all" })) {
		const first = whole[from]?.id ?? "";
		const parent = tree.parentOf.get(first);
		expect(seen.size === 0 ? undefined : (leaves?.id ?? null)).toEqual(seen.size === 0 ? undefined : (parent ?? null));
		for (const entry of whole.slice(from, to)) {
			const above = tree.parentOf.get(entry.id);
			expect(above === undefined || seen.has(above)).toBe(true);
			seen.add(entry.id);
		}
	}
}

test("all branches together have every entry once, each behind the entry that it goes on from", async () => {
	const path = pathOfTest();
	const sessions = fc.array(randomEntry, { maxLength: 40 });
	await fc.assert(
		fc.asyncProperty(sessions, async (entries) => {
			writeFileSync(path, `${randomHeader}\n${entries.map(randomLine).join("")}`);
			checkAll(await readSession(path));
		}),
		{ numRuns: caseCount(100), seed: FIRST_SEED },
	);
});

test("so they do in every fixture, however odd", async () => {
	for (const name of readdirSync(fixtureDir).filter((file) => file.endsWith(".jsonl")))
		checkAll(await readSession(join(fixtureDir, name)));
});

test("an entry is shown alone, in its turn, in its branch, and with what follows it", async () => {
	const path = pathOfTest();
	writeFileSync(path, branchingSession());
	const session = await readSession(path);
	const prompts = session.entries.filter((one) => one.type === "message" && one.message.role === "user");
	const retry = prompts.find((one) => JSON.stringify(one).includes("retry approach"))?.id ?? "";
	const ofEntry = (of: "from" | "entry" | "turn" | "branch", entryId: string) =>
		idsOf(session, { of, entryId })[0] ?? [];
	const branch = ofEntry("branch", retry);
	const at = branch.indexOf(retry);
	expect(at).toBe(6);
	expect(ofEntry("from", retry)).toEqual(branch.slice(at));
	expect(ofEntry("turn", retry)).toEqual(branch.slice(at, at + 6));
	expect(ofEntry("turn", branch[at + 5] ?? "")).toEqual(branch.slice(at, at + 6));
	expect(ofEntry("entry", retry)).toEqual([retry]);
	// The result shows the call.
	expect(ofEntry("entry", branch[at + 1] ?? "")).toEqual(branch.slice(at + 1, at + 3));
	expect(ofEntry("entry", branch[at + 2] ?? "")).toEqual(branch.slice(at + 2, at + 3));
	expect(idsOf(session, { of: "turn", entryId: "nobody" })).toEqual([]);
});

test("a session without entries has no passages", async () => {
	const path = pathOfTest();
	writeFileSync(path, `${randomHeader}\n`);
	const session = await readSession(path);
	expect(idsOf(session, { of: "all" })).toEqual([]);
	expect(idsOf(session, { of: "active" })).toEqual([]);
});
