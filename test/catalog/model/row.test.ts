import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isSession, whyNotASession } from "../../../src/catalog/model/row.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { loadFile } from "../../../src/store/read/load-file.ts";
import { copyOfFixture, fixtureDir } from "../../support/fixture.ts";

const names = readdirSync(fixtureDir)
	.filter((name) => name.endsWith(".jsonl"))
	.map((name) => name.replace(/\.jsonl$/, ""));

/** Whether the file can be opened for changes, which follows pi's rule. */
function opens(path: string): boolean {
	try {
		return loadFile(path) !== undefined;
	} catch {
		return false;
	}
}

describe("a row tells whether pi would open its file", () => {
	test.each(names)("%s", (name) => {
		const path = copyOfFixture(name);
		const { row } = scanFile(path);
		expect(isSession(row)).toBe(opens(path));
		if (!isSession(row)) expect(whyNotASession(row)).toMatch(/\.$/);
	});

	test("a file that is not there", () => {
		expect(whyNotASession(scanFile("/no/such/session.jsonl").row)).toContain("/no/such/session.jsonl");
	});
});
