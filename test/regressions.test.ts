import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

test("docs/regressions.md names tests that exist", () => {
	const page = readFileSync(join(root, "docs/regressions.md"), "utf8");
	const rows = [...page.matchAll(/`(test\/[\w/.-]+\.tsx?)`: ([^|]+?) \|$/gm)];
	expect(rows.length).toBeGreaterThan(80);
	const missing = rows.filter(([, file = "", name = ""]) => !readFileSync(join(root, file), "utf8").includes(name));
	expect(missing.map(([row]) => row)).toEqual([]);
});
