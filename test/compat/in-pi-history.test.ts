import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { InPi, PACKAGE } from "./in-pi.ts";
import { PI_PROGRAM } from "./pi-program.ts";

/** pi searches its own past: the tool and the skill of the package in the real pi, with a model that calls what it is told. */

let pi: InPi;
beforeEach(async () => {
	pi = new InPi();
	await pi.model.start(pi.agentDir);
});
afterEach(() => pi.remove());

/** Lets the model call the tool, once with each of these; returns what pi tells it each time. */
async function called(...all: readonly object[]): Promise<string[]> {
	pi.model.calls.push(...all.map((asked) => ({ name: "session_history", arguments: asked })));
	const args = [PI_PROGRAM, "-p", "-e", PACKAGE, "--session", pi.sessions.retry, "Look it up"];
	const env = { ...process.env, ...pi.env, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
	const running = promisify(execFile)(process.execPath, args, { cwd: pi.directory("work/api"), env });
	running.child.stdin?.end();
	await running;
	const messages = JSON.parse(pi.model.requests.at(-1) ?? "[]") as { role: string; content: unknown }[];
	const told = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
	expect(told).toHaveLength(all.length);
	return told.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
}

test("the agent finds what was said in other sessions, reads on from there, and is told what is wrong", async () => {
	const entry = pi.pathOf(pi.sessions.parser, "Use a regular expression")[0]?.id;
	const address = `session-0001#${entry}`;
	const [found, own, elsewhere, here, read, part, unknown, option, nothing] = await called(
		{ query: "newline" },
		{ query: '"It is in client.ts"' },
		{ query: "検索" },
		{ query: "検索", here: true },
		{ read: address },
		{ read: address, chars: 60 },
		{ read: "zzz" },
		{ read: "--json" },
		{},
	);
	expect(found).toMatch(/^Found in 1 session\. What stands between <quote-[0-9a-f]{16}> /);
	expect(found).toMatch(
		/^1\. session-0001#\w+ · \d{4}-\d\d-\d\d · assistant, on (?:an abandoned|the active) branch · 1 hit$/m,
	);
	expect(found).toContain("text: The file does not end in a newline.");
	// That is said in the session that asks.
	expect(own).toMatch(/^Nothing was found\./);
	expect(elsewhere).toContain("title: 検索を日本語に対応させて");
	expect(here).toMatch(/^Nothing was found\./);

	expect(read).toContain("Use a regular expression");
	expect(read).toContain("It runs out of memory.");
	expect(read).not.toContain("Why does the import");
	expect(part).toContain('read "session-0001#');
	expect(unknown).toMatch(/It could not be read\.[\s\S]*zzz/);
	expect(option).toContain("It could not be read.");
	expect(nothing).toContain("give either query or read");

	// Told to the model at the start, in a line or two each.
	const [first = ""] = pi.model.requests;
	expect(first).toContain("skills/session-history/SKILL.md");
	expect(first).toContain("Search and read earlier pi sessions of this machine");
});
