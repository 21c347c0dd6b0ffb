import { expect, test } from "vitest";
import { entryCandidates } from "../../src/cli/completion/candidates.ts";
import type { SessionEntry } from "../../src/store/format/schema.ts";
import { sessionOf, user } from "../support/session-builder.ts";

const OPTIONS = { home: "/home/ada", mayPropose: (id: string) => !id.includes("$") };

/** A session of prompts in one chain, and how often what an entry says was looked at. */
async function prompts(count: number) {
	const ids = Array.from({ length: count }, (_, at) => `a${(0xfff0000 + 7 * at).toString(16).padStart(8, "0")}`);
	const session = await sessionOf(...ids.map((id, at) => user(id, ids[at - 1] ?? null, at + 1, `prompt ${at}`)));
	const looked = new Set<string>();
	const entries = session.entries.map(
		(entry) =>
			new Proxy(entry, {
				get(target, field) {
					if (field === "message") looked.add(target.id);
					return Reflect.get(target, field);
				},
			}) as SessionEntry,
	);
	return { session: { ...session, entries }, ids, looked };
}

test("of more than a thousand entries the last ones are proposed, and what all have in common", async () => {
	const { session, ids, looked } = await prompts(12_000);
	const found = entryCandidates(session, "a", OPTIONS);
	expect(found.slice(0, -1).map(([id]) => id)).toEqual(ids.slice(-1000).reverse());
	expect(looked.size).toBe(1000);
	expect(found[0]?.[1]).toContain("prompt 11999");
	// A shell that knew only these would complete "a" to "a1000".
	expect(ids.slice(-1000).every((id) => id.startsWith("a1000"))).toBe(true);
	expect(found.at(-1)).toEqual(["a", "and 11,000 more: type more of an id"]);
});

test("what is typed further brings any entry, and fewer have no row for the rest", async () => {
	const { session, ids } = await prompts(1500);
	for (const id of [ids[0] ?? "", ids[700] ?? "", ids[1499] ?? ""])
		expect(entryCandidates(session, id.slice(0, 8), OPTIONS).map(([one]) => one)).toContain(id);
	const few = await prompts(1000);
	expect(entryCandidates(few.session, "", OPTIONS)).toHaveLength(1000);
	expect(entryCandidates(session, "", OPTIONS)).toHaveLength(1001);
	expect(entryCandidates(session, "zz", OPTIONS)).toEqual([]);
});

test("what may not be proposed takes no place", async () => {
	const odd = Array.from({ length: 1200 }, (_, at) => user(`a$${at}`, at === 0 ? "a" : `a$${at - 1}`, at + 2, "odd"));
	const session = await sessionOf(user("a", null, 1, "sound"), ...odd);
	expect(entryCandidates(session, "", OPTIONS)).toEqual([["a", " sound"]]);
});
