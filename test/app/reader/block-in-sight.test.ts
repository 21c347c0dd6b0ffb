import { expect, test } from "vitest";
import { blockInSight, fencedCode } from "../../../src/app/reader/block-in-sight.ts";
import { firstRow, forward } from "../../../src/app/reader/walk.ts";
import { loadRenderers } from "../../../src/app/render/renderers.ts";
import { readingOf } from "../../support/reader.ts";
import { assistant, sessionOf, toolResult, user } from "../../support/session-builder.ts";

const OUTPUT = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
const ANSWER = "First:\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\nThen:\n\n~~~\nplain\n~~~\n";

/** What is copied when the row with this number is at the top of three rows. */
async function copied(row: number): Promise<unknown> {
	const session = await sessionOf(
		user("u", null, 1, "Why?"),
		assistant("a", "u", 2, ANSWER),
		toolResult("r", "a", 3, OUTPUT),
	);
	const document = readingOf(session, { renderers: await loadRenderers() });
	const first = firstRow(document);
	const top = first && forward(document, first, row);
	return top && blockInSight({ document, top, height: 3 });
}

test("the first code block in sight is copied as it was written, else what stands at the top", async () => {
	const block = (text: string): unknown => ({ text, what: "the block" });
	const code = (text: string): unknown => ({ text, what: "the code block" });
	expect(await copied(0)).toEqual(block("Why?"));
	// The prompt, a blank row, the title of the answer, a blank row, "First:", a blank row, the code.
	const all = await Promise.all(Array.from({ length: 16 }, (_, row) => copied(row)));
	const found = all.filter((one, index) => JSON.stringify(one) !== JSON.stringify(all[index - 1]));
	expect(found).toEqual([
		block("Why?"),
		block(ANSWER),
		code("const a = 1;\n\nconst b = 2;"),
		block(ANSWER),
		code("plain"),
		block(ANSWER),
		block(OUTPUT),
	]);
});

test("fences are closed by their own kind, at least as long, and by the end", () => {
	expect(fencedCode("````md\n```ts\na\n```\n````\ntext\n~~~\nb\n")).toEqual(["```ts\na\n```", "b\n"]);
	expect(fencedCode("no code")).toEqual([]);
});
