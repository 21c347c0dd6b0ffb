/** What we know of pi's tools that change files, compared with the tools themselves. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "../../src/edits/apply-edits.ts";
import { knownFiles } from "../../src/edits/files-at.ts";
import { toolPath } from "../../src/store/format/tool-change.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";
import { createTools } from "./pi-tools.ts";

const cwd = tempDirOfFile();
const file = join(cwd, "a.ts");
const tools = createTools(cwd);

interface Outcome {
	readonly content: readonly object[];
	readonly details: unknown;
}

/** What a tool says; undefined where it fails. */
async function call(name: keyof typeof tools, args: object): Promise<Outcome | undefined> {
	try {
		// What the tools take differs; each checks it itself.
		const tool = tools[name] as { execute(id: string, args: object): Promise<Outcome> };
		return await tool.execute("call", args);
	} catch {
		return undefined;
	}
}

/** Pieces of which texts and edits are made: line ends, marks, and what pi takes for the same. */
const piece = fc.constantFrom(
	"a",
	"foo",
	"\n",
	"\n",
	"\r\n",
	"\r",
	"  ",
	"“",
	'"',
	"—",
	"-",
	"\u00a0",
	" ",
	"ﬁ",
	"é",
	"e\u0301",
	"\t",
	"x = 1",
	"}",
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
const content = fc.tuple(fc.boolean(), text).map(([marked, body]) => (marked ? "\uFEFF" : "") + body);
const cut = fc.record({ at: fc.nat(40), length: fc.integer({ min: 1, max: 12 }), plain: fc.boolean(), newText: text });
type Cut = typeof cut extends fc.Arbitrary<infer Value> ? Value : never;

function editsIn(body: string, cuts: readonly Cut[]) {
	return cuts.map(({ at, length, plain, newText }) => {
		const start = at % Math.max(1, body.length);
		const oldText = body.slice(start, start + length);
		return {
			oldText: plain ? oldText.replaceAll("\r\n", "\n").replaceAll("“", '"').replaceAll("—", "-") : oldText,
			newText,
		};
	});
}

test("what pi's edit makes of a file is among what we expect, and where it fails we expect nothing", async () => {
	let succeeded = 0;
	await fc.assert(
		fc.asyncProperty(content, fc.array(cut, { minLength: 1, maxLength: 3 }), async (body, cuts) => {
			const edits = editsIn(body, cuts);
			writeFileSync(file, body);
			const outcome = await call("edit", { path: "a.ts", edits });
			const expected = applyEdits(body, edits);
			if (outcome === undefined) {
				expect(readFileSync(file, "utf8")).toBe(body);
				// Old versions looked for what stands there once as it is.
				if (edits.some(({ oldText }) => oldText === "" || body.split(oldText).length > 2)) expect(expected).toEqual([]);
			} else {
				succeeded++;
				expect(expected).toContain(readFileSync(file, "utf8"));
			}
		}),
		{ numRuns: caseCount(200, 400), seed: FIRST_SEED },
	);
	expect(succeeded).toBeGreaterThan(50);
});

test("a file is rebuilt from what pi's tools say, after every step", async () => {
	const step = fc.record({
		tool: fc.constantFrom("edit" as const, "edit" as const, "edit" as const, "write" as const, "read" as const),
		cuts: fc.array(cut, { minLength: 1, maxLength: 2 }),
		body: content,
	});
	const seen = { exact: 0, likely: 0, unknown: 0 };
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), content, async (steps, first) => {
			const lines: object[] = [{ type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00Z", cwd }];
			let parentId: string | null = null;
			const add = (message: object): string => {
				const id = `e${lines.length}`;
				lines.push({ type: "message", id, parentId, timestamp: "2026-01-01T00:00:00Z", message });
				parentId = id;
				return id;
			};
			const held: (readonly [id: string, text: string])[] = [];
			writeFileSync(file, first);
			for (const { tool, cuts, body } of steps) {
				const range = tool === "edit" ? { edits: editsIn(readFileSync(file, "utf8"), cuts) } : {};
				const args = { path: "a.ts", ...range, ...(tool === "write" && { content: body }) };
				add({ role: "assistant", content: [{ type: "toolCall", id: "call", name: tool, arguments: args }] });
				const outcome = await call(tool, args);
				const { content: said, details } = outcome ?? {
					content: [{ type: "text", text: "It failed." }],
					details: undefined,
				};
				const result = { role: "toolResult", toolCallId: "call", toolName: tool, content: said, details };
				held.push([add({ ...result, isError: outcome === undefined }), readFileSync(file, "utf8")]);
			}
			const path = join(cwd, "session.jsonl");
			writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
			const session = await readSession(path);
			const asked = held.map(([entryId]) => ({ path: file, session, entryId }));
			// The disk, which has the last text, is not asked.
			const options = { home: "/home/x", rows: [], isRemote: true };
			for (const [index, { known }] of (await knownFiles(() => asked, session, options)).entries()) {
				seen[known.answer]++;
				if (known.answer === "exact") expect(known.text).toBe(held[index]?.[1]);
			}
		}),
		{ numRuns: caseCount(100), seed: FIRST_SEED },
	);
	expect(seen.exact).toBeGreaterThan(100);
});

test("paths are resolved as pi resolves them", async () => {
	for (const path of ["@b.ts", "./x/../b.ts", join(cwd, "b.ts"), `file://${join(cwd, "b.ts")}`]) {
		await call("write", { path, content: path });
		expect([path, toolPath(path, cwd, "/home/x")]).toEqual([path, join(cwd, "b.ts")]);
		expect(readFileSync(join(cwd, "b.ts"), "utf8")).toBe(path);
	}
	await call("write", { path: "with\u00a0blank", content: "" });
	expect(existsSync(toolPath("with\u00a0blank", cwd, "/home/x") ?? "")).toBe(true);
});
