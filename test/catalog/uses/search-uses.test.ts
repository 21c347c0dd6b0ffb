import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readUse } from "../../../src/catalog/uses/read-use.ts";
import { hasUseFailed } from "../../../src/catalog/uses/use.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { queryOf } from "../../support/follow-search.ts";
import { assistant, header, lines, message, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { findUses, readUses } from "../../support/uses.ts";

function write(...content: readonly string[]): string {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, lines(...content));
	return path;
}

const call = (id: string, command: unknown, name = "bash") => ({ type: "toolCall", id, name, arguments: { command } });

function result(
	id: string,
	parentId: string,
	second: number,
	callId: string,
	text: string,
	fields: object = {},
): string {
	const content = [{ type: "text", text }];
	const end = { isError: false, ...fields };
	return message(id, parentId, second, { role: "toolResult", toolCallId: callId, toolName: "bash", content, ...end });
}

test("a command has its exit code and its time from its result, whatever stands between them", async () => {
	const path = write(
		header(),
		user("u", null, 1, "run them"),
		assistant("a", "u", 2, "", [
			call("c1", "npm test"),
			call("c2", " ls\n"),
			call("c3", "sleep 9"),
			call("c4", "rm x"),
		]),
		result("r1", "a", 4, "c1", "1 failed\n\nCommand exited with code 1", { isError: true }),
		result("r2", "r1", 4.5, "c2", "a b"),
		result("r3", "r2", 6, "c3", "Command timed out after 9 seconds", { isError: true, durationMs: 9000 }),
		message("p", "r3", 20, {
			role: "bashExecution",
			command: "git status",
			output: "",
			exitCode: 128,
			cancelled: false,
		}),
		message("q", "p", 21, { role: "bashExecution", command: "top", output: "", cancelled: true }),
	);
	const uses = await readUses(path, "command");
	const told = uses.map(({ said, by, exitCode, ended, durationMs, line, part }) => {
		return [said, by, exitCode, ended, durationMs, line, part];
	});
	expect(told).toEqual([
		["npm test", "model", 1, undefined, 2000, 3, 0],
		["ls", "model", 0, undefined, 500, 3, 1],
		["sleep 9", "model", undefined, "timed out", 9000, 3, 2],
		["rm x", "model", undefined, undefined, undefined, 3, 3],
		["git status", "person", 128, undefined, undefined, 7, 0],
		["top", "person", undefined, "cancelled", undefined, 8, 0],
	]);
	expect(uses.map(hasUseFailed)).toEqual([true, false, true, false, true, false]);
	const prompts = await readUses(path, "prompt");
	expect(prompts.map(({ said, time }) => [said, new Date(time).getUTCSeconds()])).toEqual([["run them", 1]]);
});

test("a word is found with characters between its letters that do not show, and each file counts once it is searched", async () => {
	const dir = tempDir();
	const files = ["fo\u00adur", "fo\u200bu\u0301r", "five", "four"].map((text, at) => {
		const path = join(dir, `${at}.jsonl`);
		writeFileSync(path, lines(header(), user("u", null, 1, text)));
		return { path, size: 1, modified: 1 };
	});
	const progress: number[] = [];
	const searched = { kind: "prompt", query: queryOf("four"), dates: [], files } as const;
	const found = await findUses(searched, (read) => progress.push(read));
	const { texts } = runToEnd(found.select({ order: "newest", limit: 10 }));
	expect(texts.map(({ text }) => text).sort()).toEqual(["fo\u00adur", "fo\u200bu\u0301r", "four"].sort());
	expect([...new Set(progress)]).toEqual([1, 2, 3, 4]);
});

test("few prompts with a word are followed by those with other forms of it, many are not", async () => {
	const textsWith = async (word: string, ...prompts: readonly string[]): Promise<readonly string[]> => {
		const path = write(header(), ...prompts.map((text, at) => user(`${at}`, at === 0 ? null : `${at - 1}`, at, text)));
		const files = [{ path, size: 1, modified: 1 }];
		const found = await findUses({ kind: "prompt", query: queryOf(word), dates: [], files });
		return runToEnd(found.select({ order: "newest", limit: 20 })).texts.map(({ text }) => text);
	};
	expect(await textsWith("tests", "write a test", "run the tests", "fix it")).toEqual([
		"run the tests",
		"write a test",
	]);
	const many = Array.from({ length: 10 }, (_, at) => `tests ${at}`);
	expect(await textsWith("tests", "write a test", ...many)).toHaveLength(many.length);
});

test("a provider that numbers its calls from the start in every answer: the nearest call above counts", async () => {
	const path = write(
		header(),
		assistant("a", null, 1, "", [call("0", "first")]),
		result("r", "a", 2, "0", "ok"),
		assistant("b", "r", 3, "", [call("0", "second")]),
		result("s", "b", 4, "0", "Command aborted", { isError: true }),
		result("t", "s", 5, "0", "a second result for the same call"),
	);
	const uses = await readUses(path, "command");
	expect(uses.map(({ exitCode, ended }) => exitCode ?? ended)).toEqual([0, "aborted"]);
});

