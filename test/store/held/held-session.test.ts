import { appendFileSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { entryFacts } from "../../../src/conversation/entries/entry-facts.ts";
import { callOf } from "../../../src/conversation/entries/tool-call.ts";
import { printJson } from "../../../src/shared/json.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { checkHeldSteps, HeldMessage, isUnchecked } from "../../../src/store/held/held-message.ts";
import { holdSession } from "../../../src/store/held/hold-session.ts";
import { extendSession, readSession, type Session } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { mutateSession, seededRandom } from "../../support/mutate-session.ts";
import { randomSession } from "../../support/random-session.ts";
import { entry, header, label, message } from "../../support/session-builder.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = tempDirOfFile();
let count = 0;

function written(text: string | Buffer): string {
	const path = join(folder, `${count++}.jsonl`);
	writeFileSync(path, text);
	return path;
}

const hold = (path: string): Promise<Session | undefined> => holdSession(path, { minBytes: 0 });

const text = fc.oneof(
	fc.string({ maxLength: 40 }),
	fc.string({ unit: "grapheme", maxLength: 40 }),
	fc.constantFrom(
		"",
		" ",
		"\n\nAfter blanks",
		"\u00a0",
		'{"type":"text","text":"x"}',
		'"usage":{"cost":{"total":9}},"stopReason":"stop","timestamp":1}}',
		'"isError":true,"timestamp":1}}',
		"x".repeat(700),
	),
);
const block = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ type: fc.constant("text"), text }) },
	{ weight: 2, arbitrary: fc.record({ type: fc.constant("thinking"), thinking: text }) },
	{
		weight: 3,
		arbitrary: fc.record({
			type: fc.constant("toolCall"),
			id: fc.constantFrom("c1", "c2", "c3"),
			name: fc.constant("bash"),
			arguments: fc.oneof(
				fc.record({ command: fc.oneof(text, fc.constant("grep x y")) }),
				fc.jsonValue({ maxDepth: 2 }).map((value) => ({ value })),
			),
		}),
	},
	{ weight: 1, arbitrary: fc.constant({ type: "image", data: "AAAA", mimeType: "image/png" }) },
	{ weight: 1, arbitrary: fc.constant({ type: "text" }) },
);
/** Results of calls that found nothing, were stopped, or never ran. */
const ENDS = ["Command exited with code 1", "Command aborted", "Operation aborted"].map((said) => [
	{ type: "text", text: said },
]);
const usage = fc
	.record({
		total: fc.oneof(fc.double({ min: 0, max: 5, noNaN: true }), fc.constantFrom(0, 1e-9, -1)),
		more: fc.boolean(),
	})
	.map(({ total, more }) => ({
		input: 1,
		output: 2,
		cacheRead: 3,
		cacheWrite: 4,
		...(more ? { totalTokens: 10 } : {}),
		cost: { input: 0.1, output: 0.2, cacheRead: 0, cacheWrite: 0, total, ...(more ? { totalFromProvider: true } : {}) },
		...(more ? { reasoning: 7 } : {}),
	}));
const answerEnd = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom<object>({}, { responseId: 'r\\"1' }, { durationMs: 12.5, endTurn: true }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom<object>({ errorMessage: "no" }, { diagnostics: [] }, { deferred: { a: 1 } }),
	},
);
/** Messages in pi's own form: role and content first, then usage, then how they ended. */
const messages = fc.oneof(
	{
		weight: 2,
		arbitrary: fc.record({ role: fc.constant("user"), content: fc.oneof(text, fc.array(block, { maxLength: 2 })) }),
	},
	{
		weight: 4,
		arbitrary: fc
			.record({
				content: fc.array(block, { maxLength: 3 }),
				usage,
				stopReason: fc.constantFrom("stop", "toolUse", "toolUse", "aborted", "error", "length"),
				more: answerEnd,
			})
			.map(({ content, usage: spent, stopReason, more }) => ({
				role: "assistant",
				content,
				...{ api: "a", provider: "p", model: "m", usage: spent, stopReason, timestamp: 1, ...more },
			})),
	},
	{
		weight: 4,
		arbitrary: fc
			.record({
				content: fc.oneof(fc.array(block, { maxLength: 2 }), fc.constantFrom(...ENDS)),
				more: fc.constantFrom<object>({}, { details: { diff: "x" } }, { usage: { input: 1, cost: { total: 2 } } }),
				isError: fc.boolean(),
				end: fc.constantFrom<object>({}, { durationMs: 4 }),
			})
			.map(({ content, more, isError, end }) => ({
				role: "toolResult",
				...{ toolCallId: "c1", toolName: "bash", content, ...more, isError, ...end },
			})),
	},
	{
		weight: 1,
		arbitrary: fc.record({ role: fc.constant("bashExecution"), command: text, output: text, exitCode: fc.nat(2) }),
	},
);

