import { expect, test } from "vitest";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";
import { assistant, header, message, user } from "../support/session-builder.ts";

const sandbox = sandboxOfTest();
const START = Date.UTC(2026, 0, 1);

/** A session of /work/api that calls a shell at each of these seconds; the command ends so many seconds later, or not at all. */
function caller(
	name: string,
	...calls: readonly (readonly [second: number, command: string, took?: number])[]
): string {
	const lines = [header({ id: name }), user("u0", null, 1, `Call for ${name}`)];
	let parent = "u0";
	for (const [second, command, took] of calls) {
		const id = `c${second}`;
		const call = { type: "toolCall", id, name: "bash", arguments: { command } };
		lines.push(assistant(`a${second}`, parent, second, "", [call]));
		parent = `a${second}`;
		if (took === undefined) continue;
		const content = [{ type: "text", text: "done" }];
		const result = { role: "toolResult", toolCallId: id, toolName: "bash", content, isError: false };
		lines.push(message(`r${second}`, parent, second + took, result));
		parent = `r${second}`;
	}
	return sandbox.write(`${name}.jsonl`, ...lines);
}

/** A session that was begun in that second with a prompt, and answered so many seconds later. */
function child(name: string, second: number, prompt: string, { cwd = "/work/api", took = 3 } = {}): string {
	const timestamp = new Date(START + second * 1000).toISOString();
	const answer = assistant("a1", "u1", second + took, "Done.");
	return sandbox.write(`${name}.jsonl`, header({ id: name, timestamp, cwd }), user("u1", null, second, prompt), answer);
}

/** By the id of each session, the path of its parent; null for none. */
function parents(): Readonly<Record<string, string | null>> {
	// A list alone does not read what the commands were.
	expect(run(sandbox, ["stats"]).code).toBe(0);
	const { code, out, err } = run(sandbox, ["list", "--json", "--runs"]);
	expect({ code, err }).toEqual({ code: 0, err: "" });
	const rows: readonly { readonly id: string; readonly parent: string | null }[] = JSON.parse(out);
	return Object.fromEntries(rows.map(({ id, parent }) => [id, parent]));
}

test("a pi -p that a command starts belongs to the session of the command, by directory, time and prompt", () => {
	const parent = caller(
		"parent",
		[100, 'cd /work/site && timeout 60 npx pi --model small -p "Review the diff of today"', 20],
		[200, "pi -p < prompt.md 2>&1 | tail -5", 20],
		[300, 'grep -rn "pi -p" docs; pi --version', 20],
		[400, 'pi --mode json "Count the tests"'],
	);
	child("reviewer", 102, "Review the diff of today", { cwd: "/work/site", took: 9000 });
	child("other-directory", 103, "Review the diff of today");
	child("from-a-file", 201, "Sum it up");
	child("of-a-person", 203, "Something else", { took: 900 });
	child("before", 99, "Review the diff of today", { cwd: "/work/site" });
	child("counter", 402, "Count the tests");
	child("meanwhile", 403, "What is this?");
	const found = {
		parent: null,
		reviewer: parent,
		"other-directory": null,
		"from-a-file": parent,
		"of-a-person": null,
		before: null,
		counter: parent,
		meanwhile: null,
	};
	expect(parents()).toEqual(found);
	expect(run(sandbox, ["show", "parent", "--runs"]).out.match(/\t(?:reviewer|from-a-file|counter)\t/g)).toHaveLength(3);
	expect(JSON.parse(run(sandbox, ["path", "--json", "counter"]).out).parent).toBe(parent);
});

test("where two sessions may have started it, the prompt decides; without it, nobody has", () => {
	const one = caller("one", [100, 'pi -p "Write the tests"', 50]);
	const two = caller("two", [90, 'pi -p "Fix the build"; pi -p < next.md', 80]);
	child("tester", 110, "Write the tests");
	child("builder", 111, "Fix the build");
	child("unknown", 112, "Go on");
	expect(parents()).toEqual({ one: null, two: null, tester: one, builder: two, unknown: null });
});

test("a session that grows is followed: the command, its result, and the run are found as they come", () => {
	const file = caller("grown");
	child("early", 55, "Early");
	expect(parents()).toEqual({ grown: null, early: null });
	caller("grown", [50, "pi -p < a.md"]);
	expect(parents()).toEqual({ grown: null, early: null });
	caller("grown", [50, "pi -p < a.md", 20]);
	expect(parents()).toEqual({ grown: null, early: file });
});
