import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rowFromJson, rowToJson } from "../../../../src/catalog/index/row-json.ts";
import { saidFirst } from "../../../../src/catalog/model/row.ts";
import { NOT_SCANNED, scanFile } from "../../../../src/catalog/scan/scan-file.ts";
import { shownTitle } from "../../../../src/catalog/search/search.ts";
import { titleHit } from "../../../../src/catalog/search-rows.ts";
import { sessionTitle } from "../../../../src/conversation/entries/session-title.ts";
import { emptyFacts, gatherFacts, listedFields } from "../../../../src/store/read/list-facts.ts";
import { readSessionInfo } from "../../../../src/store/read/list-sessions.ts";
import { assistant, entry, header, lines, message, name, toolResult, user } from "../../../support/session-builder.ts";
import { tempAgentDir } from "../../../support/temp-dir.ts";

/** One line of a session, for its index. */
type Plan = string | ((id: string, parent: string | null, second: number) => string);

const skill = (words: string): string =>
	`<skill name="review" location="/s/review.md">\nReferences are relative to /s.\n\nLook well.\n</skill>${words}`;
const file = (path: string, text: string): string => `<file name="${path}">\n${text}\n</file>\n`;
const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };

const picture =
	(text = ""): Plan =>
	(...at) =>
		message(...at, { role: "user", content: [...(text === "" ? [] : [{ type: "text", text }]), image] });
const answer =
	(text: string): Plan =>
	(...at) =>
		assistant(...at, text);
const calls =
	(...names: readonly string[]): Plan =>
	(...at) =>
		message(...at, {
			role: "assistant",
			content: names.map((tool) => ({ type: "toolCall", id: tool, name: tool, arguments: {} })),
			stopReason: "toolUse",
		});
const failed =
	(errorMessage: string): Plan =>
	(...at) =>
		message(...at, { role: "assistant", content: [], stopReason: "error", errorMessage });
const shell =
	(command: string, excludeFromContext?: boolean): Plan =>
	(...at) =>
		message(...at, { role: "bashExecution", command, output: "clean", exitCode: 0, excludeFromContext });
const extension =
	(content: unknown, display = true): Plan =>
	(...at) =>
		entry("custom_message", ...at, { customType: "cron", content, display });
const summary =
	(text: string): Plan =>
	(...at) =>
		entry("branch_summary", ...at, { fromId: "root", summary: text });
const output: Plan = (...at) => toolResult(...at, "a\nb");
const named: Plan = (...at) => name(...at, "The parser");
const nothing: Plan = (...at) => entry("model_change", ...at, { provider: "anthropic", modelId: "m" });

function sessionOf(plans: readonly Plan[]): string {
	return lines(
		header(),
		...plans.map((plan, index) => {
			const at = [`${index}`, index === 0 ? null : `${index - 1}`, index] as const;
			return typeof plan === "string" ? user(...at, plan) : plan(...at);
		}),
	);
}

const metadata = 'Conversation info (untrusted metadata):\n```json\n{\n  "message_id": "1"\n}\n```\n\n';