/** A whole session, in which each entry follows one of the few before it. */
const session = fc
	.array(fc.record({ said: fc.option(messages, { freq: 8 }), back: fc.nat({ max: 3 }) }), {
		minLength: 1,
		maxLength: 14,
	})
	.map((parts) => {
		const ids = parts.map((_, index) => (index + 16).toString(16).padStart(8, "0"));
		const lines = parts.map(({ said, back }, index) => {
			const id = ids[index] ?? "";
			const parentId = ids[index - 1 - (back > 1 ? 0 : back)] ?? null;
			return said === null ? label(id, parentId, index, ids[0] ?? "", "mark") : message(id, parentId, index, said);
		});
		return `${[header(), ...lines].join("\n")}\n`;
	});

/** A whole session, with held messages parsed, as text: a value may be too deep to be compared. */
function told(one: Session): string {
	const { tree } = one;
	const ids = one.entries.map(({ id }) => id);
	return printJson({
		...{ header: one.header, version: one.version, size: one.size, diagnostics: one.diagnostics },
		entries: one.entries.map((each) => (each instanceof HeldMessage ? each.toJSON() : each)),
		lines: [...one.lines],
		roots: tree.roots.map(({ id }) => id),
		children: ids.map((id) => tree.children.get(id)?.map((child) => child.id)),
		parents: [...tree.parentOf].sort(),
		byId: ids.map((id) => tree.byId.get(id)?.id),
		...{ labels: [...tree.labels], leafId: tree.leafId, name: tree.name },
		facts: one.entries.map((each) => entryFacts(each, one)),
		calls: one.entries.map((each) => callOf(each, one)),
	});
}

describe("a held session equals the one that is read", () => {
	test("in pi's own form: every user message, and most of the others, are held", async () => {
		let [held, all] = [0, 0];
		await fc.assert(
			fc.asyncProperty(session, async (lines) => {
				const path = written(lines);
				const one = await hold(path);
				const whole = await readSession(path);
				if (one === undefined) {
					expect(whole.diagnostics).not.toEqual([]);
					return;
				}
				for (const each of one.entries) if (each instanceof HeldMessage) held++;
				all += one.entries.length;
				if (!runToEnd(checkHeldSteps(one))) return;
				expect(isUnchecked(one)).toBe(false);
				expect(told(one)).toBe(told(whole));
			}),
			{ numRuns: caseCount(25, 300), seed: FIRST_SEED },
		);
		expect(held / all).toBeGreaterThan(0.5);
	});

	test("whatever a file contains: an odd message is never held as a sound one", async () => {
		const random = fc.oneof(
			randomSession,
			fc
				.record({ session, seed: fc.nat() })
				.map((made) => Buffer.from(mutateSession(made.session, seededRandom(made.seed)))),
			fc.record({ session, at: fc.nat(), byte: fc.nat({ max: 255 }) }).map((made) => {
				const bytes = Buffer.from(made.session);
				bytes[made.at % bytes.length] = made.byte;
				return bytes;
			}),
			fc
				.record({ session, at: fc.nat() })
				.map((made) => Buffer.from(made.session).subarray(0, made.at % made.session.length)),
		);
		await fc.assert(
			fc.asyncProperty(random, async (bytes) => {
				const path = written(bytes);
				const one = await hold(path);
				// Whatever it is, it can be accessed before it is checked.
				if (one !== undefined) told(one);
				if (one === undefined || !runToEnd(checkHeldSteps(one))) return;
				expect(told(one)).toBe(told(await readSession(path)));
			}),
			{ numRuns: caseCount(40, 600), seed: FIRST_SEED },
		);
	});

	test("and grows like that one", async () => {
		await fc.assert(
			fc.asyncProperty(session, fc.nat(), async (lines, cut) => {
				const all = lines.split("\n").slice(0, -1);
				const at = 1 + (cut % all.length);
				const path = written(`${all.slice(0, at).join("\n")}\n`);
				const one = await hold(path);
				appendFileSync(
					path,
					all
						.slice(at)
						.map((line) => `${line}\n`)
						.join(""),
				);
				const grown = one && (await extendSession(one));
				if (grown === undefined || !runToEnd(checkHeldSteps(grown))) return;
				expect(told(grown)).toBe(told(await readSession(path)));
			}),
			{ numRuns: caseCount(20, 150), seed: FIRST_SEED },
		);
	});
});

