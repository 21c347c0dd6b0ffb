import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assistant, header, toolResult, user } from "./session-builder.ts";

/** Adds damaged and odd sessions to those of a program, in a project of their own; returns its directory. */
export function addDamaged(agentDir: string): string {
	const directory = join(agentDir, "sessions", "--work-broken--");
	mkdirSync(directory, { recursive: true });
	const write = (name: string, ...lines: string[]): void =>
		writeFileSync(join(directory, name), `${lines.join("\n")}\n`);
	const red = "\u001b[31m";
	write(
		"bad.jsonl",
		header({ id: "bad" }),
		user("a", null, 100, "Why does the parser fail?"),
		`{broken ${red} line of the file`,
		user("c", "gone", 103, "And now?"),
		assistant("d", "c", 104, "It expects a newline."),
	);
	const second = [header({ id: "second" }), user("z", null, 121, "two"), toolResult("y", "z", 122, "out")];
	write("two.jsonl", header({ id: "two" }), user("b", null, 120, "Two sessions in one file"), ...second);
	write("none.jsonl", user("a", null, 130, "No header at all"), user("b", "a", 131, "two"));
	write("cycle.jsonl", header({ id: "cycle" }), user("a", "b", 110, "A cycle of two"), user("b", "a", 112, "two"));
	write("old.jsonl", header({ id: "old", version: 1 }), user("a", null, 140, "An older version"));
	write("first.jsonl", header({ id: "first" }), user("q", null, 150, "Copied by hand"));
	write("copy.jsonl", header({ id: "copy" }), user("q", null, 150, "Copied by hand"));
	write("lines.jsonl", header({ id: "lines" }), user("q", null, 170, "Many bad lines"), "{\n".repeat(12_345));
	return directory;
}
