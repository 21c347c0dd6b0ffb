import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Masker } from "../../../src/conversation/share/masker.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { sharedOf } from "../../support/page.ts";
import { realSession } from "../../support/real-session.ts";

const packages = join(import.meta.dirname, "..", "..", "..", "node_modules");
/** Mail addresses, home directories and their users stand in comments, and are what they are. */
const OTHERS = new Set(["mail", "home", "user"]);
/** Rules for secrets and tests show some. */
const SHOWS_SECRETS = /secretlint|[\\/](?:test|tests|__tests__|fixtures)[\\/]|\.test\./;

test("in source code nothing is taken for a secret", () => {
	const files = globSync("**/*.{ts,js,mjs,cjs,mts,cts}", { cwd: packages })
		.filter((path) => !SHOWS_SECRETS.test(path))
		.map((path) => join(packages, path))
		.filter((path) => statSync(path).isFile())
		.toSorted();
	const masker = new Masker({ allowed: new Set(), homes: [] });
	const most = caseCount(300_000, 2_000_000);
	let size = 0;
	// From all over: the files of one package are alike.
	const stride = 97;
	for (let at = 0; at < files.length && size < most; at++) {
		const path = files[(at * stride + FIRST_SEED) % files.length] ?? "";
		if (statSync(path).size > most / 2) continue;
		const text = readFileSync(path, "utf8");
		size += text.length;
		masker.learn(text, path);
	}
	const found = [...masker.findings].filter(({ kind }) => !OTHERS.has(kind));
	expect(found.map(({ kind, text, places }) => `${kind} ${text.slice(0, 100)} in ${[...places][0]}`)).toEqual([]);
	expect(size).toBeGreaterThan(0.75 * most);
}, 120_000);

test.skipIf(realSession === undefined)("nor in what somebody really said and did", async () => {
	const { groups } = sharedOf(await readSession(realSession ?? ""));
	expect(groups.map(({ kind }) => kind).filter((kind) => !OTHERS.has(kind))).toEqual([]);
});
