import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fixtureDir } from "../support/fixture.ts";
import { Sandbox } from "../support/sandbox.ts";
import { lines } from "../support/session-builder.ts";
import { runSoundly } from "../support/sound-output.ts";

const FIXTURES = ["every-entry-type", "branches", "pi-1.5.2", "v1"];
/** JSON that no text can be made of: `String` throws a TypeError for it. */
const ODD = { toString: 1, valueOf: 1 };

const sandbox = new Sandbox();
afterAll(() => sandbox.remove());

/** A copy of each fixture for each of its fields, in which this field has an odd value. */
function writeOddSessions(): number {
	const directory = sandbox.directory(".pi/agent/sessions/--p--");
	const fields = new Set<string>();
	for (const fixture of FIXTURES) {
		const all = readFileSync(join(fixtureDir, `${fixture}.jsonl`), "utf8")
			.trimEnd()
			.split("\n");
		for (const [index, line] of all.entries()) {
			const value: unknown = JSON.parse(line);
			for (const path of fieldPaths(value)) {
				const field = `${fixture === "v1"} ${kindOf(value)} ${path.map((part) => (/^\d+$/.test(part) ? 0 : part)).join(".")}`;
				if (fields.has(field)) continue;
				fields.add(field);
				const odd = JSON.stringify(withValueAt(value, path));
				writeFileSync(join(directory, `odd${fields.size}.jsonl`), lines(...all.with(index, odd)));
			}
		}
	}
	return fields.size;
}

function kindOf(entry: unknown): string {
	const { type, message, customType } = entry as { type: string; message?: { role?: string }; customType?: string };
	return `${type} ${message?.role ?? customType ?? ""}`;
}

function* fieldPaths(value: unknown, above: readonly string[] = []): Generator<readonly string[]> {
	if (typeof value !== "object" || value === null || above.length >= 6) return;
	for (const [name, below] of Object.entries(value)) {
		const path = [...above, name];
		yield path;
		yield* fieldPaths(below, path);
	}
}

function withValueAt(value: unknown, [name, ...below]: readonly string[]): unknown {
	if (name === undefined) return ODD;
	const fields = value as Readonly<Record<string, unknown>>;
	const replaced = withValueAt(fields[name], below);
	return Array.isArray(value) ? value.with(Number(name), replaced) : { ...fields, [name]: replaced };
}

test("a value that is no text, in any field, ends no command, and nothing is changed by looking", () => {
	expect(writeOddSessions()).toBeGreaterThan(300);
	const untouched = sandbox.fingerprints();
	for (const args of [
		["list", "--json", "--counted"],
		["stats"],
		["search", "the"],
		["search", "is:error", "--json"],
		["prompts"],
		["commands", "--json"],
		["files"],
		["doctor"],
		["standup"],
	]) {
		const { out, err } = runSoundly(sandbox, args);
		// What was caught for one file would name the mistake as its reason.
		expect(out + err, args.join(" ")).not.toMatch(/TypeError|primitive value/);
	}
	expect(sandbox.fingerprints()).toEqual(untouched);
});
