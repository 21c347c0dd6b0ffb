import { expect, test } from "vitest";
import { findAll } from "../../../src/catalog/search-all.ts";
import { placeOf } from "../../../src/conversation/entries/place.ts";
import { describeRow } from "../../../src/conversation/entries/row.ts";
import { conversationMarkdown } from "../../../src/conversation/markdown/markdown.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { queryOf } from "../../support/follow-search.ts";
import { pageOf } from "../../support/page.ts";
import { readingOf, rowsOfEntry } from "../../support/reader.ts";
import { assistant, header, lines, message, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** What pi 1.6.0 notes beside messages: an image for a model without vision, reasoning that two providers dropped. */
function noted() {
	const folder = tempAgentDir();
	const withDiagnostics = (line: string, ...diagnostics: readonly object[]): string => {
		const { message: answer, ...entry } = JSON.parse(line);
		return JSON.stringify({ ...entry, message: { ...answer, diagnostics } });
	};
	const diagnostic = (type: string, ...transformations: readonly unknown[]) => ({ type, details: { transformations } });
	const path = folder.write(
		"--p--/noted.jsonl",
		lines(
			header({ id: "noted", cwd: "/p" }),
			user("u1", null, 1, "look at shot.png"),
			assistant("a1", "u1", 2, "", [{ type: "toolCall", id: "c1", name: "read", arguments: { path: "shot.png" } }]),
			message("r1", "a1", 3, {
				role: "toolResult",
				toolCallId: "c1",
				toolName: "read",
				content: [{ type: "text", text: "Read image file [image/png]" }],
				details: { imageUnsupportedByModel: "gpt-oss-120b" },
				isError: false,
			}),
			withDiagnostics(
				assistant("a2", "r1", 4, "I cannot see it"),
				diagnostic(
					"openai_input_transformations",
					{ type: "reasoning", id: "rs_1", action: "removed", reason: "prefix_mismatch" },
					{ type: "reasoning", id: "rs_2", action: "removed", reason: "prefix_mismatch" },
					{ type: "message", id: "m_1", action: "kept" },
					7,
				),
				diagnostic("anthropic_input_transformations", {
					type: "thinking_dropped",
					path: "x",
					reason: "stale_signature",
				}),
				diagnostic("provider_error", { type: "reasoning", reason: "elsewhere" }),
			),
		),
	);
	return { folder, path };
}

const IMAGE = "gpt-oss-120b does not support images: it saw a placeholder";
const OPENAI = "OpenAI dropped 2 reasoning items from this request: prefix_mismatch";
const ANTHROPIC = "Anthropic dropped 1 thinking block from this request: stale_signature";

test("what the model did not get is in the tree, the reader, the page and the Markdown", async () => {
	const { path } = noted();
	const session = await readSession(path);
	const place = placeOf(session, "/home/me");
	const outcomes = session.entries.map((entry) => describeRow(entry, session, place).outcome.map(({ text }) => text));
	expect(outcomes.slice(2)).toEqual([["image not seen"], ["reasoning dropped", "reasoning dropped"]]);
	const rows = session.entries.flatMap((_, index) => rowsOfEntry(readingOf(session, {}), index));
	const page = await pageOf(path);
	const markdown = [...conversationMarkdown(session.entries, session, place)].join("");
	for (const said of [IMAGE, OPENAI, ANTHROPIC]) {
		expect(rows.filter((row) => row.trim() === said)).toHaveLength(1);
		expect(page).toContain(`>${said}</p>`);
		expect(markdown).toContain(`*${said}*`);
	}
	expect(page).not.toContain("elsewhere");
});

test.each([
	["gpt-oss", "r1"],
	["tool:read in:output gpt-oss", "r1"],
	["prefix_mismatch", "a2"],
	["in:thinking stale_signature", "a2"],
	["thinking_dropped", "a2"],
])("it is found at its entry: %s", async (text, entryId) => {
	const { folder } = noted();
	const { results } = await findAll(queryOf(text), { env: folder.env, cacheDir: folder.cache });
	expect(results.map(({ best, count }) => [best.entryId, count])).toEqual([[entryId, 1]]);
});
