import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readKeymap } from "../../../../src/app/core/effects/read-keymap.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { tempDir } from "../../../support/temp-dir.ts";

test("without a file the default keys apply, without a message", async () => {
	expect(await readKeymap(tempDir())).toEqual({ keymap: KEYMAP, problems: [] });
});

test("a problem names the action, the reason and the file", async () => {
	const dir = tempDir();
	const path = join(dir, "keybindings.json");
	writeFileSync(path, '{"app.session.rename": "r"}');
	expect((await readKeymap(dir)).problems).toEqual([
		{
			path,
			message: `keybindings.json: app.session.rename: r is text where letters are typed, so there ctrl+r does it. (${path})`,
		},
	]);
});

test("an unreadable file is reported, without waiting for it", async () => {
	const isDirectory = tempDir();
	mkdirSync(join(isDirectory, "keybindings.json"));
	const isPipe = tempDir();
	execFileSync("mkfifo", [join(isPipe, "keybindings.json")]);
	for (const dir of [isDirectory, isPipe]) {
		const { keymap, problems } = await readKeymap(dir);
		expect(keymap).toEqual(KEYMAP);
		expect(problems).toEqual([
			expect.objectContaining({ message: expect.stringContaining("It cannot be read: it is not a regular file.") }),
		]);
	}
});