test("a prompt is as it was typed; images, other tools and values that are not text are ignored", async () => {
	const skill = '<skill name="review" location="/x/SKILL.md">\nRead all of it.\n</skill>\n\nthe parser';
	const path = write(
		header(),
		user("a", null, 1, skill),
		user("b", "a", 2, "  \n"),
		message("c", "b", 3, { role: "user", content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }),
		message("d", "c", 4, { role: "user", content: "as a string" }),
		message("e", "d", 5, { role: "user", content: null }),
		assistant("f", "e", 6, "bash", [call("1", 7), call("2", ""), call("3", "view", "edit"), { type: "toolCall" }]),
	);
	expect((await readUses(path, "prompt")).map(({ said }) => said)).toEqual(["/skill:review the parser", "as a string"]);
	expect(await readUses(path, "command")).toEqual([]);
});

test("a long text is read whole from its file, as long as it is there", async () => {
	const long = `begin ${"x".repeat(700_000)} end`;
	const path = write(header(), user("a", null, 1, "short"), user("b", "a", 2, long));
	const [, use] = await readUses(path, "prompt");
	expect(use && readUse(path, use).text).toBe(long);
	writeFileSync(path, lines(header(), user("a", null, 1, "other"), user("b", "a", 2, long.replace("x", "y"))));
	expect(() => use && readUse(path, use)).toThrow("the text is no longer there");
});

test("the answer to a prompt is that on its branch, whatever was asked instead of it, and behind many steps", async () => {
	const steps = Array.from({ length: 30 }, (_, at) => [
		assistant(`s${at}`, at === 0 ? "w" : `t${at - 1}`, 3, at === 0 ? "I look." : "", [call("c", "ls")]),
		result(`t${at}`, `s${at}`, 4, "c", "x"),
	]);
	const path = write(
		header(),
		user("u", null, 1, "asked first"),
		user("v", null, 2, "asked instead"),
		assistant("a", "v", 3, "answered instead"),
		user("w", "a", 4, "and then?"),
		...steps.flat(),
		assistant("b", "t29", 9, "answered then"),
		user("x", "b", 10, "good"),
		assistant("c", "x", 11, "thanks"),
	);
	const uses = await readUses(path, "prompt");
	expect(uses.map((use) => readUse(path, use).answer)).toEqual(["", "answered instead", "answered then", "thanks"]);
});

/** The uses in a line of JSON, found by parsing it. */
function naive(text: string): string[] {
	return text.split("\n").flatMap((line, index) => {
		try {
			const { type, message } = JSON.parse(index === 0 ? line.replace(/^\uFEFF/, "") : line);
			if (type !== "message") return [];
			const blocks = typeof message.content === "string" ? [] : message.content;
			if (message.role === "user")
				return [
					`prompt ${index + 1} ${blocks
						.map((one: { text: string }) => one.text)
						.join("\n")
						.trim()}`,
				];
			if (message.role === "bashExecution") return [`command ${index + 1} ${message.command.trim()}`];
			if (message.role !== "assistant") return [];
			return blocks
				.filter((one: { name?: string }) => one.name === "bash")
				.map((one: { arguments: { command: string } }) => `command ${index + 1} ${one.arguments.command.trim()}`);
		} catch {
			return [];
		}
	});
}

test("whatever the order of the keys, the length of the lines and the damage: all that parsing each line finds", async () => {
	const said = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== "");
	const step = fc.oneof(
		said.map((text) => user("a", null, 1, text)),
		fc.array(said, { maxLength: 3 }).map((all) =>
			assistant(
				"b",
				"a",
				2,
				"x",
				all.map((text, at) => call(`c${at}`, text)),
			),
		),
		said.map((text) => result("r", "b", 3, "c0", text)),
		said.map((command) => message("p", "r", 4, { role: "bashExecution", command, output: "", exitCode: 0 })),
		said.map((text) => JSON.stringify({ type: "custom", text, role: "user" })),
		said,
	);
	const turned = fc.tuple(step, fc.boolean(), fc.nat(3)).map(([line, turn, pad]) => {
		if (!turn) return line.replaceAll("\n", " ");
		try {
			const value = JSON.parse(line);
			return JSON.stringify({ ...Object.fromEntries(Object.entries(value).reverse()), pad: "p".repeat(pad * 400) });
		} catch {
			return line.replaceAll("\n", " ");
		}
	});
	const dir = tempDir();
	const property = fc.asyncProperty(
		fc.array(turned, { maxLength: 12 }),
		fc.constantFrom("\n", "\r\n"),
		async (all, end) => {
			const path = join(dir, "random.jsonl");
			const text = [header(), ...all].join(end);
			writeFileSync(path, text);
			const uses = [...(await readUses(path, "prompt")), ...(await readUses(path, "command"))];
			const found = uses.map(({ kind, said, line }) => `${kind} ${line} ${said}`);
			expect(found.sort()).toEqual(naive(text).sort());
		},
	);
	await fc.assert(property, { numRuns: caseCount(60), seed: FIRST_SEED });
});
