import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { conversationLeaf } from "../../../src/conversation/entries/leaf.ts";
import { holdSession } from "../../../src/store/held/hold-session.ts";
import { tempDir } from "../../support/temp-dir.ts";

test("the end of a conversation is found below any number of labels without looking up each of them", async () => {
	const LABELS = 5000;
	const idOf = (at: number): string => at.toString(16).padStart(8, "0");
	const entry = (type: string, at: number, fields: object): string =>
		JSON.stringify({
			...{ type, id: idOf(at), parentId: at === 0 ? null : idOf(at - 1), timestamp: "2026-01-05T08:00:00.000Z" },
			...fields,
		});
	const said = { role: "user", content: [{ type: "text", text: "What was said." }], timestamp: 1767600000000 };
	const lines = [
		JSON.stringify({ type: "session", version: 3, id: "s", timestamp: "2026-01-05T08:00:00.000Z", cwd: "/p" }),
		entry("message", 0, { message: said }),
		...Array.from({ length: LABELS }, (_, at) => entry("label", at + 1, { targetId: idOf(0), label: `mark ${at}` })),
	];
	const path = join(tempDir(), "labels.jsonl");
	writeFileSync(path, `${lines.join("\n")}\n`);
	const session = await holdSession(path, { minBytes: 0 });
	if (session === undefined) throw new Error("The session is not held.");
	const lookUps = vi.spyOn(Map.prototype, "get");
	const leaf = conversationLeaf(session);
	const count = lookUps.mock.calls.length;
	lookUps.mockRestore();
	expect(leaf).toBe(idOf(0));
	expect(count).toBeLessThan(10);
});
