import { expect, test } from "vitest";
import { shortIds } from "../../src/cli/print/table.ts";

test("an id is as long as it has to be to be told from all others, and no longer because two others are alike", () => {
	const one = "0197cccc-0000-7000-8000-000000000010";
	const other = "0197cccc-0000-7000-8abc-000000000011";
	expect(shortIds([one])(one)).toBe("0197cccc");
	const later = "0198dddd-0000-7000-8000-000000000012";
	const shortened = shortIds([other, later, one, one, "0198"]);
	expect([one, other, later, "0198", ""].map(shortened)).toEqual([
		"0197cccc-0000-7000-80",
		"0197cccc-0000-7000-8a",
		"0198dddd",
		"0198",
		"-",
	]);
	expect(shortIds([])("")).toBe("-");
});
