import { expect, test } from "vitest";
import { shortIds } from "../../src/cli/print/table.ts";

test("ids are as long as they have to be to tell sessions of the same millisecond apart", () => {
	const one = "0197cccc-0000-7000-8000-000000000010";
	const other = "0197cccc-0000-7000-8abc-000000000011";
	expect(shortIds([one])(one)).toBe("0197cccc-0000");
	expect(shortIds([one, one, "0198"])(one)).toBe("0197cccc-0000");
	const shortened = shortIds([other, "0198", one]);
	expect([shortened(one), shortened(other), shortened("0198")]).toEqual([
		"0197cccc-0000-7000-80",
		"0197cccc-0000-7000-8a",
		"0198",
	]);
	expect(shortIds([])("")).toBe("-");
});
