import { appendFileSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { openCounting } from "../../support/counting.ts";
import { header, lines } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

let entries = 0;
/** An entry of a conversation that goes on line by line. */
function message(fields: object, at = 1): string {
	entries += 1;
	const [id, parentId] = [entries, entries - 1].map((number) => number.toString(16).padStart(8, "0"));
	const timestamp = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
	const parent = entries === 1 ? null : parentId;
	return JSON.stringify({ type: "message", id, parentId: parent, timestamp, message: fields });
}
const call = (id: string, name: string, args: object) =>
	message({ role: "assistant", content: [{ type: "toolCall", id, name, arguments: args }], stopReason: "toolUse" });
const result = (toolCallId: string, fields: object = {}) =>
	message({ role: "toolResult", toolCallId, content: [], ...fields });

test("the lines that writes and edits have changed, also if the count ends between a call and its result", async () => {
	entries = 0;
	const session = [
		message({ role: "user", content: "Change it" }),
		call("w", "write", { path: "a", content: "one\ntwo\n" }),
		result("w"),
		call("e", "edit", { path: "a", oldText: "one", newText: "1" }),
		result("e", { details: { diff: "-1 one\n+1 1\n+2 more" } }),
		call("old", "edit", { path: "a", oldText: "two", newText: "2\n3" }),
		result("old"),
		call("failed", "write", { path: "b", content: "x\n".repeat(100) }),
		result("failed", { isError: true }),
		call("bash", "bash", { command: "seq 5" }),
		result("bash", { details: { diff: "+1" } }),
		call("open", "write", { path: "c", content: "never" }),
	];
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	let time = 1;
	for (let cut = 0; cut <= session.length; cut++) {
		const path = write(`--p--/${cut}.jsonl`, lines(header(), ...session.slice(0, cut)));
		const count = async () => {
			utimesSync(path, time, time++);
			counting.list(path);
			await counting.count();
			return counting.numbers(path).numbers.counts.changed;
		};
		await count();
		appendFileSync(path, lines(...session.slice(cut)));
		expect(await count(), `cut at ${cut}`).toEqual({ added: 2 + 2 + 2, removed: 1 + 1 });
		counting.remove(path);
	}
});

test("what a fork has copied is not what it has changed", async () => {
	entries = 0;
	const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
	const session = [
		JSON.stringify({ ...JSON.parse(header()), timestamp: at(5), parentSession: "/gone.jsonl" }),
		call("w", "write", { path: "a", content: "one\ntwo\n" }),
		result("w"),
	];
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	const path = write("--p--/1.jsonl", lines(...session));
	utimesSync(path, 1, 1);
	counting.list(path);
	await counting.count();
	expect(counting.numbers(path).numbers.counts.changed).toBeUndefined();
});