test.each<[title: string, ...plans: readonly Plan[]]>([
	// What the person wrote, without what only calls something.
	["Fix the build", "Fix the build", "/model"],
	["Fix the build", "/model", "Fix the build"],
	["Fix the build", "/skill:review ", "/thinking", "  ", "Fix the build", "and the rest"],
	["/skill:review the parser", skill("\n\nthe parser"), "more"],
	["more", skill(""), "more"],
	["/skill:review the parser", "/model", skill("\n\nthe parser")],
	["/skill:review", skill("")],
	["/model", "/model", "/model"],
	["/model is a command", "/model is a command", "later"],
	["/etc/hosts is wrong", "/etc/hosts is wrong", "later"],
	["The parser", "Fix the build", named],
	// Files of the command line.
	["implement it", `${file("/w/n/spec.md", "# Spec")}implement it`],
	["implement it", '<file name="/w/n/spec.md"> # Spec </file> implement it'],
	["both", `${file("/w/a.md", "a")}${file("/w/b.md", "b")}both`],
	["look", `${file("/w/a.html", 'an example:\n<file name="x">\n</file>\nof it')}look`],
	["what is it", picture('<file name="/w/cat.png"></file>\nwhat is it')],
	["@a.md @b.md", `${file("/w/a.md", "a")}${file("/w/b.md", "b")}`, answer("Read.")],
	["now do it", file("/w/a.md", "a"), answer("Read."), "now do it"],
	['<file name="/w/a.md"> never ends', '<file name="/w/a.md">\nnever ends'],
	["what does <file>x</file> mean", "what does <file>x</file> mean"],
	// What other programs put around it.
	["fix it", "<system-reminder>\nBe brief.\n</system-reminder>\n\nfix it"],
	["fix it", "fix it\n<system-reminder>Be brief.</system-reminder>"],
	["fix it", "<environment_context>\n<cwd>/w</cwd>\n</environment_context>", "fix it"],
	["fix it", '<ide_selection file="a.ts">const a</ide_selection>\n<user_query>\nfix it\n</user_query>'],
	["/review the parser", "<command-name>/review</command-name>\n<command-args>the parser</command-args>"],
	["go on", "<command-message>clear</command-message><command-name>/clear</command-name>", "go on"],
	["is it up?", `${metadata}[Mon 2026-02-23 23:41 GMT+8] is it up?\n[message_id: 1f]`],
	["Report.", "[cron:4f1 nightly] Report."],
	["<task>fix it</task>", "<task>fix it</task>"],
	[
		"<environment_context> <cwd>/w</cwd> </environment_context>",
		"<environment_context>\n<cwd>/w</cwd>\n</environment_context>",
	],
	// Where nothing was written.
	["[image] This picture shows a cat", picture(), answer("This picture shows a cat")],
	["what breed is it?", picture(), answer("This picture shows a cat"), "what breed is it?"],
	["[image]", picture(), calls("read"), output],
	["! git status", shell("git status"), answer("It is clean.")],
	["!! env", shell("env", true), answer("Fine.")],
	["Run the nightly report", extension("Run the nightly report"), answer("report done")],
	["Run the report", extension([{ type: "text", text: "Run the report" }]), answer("report done")],
	["done", extension("Only for the model", false), answer("done")],
	["Only for the model", extension("Only for the model", false), calls("bash")],
	["I am here", nothing, answer("I am here")],
	["Tried a parser", summary("Tried a parser"), nothing],
	["[bash, read]", calls("bash", "read"), output],
	["I see", calls("bash"), output, answer("I see")],
	["overloaded", failed("overloaded")],
	["(no text)", output],
	["(no messages)", nothing],
])("a session is titled %j", (title, ...plans) => {
	const { write } = tempAgentDir();
	const text = sessionOf(plans);
	const { row } = scanFile(write("--p--/1.jsonl", Buffer.from(text)));
	expect(sessionTitle(row)).toBe(title);
	expect(sessionTitle(rowFromJson(row.path, rowToJson(row)))).toBe(title);
	// What a search takes as the title in the row, and shows of a session that was found by its conditions.
	if (!title.startsWith("(no ")) {
		const said = (row.name ?? saidFirst(row)).replaceAll(/\s+/g, " ");
		expect([said, shownTitle(row).text.replaceAll(/\s+/g, " ")]).toEqual([title, title]);
		if (row.name === undefined) expect(titleHit(row).snippet.text).toBe(title);
	}
	// Every line parsed gives what few bytes of each gave.
	const facts = emptyFacts();
	for (const line of text.trimEnd().split("\n")) gatherFacts(facts, JSON.parse(line));
	expect(listedFields(facts, 0).prompt).toBe(row.prompt);
	expect(row.firstMessage).toBe(plans.find((plan) => typeof plan === "string") ?? row.firstMessage);
});

test("the first real prompt is found when it is appended; what pi recorded itself stays unchanged", async () => {
	const { write } = tempAgentDir();
	const path = write("--p--/1.jsonl", Buffer.from(sessionOf(["/model"])));
	const first = scanFile(path, NOT_SCANNED);
	expect(sessionTitle(first.row)).toBe("/model");
	appendFileSync(path, `${user("9", "0", 9, "Fix the build")}\n`);
	const grown = scanFile(path, first);
	expect([grown.isWhole, sessionTitle(grown.row)]).toEqual([false, "Fix the build"]);
	const info = await readSessionInfo(path);
	expect([info.firstMessage, info.prompt]).toEqual(["/model", "Fix the build"]);
});

test("a hostile message takes no longer than its length", () => {
	const { write } = tempAgentDir();
	const many = 20_000;
	for (const wrapper of ['<file name="a">', "<user_query></user_query>", "[cron:1]", "\n<file>x</file>", metadata]) {
		const { row } = scanFile(write("--p--/1.jsonl", Buffer.from(sessionOf([wrapper.repeat(many)]))));
		expect(sessionTitle(row)).not.toBe("");
	}
});
