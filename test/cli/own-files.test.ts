import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inShort } from "../support/cases.ts";
import { withThreeSessions } from "../support/kept-content.ts";
import { NO_FILES, ownFiles, replaceFile } from "../support/own-files.ts";
import { runSoundly } from "../support/sound-output.ts";

/** Commands that together read all files of ours. */
const COMMANDS: readonly (readonly string[])[] = [
	["list"],
	["history"],
	["places"],
	["list", "--place", "all"],
	["search", "the"],
	["rename", "S", "another", "--yes"],
	["stats"],
	["restore"],
	["tidy"],
	["export", "S"],
	["undo", "--yes"],
];

/** In the test command only the one that blocks whoever opens it. */
const TRIED = inShort(Object.entries(NO_FILES), ([name]) => name === "a named pipe");

test.each(TRIED)("where every file of ours is %s, nothing hangs and no session is lost", (_, make) =>
	withThreeSessions(async ({ sandbox, paths: [path = ""], expectNothingLost }) => {
		const runAll = (): void => {
			for (const args of COMMANDS)
				runSoundly(
					sandbox,
					args.map((arg) => (arg === "S" ? path : arg)),
				);
		};
		const browse = async (): Promise<void> => {
			const terminal = sandbox.start();
			await terminal.waitFor(/3 sessions/);
			terminal.press("down", "right", "left", "ctrl+c");
			expect(await terminal.exit()).toMatchObject({ code: 0 });
		};
		runAll();
		await browse();
		const files = ownFiles(sandbox);
		expect(files.length).toBeGreaterThan(25);
		for (const file of files) replaceFile(file, make);
		runAll();
		await browse();
		expectNothingLost();
	}),
);

/** Opens or reads a file without asking what it is. */
const UNGUARDED = /\b(?:readFileSync|readFile|createReadStream|openSync|open)\b/;
/** The few files that do: what they open, where it is not new, of the kernel or of the program itself, they check themselves. */
const OWN_CHECK = [
	"extensions/note-session.ts",
	"extensions/read-file.ts",
	"src/app/world/effects/read-env-secrets.ts",
	"src/catalog/index/open-index.ts",
	"src/catalog/live/open-files.ts",
	"src/catalog/live/processes.ts",
	"src/catalog/places/place-copies.ts",
	"src/changes/files/replace-files.ts",
	"src/changes/journal/journal-reader.ts",
	"src/cli/browser/demo.ts",
	"src/cli/find/compiled-code.ts",
	"src/terminal/keyboard.ts",
	"src/terminal/terminal.ts",
];

test("files are opened in one way, which neither waits for a pipe nor reads a device", () => {
	const root = join(import.meta.dirname, "..", "..");
	const files = globSync(["src/**/*.ts", "extensions/*.ts"], { cwd: root });
	const imports = (file: string): string =>
		[...readFileSync(join(root, file), "utf8").matchAll(/import \{([^}]*)\} from "node:fs(?:\/promises)?"/g)].join();
	const unguarded = files.filter((file) => !file.startsWith("src/store/") && UNGUARDED.test(imports(file)));
	expect(unguarded.toSorted()).toEqual(OWN_CHECK);
});
