import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	branchSession,
	forkSession,
	labelEntry,
	renameSession,
	resumePoint,
} from "../../src/store/actions/session-actions.ts";
import { SessionManager as OurManager } from "../../src/store/manager/session-manager.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";
import { SessionManager as PiManager } from "./pi.ts";

/** Ids that are no text: both see the same tree, and pi still sees it after each of our changes. */

const root = tempDirOfFile();
const fixtures = join(import.meta.dirname, "../../fixtures");
const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-05T09:00:00.000Z", cwd: "/home/ada" };
const path = join(root, "session.jsonl");

/** The texts of the messages from the root to the leaf: ids differ in form. */
const conversation = (manager: PiManager | OurManager) =>
	manager.getBranch().flatMap((entry) => (entry.type === "message" && entry.message ? [textOf(entry.message)] : []));

function textOf(message: object): string {
	return "content" in message ? JSON.stringify(message.content) : "";
}

/** The shape of the tree, without the ids. */
function shape(manager: PiManager | OurManager): unknown {
	type Node = { entry: { type: string }; label?: string | undefined; children: Node[] };
	const of = ({ entry, label, children }: Node): unknown => [entry.type, label ?? "", children.map(of)];
	return (manager.getTree() as Node[]).map(of);
}

/** The path to the leaf, with the new entry last, as pi sees it after our change. */
function expectOnlyAppended(before: string, conversationBefore: readonly string[]): void {
	expect(readFileSync(path, "utf8").slice(0, before.length)).toBe(before);
	expect(conversation(PiManager.open(path))).toEqual(conversationBefore);
	expect(shape(OurManager.open(path))).toEqual(shape(PiManager.open(path)));
}

test("the fixture: the same path, and the same after each change", () => {
	copyFileSync(join(fixtures, "odd-ids.jsonl"), path);
	const before = readFileSync(path, "utf8");
	const said = conversation(PiManager.open(path));
	expect(said).toHaveLength(4);
	expect(conversation(OurManager.open(path))).toEqual(said);
	renameSession(path, "New");
	labelEntry(path, "4~", "here");
	expect(readFileSync(path, "utf8").startsWith(before)).toBe(true);
	expect(conversation(PiManager.open(path))).toEqual(said);
	expect(PiManager.open(path).getLabel(4 as never)).toBe("here");
	expect(conversation(PiManager.open(branchSession(path, "4")))).toEqual(said);
	expect(conversation(PiManager.open(forkSession(path, "/home/ada", root)))).toEqual(said);
	resumePoint(path, "2");
	expect(conversation(PiManager.open(path))).toEqual(said.slice(0, 2));
});

/** A sound tree whose ids are numbers, texts of them, and true. */
const entries = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 12 }).map((parents) => {
	const ids = parents.map((_, index) => (index === 3 ? true : index % 3 === 0 ? String(index) : index + 1));
	return parents.map((parent, index) => ({
		type: index % 5 === 4 ? "label" : "message",
		id: ids[index],
		parentId: index === 0 || parent === 20 ? null : ids[parent % index],
		timestamp: header.timestamp,
		...(index % 5 === 4
			? { targetId: ids[parent % index], label: `label ${index}` }
			: { message: { role: "user", content: `say ${index}`, timestamp: index } }),
	}));
});

test("any tree of such ids: the same shape, the same path, also after a change", () => {
	fc.assert(
		fc.property(entries, fc.nat(), (all, pick) => {
			writeFileSync(path, [header, ...all].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
			const before = readFileSync(path, "utf8");
			expect(shape(OurManager.open(path))).toEqual(shape(PiManager.open(path)));
			const said = conversation(PiManager.open(path));
			expect(conversation(OurManager.open(path))).toEqual(said);
			renameSession(path, "name");
			expectOnlyAppended(before, said);
			const target = OurManager.open(path).getEntries()[pick % all.length];
			labelEntry(path, target?.id ?? "", "here");
			expectOnlyAppended(before, said);
			const fork = PiManager.open(forkSession(path, "/home/ada", join(root, "forks")));
			expect(shape(fork)).toEqual(shape(PiManager.open(path)));
			const branch = PiManager.open(branchSession(path, target?.id ?? ""));
			const ours = OurManager.open(path);
			if (target) ours.branch(target.id);
			expect(conversation(branch)).toEqual(conversation(ours));
		}),
		{ numRuns: 200 },
	);
});

test("a last line without id: after pi's next entry the conversation is gone for pi, after ours it is not", () => {
	const lines = [
		header,
		{ type: "message", id: "a", parentId: null, timestamp: header.timestamp, message: { role: "user", content: "hi" } },
		{},
	];
	const text = lines.map((entry) => `${JSON.stringify(entry)}\n`).join("");
	writeFileSync(path, text);
	PiManager.open(path).appendSessionInfo("name");
	expect(conversation(PiManager.open(path))).toHaveLength(0);
	// What pi has written is read as following the last line.
	expect(conversation(OurManager.open(path))).toHaveLength(1);
	writeFileSync(path, text);
	renameSession(path, "name");
	expect(readFileSync(path, "utf8").startsWith(text)).toBe(true);
	expect(conversation(PiManager.open(path))).toHaveLength(1);
});

test("a version that is the text 3 is 3 for both: nothing is migrated, and the file is only appended to", () => {
	const text = `${JSON.stringify({ ...header, version: "3" })}\n{"type":"custom","id":"a","customType":"t"}\n`;
	writeFileSync(path, text);
	expect(OurManager.open(path).getEntry("a")).toEqual(PiManager.open(path).getEntry("a"));
	renameSession(path, "name");
	expect(readFileSync(path, "utf8").startsWith(text)).toBe(true);
});
