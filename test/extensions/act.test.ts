import { chmodSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { isSameFile, whyNotOpened } from "../../extensions/act.ts";
import { header } from "../support/session-builder.ts";
import { tempDir } from "../support/temp-dir.ts";

const file = (content: string | Buffer): string => {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, content);
	return path;
};

const HEADER = `${header()}\n`;
const NO_HEADER = "it does not begin with the header of a session";

test.each<[string, string | Buffer, string | undefined]>([
	["a header", HEADER, undefined],
	["a header without an end of line", header(), undefined],
	["blank and torn lines before it", `\n{"type":\n  \n0\nnull\n${HEADER}`, undefined],
	["a header longer than what is read at once", `${header({ note: "é".repeat(70_000) })}\n`, undefined],
	["nothing", "", "it is empty"],
	["only blank lines", "\n\n", NO_HEADER],
	["a text", "This is no session.\n", NO_HEADER],
	["an entry before the header", `{"type":"message","id":"1"}\n${HEADER}`, NO_HEADER],
	["a number before the header", `7\n${HEADER}`, NO_HEADER],
	["a header whose id is no text", '{"type":"session","id":7}\n', NO_HEADER],
	// pi does not read such a line.
	["a byte order mark", `\uFEFF${HEADER}`, NO_HEADER],
])("pi can open what it takes for a session: %s", (_, content, reason) => {
	expect(whyNotOpened(file(content))).toBe(reason);
});

test("a file that does not exist, is not regular, or may not be written has a reason", () => {
	const folder = tempDir();
	expect(whyNotOpened(join(folder, "gone.jsonl"))).toBe("it no longer exists");
	mkdirSync(join(folder, "folder.jsonl"));
	expect(whyNotOpened(join(folder, "folder.jsonl"))).toBe("it is not a regular file");
});

test.runIf(process.getuid?.() !== 0)("pi writes to what it opens", () => {
	const path = file(HEADER);
	chmodSync(path, 0o444);
	expect(whyNotOpened(path)).toBe("pi may not read and write it");
});

test("the fixtures that pi refuses are the ones that it must not be given", () => {
	const refused = globSync(join(import.meta.dirname, "../../fixtures/*.jsonl")).filter(whyNotOpened);
	expect(refused.map((path) => basename(path, ".jsonl")).sort()).toMatchInlineSnapshot(`
		[
		  "blank-lines",
		  "bom",
		  "empty",
		  "header-late",
		  "header-without-id",
		  "not-a-session",
		  "text-file",
		]
	`);
});

test("a file is the same under another name", () => {
	const path = file(HEADER);
	expect(isSameFile(path, join(path, "../session.jsonl"))).toBe(true);
	expect(isSameFile(path, file(HEADER))).toBe(false);
	expect(isSameFile("/gone", "/gone")).toBe(true);
});
