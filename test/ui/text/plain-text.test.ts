import { expect, test } from "vitest";
import { span } from "../../../src/ui/text/line.ts";
import { rowAsWords } from "../../../src/ui/text/plain-text.ts";

const line = (...texts: readonly string[]) => texts.map((text) => span(text));

test.each([
	["columns", line(" ", " ", "Parser", "      ", "api", "  ", "3h", " "), "Parser, api, 3h "],
	["a rule", line("── ", "sessions", " ", "─────", " ", "all", " ─"), "sessions, all"],
	["the lines of a tree", line(" ", "│", " ", "├╌", "read file"), "read file"],
	["a table", line("│ a ", "│ b │"), "a, b"],
	["numbers", line("3 turns · $0.93"), "3 turns, $0.93"],
	["what ends as a sentence", line("Done.", "    ", "3h"), "Done. 3h"],
	["code, which stays as it is indented", line(" ", "    return  x"), "   return  x"],
	["nothing", line("   ", "───"), ""],
])("%s", (_, spans, text) => {
	expect(rowAsWords(spans)).toBe(text);
});

test("what follows is separated from a start", () => {
	expect(rowAsWords(line("sessions", "  "), true)).toBe("sessions, ");
});
