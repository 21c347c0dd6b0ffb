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

/** Runs pi with these arguments, without a terminal, until it has answered. */
async function runPi(args: readonly string[], reach?: string): Promise<void> {
	const env = { ...process.env, ...pi.env, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_GROVE_HISTORY: reach };
	const running = promisify(execFile)(process.execPath, [PI_PROGRAM, "-p", ...args], {
		cwd: pi.directory("work/api"),
		env,
	});
	running.child.stdin?.end();
	await running;
}

/** Lets the model call the tool, once with each of these; returns what pi tells it each time. */
async function called(reach: string | undefined, ...all: readonly object[]): Promise<string[]> {
	return calledIn(["-e", PACKAGE, "--session", pi.sessions.retry, "Look it up"], reach, ...all);
}

async function calledIn(
	args: readonly string[],
	reach: string | undefined,
	...all: readonly object[]
): Promise<string[]> {
	pi.model.calls.push(...all.map((asked) => ({ name: "session_history", arguments: asked })));
	await runPi(args, reach);
	const messages = JSON.parse(pi.model.requests.at(-1) ?? "[]") as { role: string; content: unknown }[];
	const told = messages
		.filter(({ role }) => role === "tool")
		.map(({ content }) => content)
		.slice(-all.length);
	expect(told).toHaveLength(all.length);
	return told.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
}

/** The quotes of an answer, and what stands outside of them. */
function parts(answer: string | undefined): { readonly quotes: string[]; readonly rest: string } {
	const name = /<(quote-[0-9a-f]{16})>/.exec(answer ?? "")?.[1] ?? "none";
	const quotes: string[] = [];
	const rest = (answer ?? "").replaceAll(new RegExp(`\n<${name}>\n(.*?)\n</${name}>(?=\n|$)`, "gs"), (_, one) => {
		quotes.push(one);
		return "";
	});
	return { quotes, rest };
}

test("the agent finds what was said in other sessions, reads on from there, and is told what is wrong", async () => {
	const entry = pi.pathOf(pi.sessions.parser, "Use a regular expression")[0]?.id;
	const address = `session-0001#${entry}`;
	const [found, own, read, part, whole, digest, unknown, option, nothing, hint, long] = await called(
		undefined,
		{ query: "newline" },
		{ query: '"It is in client.ts"' },
		{ read: address },
		{ read: address, chars: 60 },
		{ read: "session-0001" },
		{ read: "session-0001", chars: 150 },
		{ read: "zzz" },
		{ read: "--json" },
		{},
		{ query: "roel:user" },
		{ query: "x".repeat(200_000) },
	);
	expect(found).toMatch(/^Found in 1 session\. The text between <quote-[0-9a-f]{16}> /);
	expect(found).toMatch(
		/^1\. session-0001#\w+ · \d{4}-\d\d-\d\d · assistant, on (?:a branch that was left|the active branch) · 1 hit$/m,
	);
	expect(found).toContain("text: The file does not end in a newline.");
	// That is said in the session that asks.
	expect(own).toMatch(/^Nothing was found\./);

	expect(read).toContain("Use a regular expression");
	expect(read).toContain("It runs out of memory.");
	expect(read).not.toContain("Why does the import");
	const next = /read "(session-0001#[\w.-]+@\d+)"/.exec(part ?? "")?.[1];
	expect([whole, parts(whole).rest.includes("digest")]).toEqual([
		expect.stringContaining("Why does the import"),
		false,
	]);
	// Too long for what was asked: its digest instead of its beginning.
	expect(parts(digest).quotes[1]).toMatch(/^# Digest: /);
	expect(parts(digest).rest).toMatch(/this is its digest\. .* \(SESSION#ENTRY\), and "turn": true/);
	expect(unknown).toMatch(/It could not be read\.[\s\S]*zzz/);
	expect(option).toContain("It could not be read.");
	expect(nothing).toContain("Give either query or read.");
	expect(parts(hint).rest).toContain("roel: is not a field; try role:user");
	expect(long).toMatch(/query/);
	expect(long).not.toMatch(/E2BIG|trim/);

	// Told to the model at the start, in a line or two each.
	const [first = ""] = pi.model.requests;
	expect(first).toContain("skills/session-history/SKILL.md");
	expect(first).toContain("Search and read earlier pi sessions of this project");

	const [rest] = await called(undefined, { read: next });
	expect(`${parts(part).quotes[1]}${parts(rest).quotes[1]}`.replace(/\s/g, "")).toBe(
		parts(read).quotes[1]?.replace(/\s/g, ""),
	);
});

test("the tool is there again in a session that was continued without the package, unless the person leaves it out", async () => {
	await runPi(["-e", PACKAGE, "Just talk"]);
	await runPi(["-c", "Just talk"]);
	const asked = { query: "newline" };
	const goOn = ["-e", PACKAGE, "-c", "Look it up"];
	const [again] = await calledIn(goOn, undefined, asked);
	expect(again).toMatch(/^Found in 1 session\./);
	// It is in the session's set of tools again.
	const [later] = await calledIn(goOn, undefined, asked);
	expect(later).toMatch(/^Found in 1 session\./);

	await runPi(["-c", "Just talk"]);
	const [without] = await calledIn(["--exclude-tools", "session_history", ...goOn], undefined, asked);
	expect(without).toContain("Tool session_history not found");
	const [leftOut] = await calledIn(["--tools", "-session_history", ...goOn], undefined, asked);
	expect(leftOut).toContain("Tool session_history not found");
});

test("sessions of other projects are refused where the person has not allowed them, and secrets are masked", async () => {
	const key = "ghp_0001zQ8xW3vK7rT2yU6nB1mC5dF9gH4jL0pS";
	pi.session({
		project: "work/other",
		age: 700,
		messages: [
			{ role: "user", text: `Deploy zebra with ${key}` },
			{ role: "assistant", text: "It is done, zebra runs." },
		],
	});
	const asked = [{ query: "zebra" }, { query: "zebra", everywhere: true }, { read: "session-0004" }] as const;
	const [here, everywhere, read] = await called(undefined, ...asked);
	expect(here).toMatch(/^Nothing was found\..*Only this project was searched/);
	for (const refused of [everywhere, read]) {
		expect(refused).toContain("Only sessions of this project may be read: there is no one to ask.");
		expect(refused).not.toContain("Deploy");
	}
	const [still, found, text] = await called("all", ...asked);
	expect(still).toMatch(/^Nothing was found\./);
	expect(found).toContain("zebra");
	expect(text).toContain("zebra");
	expect(`${found}${text}`).toContain("‹key 1›");
	expect(`${found}${text}`).not.toMatch(/ghp_|zQ8xW3/);
});
