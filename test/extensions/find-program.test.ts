import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test, vi } from "vitest";
import { searchNode } from "../../extensions/grove-program.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A directory with a program named node that prints this. */
function node(says: string): string {
	const folder = tempDir();
	writeFileSync(join(folder, "node"), `#!/bin/sh\n${says}\n`);
	chmodSync(join(folder, "node"), 0o755);
	return folder;
}

const search = (folders: readonly string[], execPath: string): Promise<string> =>
	searchNode({ PATH: folders.join(delimiter) }, { execPath, version: process.version, bun: undefined });

test("the Node that pi runs on is taken without trying others", async () => {
	expect(await search([], process.execPath)).toBe(process.execPath);
});

test("a pi that is not Node takes the first of the PATH that is new enough", async () => {
	const folders = [
		tempDir(),
		node("echo v20.11.0"),
		node("exit 1"),
		node("echo hello"),
		node("echo v22.19.0"),
		node("echo v99.0.0"),
	];
	expect(await search(folders, "/opt/pi/pi")).toBe(join(folders[4] ?? "", "node"));
});

test("the error names what was found in vain, and what to do", async () => {
	const old = node("echo v22.18.9");
	await expect(search([old], "/opt/pi/pi")).rejects.toThrow(
		`needs Node 22.19 or newer, and ${join(old, "node")} is v22.18.9. Install it, or start pi with PI_GROVE_NODE=/path/to/node.`,
	);
	await expect(search([], "/opt/pi/pi")).rejects.toThrow("there is no node in the PATH");
});

test("the person may name one", async () => {
	vi.stubEnv("PATH", "");
	const pi = { execPath: "/opt/pi/pi", version: "v24.0.0", bun: undefined };
	expect(await searchNode({ PI_GROVE_NODE: "/my/node" }, pi)).toBe("/my/node");
	// Bun's version is not one of Node.
	await expect(searchNode({}, { ...pi, execPath: "/usr/bin/node", bun: "1.3.0" })).rejects.toThrow("no node");
});
