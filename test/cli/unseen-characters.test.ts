import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonText } from "../../src/cli/print/json.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

/** What is not seen, or seen differently by everybody, by Unicode's properties. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}\u007f-\u009f\u2028\u2029]/u;

test("JSON escapes every character that is not seen, and is read as what was there", () => {
	for (let from = 0; from <= 0x10ffff; from += 0x100) {
		const points = Array.from({ length: 0x100 }, (_, index) => from + index);
		const text = String.fromCodePoint(...points.filter((point) => point < 0xd800 || point > 0xdfff));
		const printed = jsonText(text);
		expect(JSON.parse(printed)).toBe(text);
		expect(printed.slice(0, -1)).not.toMatch(UNSEEN);
	}
	expect(jsonText("é 日本語 👍 a\u200bb\u{f0000}")).toBe('"é 日本語 👍 a\\u200bb\\udb80\\udc00"\n');
});

const STORED = "ze\u200bro\u200d wi\u2060dth\ufeff, private \ue000\uf8ff\u{f0000}\u{10fffd}, tag \u{e0041}";

test.each([
	[["list"]],
	[["list", "--json"]],
	[["show", "session-0001"]],
	[["show", "session-0001", "--tree"]],
	[["show", "session-0001", "--json"]],
	[["search", "private"]],
	[["search", "private", "--json"]],
	[["prompts"]],
	[["prompts", "--json"]],
	[["standup"]],
	[["standup", "--json"]],
])("%s prints no character that is not seen", (args) => {
	sandbox.session({ project: "work/api", age: 1, name: STORED, messages: [{ role: "user", text: STORED }] });
	const { code, out, err } = run(sandbox, args);
	expect({ code, text: (out + err).match(UNSEEN) }).toEqual({ code: 0, text: null });
	if (args.some((each) => each === "--json")) expect(JSON.stringify(JSON.parse(out))).toContain(STORED);
	else expect(out).toContain("private \ufffd\ufffd\ufffd\ufffd");
});

/** What reorders text, or hides in it; what joins emoji and letters stays in what is read by other programs too. */
const MISLEADING = /[[\p{Cf}\u2028\u2029]--[\u200c\u200d]]/v;

test("Markdown that is printed or exported holds nothing that reorders text or hides in it", () => {
	const text = "a \u202egnp.exe\u202c \u2066b\u2069 \u200bc\ufeff \u{e0041}\u{e0042} d\u2028e 👨\u200d👩";
	sandbox.session({ project: "work/api", age: 1, name: text, messages: [{ role: "user", text }] });
	const printed = run(sandbox, ["show", "session-0001", "--markdown"]);
	expect(run(sandbox, ["export", "session-0001", "--out", "page.md"]).code).toBe(0);
	for (const markdown of [printed.out, readFileSync(join(sandbox.home, "page.md"), "utf8")]) {
		expect(markdown).toContain("a gnp.exe b c  d e 👨\u200d👩");
		expect(markdown).not.toMatch(MISLEADING);
	}
});

const JOINED = "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937 re\u00adtry";

test("the title of a session has all its characters in JSON, and its joiners in the heading of an export", () => {
	sandbox.session({ project: "work/api", age: 1, name: `${JOINED}\n on`, messages: [{ role: "user", text: "retry" }] });
	for (const args of [["list"], ["search", "retry"], ["show", "session-0001", "--markdown", "--max-chars", "900"]]) {
		const told: unknown = JSON.parse(run(sandbox, [...args, "--json"]).out);
		expect([told].flat()).toMatchObject([{ title: `${JOINED} on` }]);
	}
	const heading = `${JOINED.replace("\u00ad", "")} on`;
	for (const [file, found] of [
		["page.md", `# ${heading}\n`],
		["page.html", `<h1>${heading}</h1>`],
	] as const) {
		expect(run(sandbox, ["export", "session-0001", "--out", file]).code).toBe(0);
		expect(readFileSync(join(sandbox.home, file), "utf8")).toContain(found);
	}
	// What is drawn has only what is seen.
	expect(run(sandbox, ["list"]).out).toContain(JOINED.replaceAll(/\u200c|\u200d|\u00ad/g, ""));
});
