import { describe, expect, test } from "vitest";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";
import { matchesEntry } from "../../../src/conversation/tree/match-entry.ts";
import { assistant, label, name, sessionOf, user } from "../../support/session-builder.ts";

async function found(text: string, ...lines: readonly string[]): Promise<string[]> {
	const session = await sessionOf(...lines);
	const parsed = parseQuery(text);
	if ("error" in parsed) throw new Error(parsed.error);
	return session.entries
		.filter((entry) => matchesEntry(entry, session, parsed.query, "/home/me"))
		.map((entry) => entry.id);
}

describe("the tree's filter", () => {
	const start = [user("u1", null, 1, "hi"), assistant("u2", "u1", 2, "hello")];

	test("knows the labels that entries have now", async () => {
		const lines = [...start, label("l1", "u2", 3, "u1", "todo"), label("l2", "l1", 4, "u2", "todo")];
		expect(await found("label:todo", ...lines)).toEqual(["u1", "u2", "l1", "l2"]);
		const replaced = [...lines, label("l3", "l2", 5, "u1", "done"), label("l4", "l3", 6, "u2", undefined)];
		expect(await found("label:todo", ...replaced)).toEqual([]);
		expect(await found("todo", ...replaced)).toEqual([]);
		expect(await found("done", ...replaced)).toEqual(["u1", "l3"]);
	});

	test("knows the name that the session has now", async () => {
		const lines = [...start, name("n1", "u2", 3, "Alpha"), name("n2", "n1", 4, "Beta")];
		expect(await found("name:alpha", ...lines)).toEqual([]);
		expect(await found("beta", ...lines)).toEqual(["n2"]);
		expect(await found("beta", ...lines, name("n3", "n2", 5, ""))).toEqual([]);
	});

	test("finds what stands deep in a call's arguments, and a call with very many of them", async () => {
		const deep = `${'{"a":['.repeat(20_000)}"needle"${"]}".repeat(20_000)}`;
		const many = Array.from({ length: 200_000 }, (_, index) => index);
		const call = (args: string) =>
			assistant("c", "u2", 3, "", [{ type: "toolCall", id: "1", name: "x", arguments: {} }]).replace(
				'"arguments":{}',
				`"arguments":${args}`,
			);
		expect(await found("needle", ...start, call(`{"deep":${deep}}`))).toEqual(["c"]);
		expect(await found("199999", ...start, call(`{"many":${JSON.stringify(many)}}`))).toEqual(["c"]);
	});
});
