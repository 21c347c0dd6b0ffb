import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rowFromJson, rowToJson } from "../../../../src/catalog/index/row-json.ts";
import { NOT_SCANNED, scanFile } from "../../../../src/catalog/scan/scan-file.ts";
import { sessionTitle } from "../../../../src/conversation/entries/session-title.ts";
import { readSessionInfo } from "../../../../src/store/read/list-sessions.ts";
import { header, lines, user } from "../../../support/session-builder.ts";
import { tempAgentDir } from "../../../support/temp-dir.ts";

const skill = (words: string): string =>
	`<skill name="review" location="/s/review.md">\nReferences are relative to /s.\n\nLook well.\n</skill>${words}`;

const said = (...texts: readonly string[]): Buffer =>
	Buffer.from(
		lines(header(), ...texts.map((text, index) => user(`${index}`, index === 0 ? null : `${index - 1}`, index, text))),
	);

test.each<[title: string, ...texts: readonly string[]]>([
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
])("a session is titled %j", (title, ...texts) => {
	const { write } = tempAgentDir();
	const { row } = scanFile(write("--p--/1.jsonl", said(...texts)));
	expect(sessionTitle(row)).toBe(title);
	expect(sessionTitle(rowFromJson(row.path, rowToJson(row)))).toBe(title);
	expect(row.firstMessage).toBe(texts[0]);
});

test("the first real prompt is found when it is appended; what pi recorded itself stays unchanged", async () => {
	const { write } = tempAgentDir();
	const path = write("--p--/1.jsonl", said("/model"));
	const first = scanFile(path, NOT_SCANNED);
	expect(sessionTitle(first.row)).toBe("/model");
	appendFileSync(path, `${user("9", "0", 9, "Fix the build")}\n`);
	const grown = scanFile(path, first);
	expect([grown.isWhole, sessionTitle(grown.row)]).toEqual([false, "Fix the build"]);
	const info = await readSessionInfo(path);
	expect([info.firstMessage, "prompt" in info]).toEqual(["/model", false]);
});
