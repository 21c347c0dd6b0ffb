import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { downloadsDirectory } from "../../src/cli/browser/surroundings.ts";
import { tempDir } from "../support/temp-dir.ts";

test("files that a person saves go to the downloads that the desktop names, else to ~/Downloads, where there is such a directory", () => {
	const home = tempDir();
	expect(downloadsDirectory({}, home)).toBeUndefined();
	mkdirSync(join(home, "Downloads"));
	expect(downloadsDirectory({}, home)).toBe(join(home, "Downloads"));
	mkdirSync(join(home, ".config"));
	const name = (directory: string): void =>
		writeFileSync(join(home, ".config", "user-dirs.dirs"), `# made by hand\nXDG_DOWNLOAD_DIR="${directory}"\n`);
	name("$HOME/Téléchargements");
	expect(downloadsDirectory({}, home)).toBe(join(home, "Downloads"));
	mkdirSync(join(home, "Téléchargements"));
	expect(downloadsDirectory({}, home)).toBe(join(home, "Téléchargements"));
	name("$HOME/");
	expect(downloadsDirectory({}, home)).toBe(join(home, "Downloads"));
	const elsewhere = tempDir();
	name(elsewhere);
	expect(downloadsDirectory({}, home)).toBe(elsewhere);
	expect(downloadsDirectory({ XDG_CONFIG_HOME: join(home, "other") }, home)).toBe(join(home, "Downloads"));
});
