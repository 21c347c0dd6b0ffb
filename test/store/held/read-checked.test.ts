import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HeldMessage, isUnchecked } from "../../../src/store/held/held-message.ts";
import { readChecked } from "../../../src/store/held/hold-session.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A session of more than a megabyte. */
function large(): string {
	const path = join(tempDir(), "large.jsonl");
	const said = Array.from({ length: 600 }, (_, index) =>
		assistant(`a${index}`, index === 0 ? "u1" : `a${index - 1}`, index, "word ".repeat(500)),
	);
	writeFileSync(path, lines(header(), user("u1", null, 0, "Go on"), ...said));
	return path;
}

test("a large session is held, and every line of it has been checked", async () => {
	const path = large();
	const session = await readChecked(path);
	expect(session.entries.some((entry) => entry instanceof HeldMessage)).toBe(true);
	expect(isUnchecked(session)).toBe(false);
	const whole = await readSession(path);
	expect(JSON.stringify(session.entries)).toBe(JSON.stringify(whole.entries));
	expect(session.diagnostics).toEqual(whole.diagnostics);
});

test("damage that is invisible at the ends of a line is found: then everything is read again, with its oddities", async () => {
	const path = large();
	// Its ends are those of any message; between them the text is cut off.
	const broken = assistant("b1", "a599", 700, "a text").replace('"a text"', '"a " text"');
	appendFileSync(path, `${broken}\n`);
	const session = await readChecked(path);
	expect(session.entries.some((entry) => entry instanceof HeldMessage)).toBe(false);
	expect(session.diagnostics).toEqual((await readSession(path)).diagnostics);
	expect(session.diagnostics).toMatchObject([{ code: "bad-line", line: 603 }]);
});
