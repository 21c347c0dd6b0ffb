import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOpenKeys } from "../../extensions/open-keys.ts";
import { tempDir } from "../support/temp-dir.ts";

function read(text: string): ReturnType<typeof readOpenKeys> {
	const folder = tempDir();
	writeFileSync(join(folder, "keybindings.json"), text);
	return readOpenKeys(folder);
}

test.each<[string, readonly string[]]>([
	['{"pi-grove.open": "ctrl+g"}', ["ctrl+g"]],
	['\uFEFF{"app.exit": "ctrl+d", "pi-grove.open": ["alt+g", "f5"]}', ["alt+g", "f5"]],
	['{"pi-grove.open": []}', []],
	["{}", []],
	["[]", []],
	["null", []],
	["no JSON", []],
])("%s", (text, keys) => {
	expect(read(text)).toEqual({ keys });
});

test("without a file there is no key; a value that is not a key is a problem", () => {
	expect(readOpenKeys(join(tempDir(), "gone"))).toEqual({ keys: [] });
	for (const value of ["7", "null", '["alt+g", 7]', "{}"])
		expect(read(`{"pi-grove.open": ${value}}`)).toMatchObject({
			keys: [],
			problem: expect.stringContaining("must be a key"),
		});
});