describe("a large session", () => {
	const said = (at: number, content: string): string =>
		message(`e${at}`, at === 0 ? null : `e${at - 1}`, at, { role: "user", content });
	const large = (more: string): string => {
		const lines = Array.from({ length: 90 }, (_, at) => said(at, "é".repeat(50_000 + 700 * at)));
		return written(`${[header(), ...lines, said(90, more), said(91, "the end")].join("\n")}\n`);
	};

	test("equals the one that is read, wherever its parts end", async () => {
		const path = large("long ".repeat(1_100_000));
		const one = (await holdSession(path)) ?? expect.fail("it is not held");
		expect(one.entries.filter((each) => each instanceof HeldMessage)).toHaveLength(92);
		expect(runToEnd(checkHeldSteps(one))).toBe(true);
		expect(told(one)).toBe(told(await readSession(path)));
	});

	test("takes no more memory than a part of it", async () => {
		const path = large("the last but one");
		const asked = vi.spyOn(Buffer, "allocUnsafeSlow");
		const one = (await holdSession(path)) ?? expect.fail("it is not held");
		const sizes = asked.mock.calls.map(([size]) => size);
		asked.mockRestore();
		expect(one.size).toBeGreaterThan(12_000_000);
		expect(Math.max(...sizes)).toBeLessThan(one.size / 2);
	});

	test("has no text, and is read again, if another file has taken its place", async () => {
		const path = large("the last but one");
		const one = (await holdSession(path)) ?? expect.fail("it is not held");
		renameSync(large("another one"), path);
		expect(told(one)).not.toContain("the end");
		expect(runToEnd(checkHeldSteps(one))).toBe(false);
	});
});

const answer = {
	role: "assistant",
	content: [{ type: "toolCall", id: "far", name: "bash", arguments: { command: "ls" } }],
};
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 };
const ended = { api: "a", provider: "p", model: "m", usage: { input: 1, cost }, stopReason: "toolUse" };
const result = { role: "toolResult", toolCallId: "far", toolName: "bash", content: [], isError: true };

test("facts come from the first and last bytes, and the call of a distant result from its line", async () => {
	const one = await hold(
		written(
			`${[
				header(),
				message("a", null, 1, { role: "user", content: "one" }),
				message("b", "a", 2, { ...answer, ...ended }),
				message("c", "a", 3, result),
			].join("\n")}\n`,
		),
	);
	expect(one?.entries.map((each) => each instanceof HeldMessage)).toEqual([true, true, true]);
	expect(one?.entries.map((each) => entryFacts(each, one))).toEqual([
		{ kind: "prompt", end: "ok", cost: 0 },
		{ kind: "calls", end: "ok", cost: 0.5 },
		{ kind: "result", end: "failed", cost: 0 },
	]);
	expect(one?.entries.map((each) => one && callOf(each, one)?.args).at(-1)).toEqual({ command: "ls" });
	expect(one && isUnchecked(one)).toBe(true);
});

test.each<[name: string, from: string, to: string]>([
	["damage in the middle of a line", "one", 'o"ne'],
	["a control character", "one", "o\u0001ne"],
	["a field twice", "1767225601000}}", '1767225601000,"role":"assistant"}}'],
	["a field of the entry that is none of pi's", "1767225601000}}", '1767225601000},"message":{"a":1,"timestamp":1}}'],
])("%s is found when all lines are parsed", async (_name, from, to) => {
	const line = message("a", null, 1, { role: "user", content: "one" });
	const one = await hold(written(`${header()}\n${line.replace(from, to)}\n`));
	expect(one?.entries[0]).toBeInstanceOf(HeldMessage);
	expect(one && runToEnd(checkHeldSteps(one))).toBe(false);
});

test("a message whose fields are not in pi's order is parsed at once", async () => {
	const line = message("a", null, 1, { role: "user", content: "one" });
	const one = await hold(written(`${header()}\n${line.replace('"message":', '"more":1,"message":')}\n`));
	expect(one?.entries[0]).not.toBeInstanceOf(HeldMessage);
	expect(one?.entries[0]).toMatchObject({ more: 1 });
});

test("a small session, an old one, one without a header, and one that is cut off are not held", async () => {
	const line = message("a", null, 1, { role: "user", content: "one" });
	expect(await holdSession(written(`${header()}\n${line}\n`))).toBeUndefined();
	expect(await hold(written(`${header({ version: 2 })}\n${line}\n`))).toBeUndefined();
	expect(await hold(written(`${line}\n`))).toBeUndefined();
	expect(await hold(written(`${header()}\n${line}`))).toBeUndefined();
	expect(await hold(written(`${header()}\n${line}\n${line}\n`))).toBeUndefined();
	expect(
		await hold(written(`${header()}\n${entry("label", "b", "gone", 2, { targetId: "a", label: "x" })}\n`)),
	).toBeUndefined();
	await expect(hold(join(folder, "gone.jsonl"))).rejects.toThrow("gone.jsonl");
	expect(existsSync(join(folder, "gone.jsonl"))).toBe(false);
});
