import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { maskedSession } from "../../../src/conversation/share/masked-session.ts";
import { Masker } from "../../../src/conversation/share/masker.ts";
import { plainView } from "../../../src/conversation/share/plain-view.ts";
import { shareItems } from "../../../src/conversation/share/share-items.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { entry, header, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

vi.mock("../../../src/conversation/share/plain-view.ts", async (original) => {
	const own = await original<typeof import("../../../src/conversation/share/plain-view.ts")>();
	return { ...own, plainView: vi.fn(own.plainView) };
});

const LABELS = 500;

function idOf(at: number): string {
	return at.toString(16).padStart(8, "0");
}

/** A prompt and many labels of it, which follow one another. */
async function labeledSession() {
	const lines = [header({ cwd: "/srv/work" }), user(idOf(1), null, 1, "one")];
	for (let at = 2; at < LABELS + 2; at++)
		lines.push(entry("label", idOf(at), idOf(at - 1), at, { targetId: idOf(1), label: "the same" }));
	const path = join(tempDir(), "labels.jsonl");
	writeFileSync(path, `${lines.join("\n")}\n`);
	return readSession(path);
}

test("of many labels neither ids nor times are looked through, and equal texts once", async () => {
	const session = await labeledSession();
	vi.mocked(plainView).mockClear();
	const masked = runToEnd(maskedSession(session, new Masker({ allowed: new Set(), homes: [] })));
	expect(vi.mocked(plainView).mock.calls.length).toBeLessThan(40);
	// The entries in which nothing is masked, and their places, are not copied.
	expect(masked.entries).toEqual(session.entries);
	expect([...masked.tree.byId.values()]).toEqual(session.entries);
	expect(masked.tree.children.get(idOf(1))?.[0]).toBe(session.entries[1]);
});

test("a path without branches is shared without looking up the children of each entry", async () => {
	const session = await labeledSession();
	const children = vi.spyOn(session.tree.children, "get");
	const items = [...shareItems({ session, entryId: idOf(LABELS), all: false })];
	expect(items).toHaveLength(session.entries.length);
	expect(children.mock.calls.length).toBeLessThan(10);
});
