import { expect, test } from "vitest";
import { findAll } from "../../src/catalog/search-all.ts";
import { matchesEntry, rowOfHit } from "../../src/conversation/tree/match-entry.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { queryOf } from "../support/follow-search.ts";
import { assistant, header, lines, message, toolResult, user } from "../support/session-builder.ts";
import { tempAgentDir } from "../support/temp-dir.ts";
import { readUses } from "../support/uses.ts";

/** A script that ran a command, edited a file and failed to read another, between two calls of the model. */
const SCRIPT = {
	complete: true,
	calls: [
		{ id: "c1/1", name: "bash", status: "ok", durationMs: 5, arguments: { command: "make walnut" } },
		{
			id: "c1/2",
			name: "edit",
			status: "ok",
			arguments: { path: "src/hazel.ts", edits: [{ oldText: "a", newText: "almond" }] },
		},
		{ id: "c1/3", name: "read", status: "error", error: "ENOENT pecan", arguments: { path: "gone.ts" } },
		{
			id: "c1/4",
			name: "bash",
			status: "error",
			error: "no\n\nCommand exited with code 2",
			arguments: { command: "false" },
		},
		{ id: "c1/5", name: "bash", status: "unfinished", arguments: { command: "sleep 9" } },
	],
};

function scripted() {
	const folder = tempAgentDir();
	const call = (id: string, name: string, args: object) => ({ type: "toolCall", id, name, arguments: args });
	const path = folder.write(
		"--p--/scripted.jsonl",
		lines(
			header({ id: "scripted", cwd: "/p" }),
			user("u1", null, 1, "run a script"),
			assistant("a1", "u1", 2, "", [call("c1", "codemode", { code: "…" }), call("c2", "ls", { path: "." })]),
			message("r1", "a1", 3, {
				role: "toolResult",
				toolCallId: "c1",
				toolName: "codemode",
				content: [{ type: "text", text: "done" }],
				nestedCalls: SCRIPT,
				isError: false,
			}),
			toolResult("r2", "r1", 4, "files", "ls").replace('"toolCallId":"c1"', '"toolCallId":"c2"'),
			assistant("a2", "r2", 5, "ok"),
		),
	);
	return { folder, path };
}

test.each([
	["walnut", "command"],
	["cmd:walnut", "command"],
	["tool:bash walnut", "command"],
	["tool:edit", "tool"],
	["file:hazel", "path"],
	["almond", "arguments"],
	["in:args almond", "arguments"],
	["pecan", "output"],
	["tool:read in:output pecan", "output"],
])("what a script of the model did is found at the result that holds it: %s", async (text, kind) => {
	const { folder, path } = scripted();
	const query = queryOf(text);
	for (const limit of [undefined, 5]) {
		const { results } = await findAll(query, { env: folder.env, cacheDir: folder.cache, limit });
		expect(results.map(({ best, count }) => [best.entryId, best.kind, best.line, count])).toEqual([["r1", kind, 4, 1]]);
	}
	const session = await readSession(path);
	const shown = session.entries.filter((entry) => matchesEntry(entry, session, query, "/home/me")).map(({ id }) => id);
	expect(shown).toEqual(["r1"]);
	const entry = session.tree.byId.get("r1");
	expect(entry && rowOfHit(entry, "command", query, session)).toBe("r1");
});

test("no other tool than those of the script is found, and nothing twice", async () => {
	const { folder } = scripted();
	for (const text of ["tool:write", "tool:codemode walnut", "cmd:hazel", "file:walnut"]) {
		const { results } = await findAll(queryOf(text), { env: folder.env, cacheDir: folder.cache });
		expect([text, results.length]).toEqual([text, 0]);
	}
});

test("the commands of a script are among all commands, with how they ended", async () => {
	const { folder, path } = scripted();
	const long = folder.write("--p--/long.jsonl", longScript());
	for (const file of [path, long]) {
		const uses = await readUses(file, "command");
		expect(
			uses.map(({ said, entryId, by, exitCode, durationMs }) => [said, entryId, by, exitCode, durationMs]),
		).toEqual([
			["make walnut", "r1", "model", 0, 5],
			["false", "r1", "model", 2, undefined],
			["sleep 9", "r1", "model", undefined, undefined],
		]);
	}
});

/** The same calls behind an output that is longer than what is read at once. */
function longScript(): string {
	const content = [{ type: "text", text: "x".repeat(700_000) }];
	const fields = { role: "toolResult", toolCallId: "c1", toolName: "codemode", content, nestedCalls: SCRIPT };
	return lines(header(), message("r1", null, 3, { ...fields, isError: false }));
}
