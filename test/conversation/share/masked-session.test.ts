import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { maskedSession } from "../../../src/conversation/share/masked-session.ts";
import { Masker } from "../../../src/conversation/share/masker.ts";
import { shareMarkdown } from "../../../src/conversation/share/share-markdown.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { HeldMessage } from "../../../src/store/held/held-message.ts";
import { readChecked } from "../../../src/store/held/hold-session.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { inLong } from "../../support/cases.ts";
import { changedLines } from "../../support/hostile-session.ts";
import { pageWith, sharedOf } from "../../support/page.ts";
import { assistant, header, toolResult, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

const fixtures = join(import.meta.dirname, "..", "..", "..", "fixtures");

/** A key that is found in every text, and nowhere else. */
function keyOf(number: number): string {
	return `ghp_${String(number).padStart(4, "0")}zQ8xW3vK7rT2yU6nB1mC5dF9gH4jL0pS`;
}

test.each(["conversation.jsonl", "pi-1.5.2.jsonl", "every-entry-type.jsonl"])(
	"whatever is shown of %s, nothing of a key is, in whichever field it stands",
	async (fixture) => {
		let planted = 0;
		const path = join(tempDir(), "planted.jsonl");
		writeFileSync(
			path,
			changedLines(join(fixtures, fixture), (text, name) => (name === "name" ? text : `${text} ${keyOf(planted++)} `)),
		);
		const prepared = sharedOf(await readSession(path));
		const page = await pageWith(prepared);
		const markdown = [...shareMarkdown(prepared)].join("");
		expect(planted).toBeGreaterThan(30);
		expect(page).toContain("<mark>‹key ");
		for (const text of [page, markdown]) expect(text.match(/ghp_\w*|\d{4}zQ8\w*/g)).toBe(null);
		// Each of the entries that has one is named.
		const [keys] = prepared.groups;
		expect(keys?.findings.length).toBeGreaterThan(planted / 2);
	},
);

test("a large session, of which only the bytes are held, is shared as any other", async () => {
	const lines = [header({ cwd: "/home/ada/work" })];
	let parent: string | null = null;
	for (let number = 0; number < inLong(600, 420); number++) {
		const id = (name: string): string => `${name}${String(number).padStart(6, "0")}`;
		const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: `cat /home/ada/${number}` } };
		lines.push(user(id("aa"), parent, number * 3, `Prompt ${number}: ${keyOf(number % 10)}`));
		lines.push(assistant(id("bb"), id("aa"), number * 3 + 1, `Answer **${number}**`, [call]));
		lines.push(toolResult(id("cc"), id("bb"), number * 3 + 2, `out of ada@lovelace.org\n${"line\n".repeat(400)}`));
		parent = id("cc");
	}
	const path = join(tempDir(), "large.jsonl");
	writeFileSync(path, `${lines.join("\n")}\n`);
	const held = await readChecked(path);
	expect(held.entries.every((entry: unknown) => entry instanceof HeldMessage)).toBe(true);
	const [one, other] = [sharedOf(held), sharedOf(await readSession(path))];
	expect(one.groups.map(({ words }) => words)).toEqual(["10 keys", "1 mail address", "1 home directory"]);
	expect(await pageWith(one)).toBe(await pageWith(other));
	expect([...shareMarkdown(one)].join("")).toBe([...shareMarkdown(other)].join(""));
});

test("what is nested too deeply to be looked through is left out", async () => {
	const deep = `${'{"a":'.repeat(5000)}"${keyOf(1)}"${"}".repeat(5000)}`;
	const entry = `{"type":"custom","id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","customType":"x","data":${deep}}`;
	const path = join(tempDir(), "deep.jsonl");
	writeFileSync(path, `${header()}\n${entry}\n`);
	const page = await pageWith(sharedOf(await readSession(path)));
	expect(page).toContain("‹left out: nested too deep to be searched›");
	expect(page).not.toContain("ghp_");
});

test("entries in which nothing is found are looked through once, unless a value is known that may stand in them", async () => {
	let deep: unknown = "deep";
	for (let depth = 0; depth < 300; depth++) deep = [deep];
	const call = { type: "toolCall", id: "c1", name: "bash", arguments: { deep } };
	const lines = [
		header(),
		user("a", null, 1, "one"),
		user("b", "a", 2, "in /home/ada/work"),
		assistant("c", "b", 3, "", [call]),
	];
	const masked = async (...more: string[]): Promise<readonly boolean[]> => {
		const path = join(tempDir(), "nothing.jsonl");
		writeFileSync(path, `${[...lines, ...more].join("\n")}\n`);
		const session = await readSession(path);
		const { entries } = runToEnd(maskedSession(session, new Masker({ allowed: new Set(), homes: [] })));
		expect(JSON.stringify(entries[2])).toContain("too deep");
		expect(JSON.stringify(entries[1])).not.toContain("ada");
		return entries.map((entry, index) => entry === session.entries[index]);
	};
	expect(await masked()).toEqual([true, false, false]);
	expect(await masked(user("d", "c", 4, keyOf(1)))).toEqual([false, false, false, false]);
});
