import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ONLY_HERE } from "../../../../src/app/core/effects/capabilities.ts";
import { EXCERPTS_EFFECTS } from "../../../../src/app/features/excerpts/effects/excerpts-effects.ts";
import type { LendTerminal, Places, TerminalProgram } from "../../../../src/app/world/effects/capabilities.ts";
import { findOutsideProgram } from "../../../../src/app/world/effects/find-program.ts";
import { type EffectOf, runWith } from "../../../../src/app/world/effects/runners.ts";
import type { Excerpt } from "../../../../src/conversation/markdown/excerpt.ts";
import { textBatches } from "../../../../src/shared/steps.ts";
import { writeNewText } from "../../../../src/store/write/text-file.ts";
import { someCapabilities } from "../../../support/capabilities.ts";
import { sessionOf, toolResult, user } from "../../../support/session-builder.ts";
import { tempDir } from "../../../support/temp-dir.ts";

async function excerpt(of: Excerpt["of"] = "branch"): Promise<Excerpt> {
	const session = await sessionOf(user("a", null, 1, "one"), toolResult("b", "a", 2, "out"));
	return { of, session, entryId: "b", title: "A title" };
}

/** Runs an effect that hands text out; resolves to its message. */
async function takeOut(
	effect: EffectOf<"share-excerpt" | "open-excerpt">,
	home: string,
	{ lend = async () => undefined, places = ONLY_HERE }: { lend?: LendTerminal; places?: Places } = {},
) {
	const disk = { env: { PATH: home, EDITOR: "ed" }, home, cwd: home, savesTo: home };
	const action = await runWith(
		EXCERPTS_EFFECTS,
		effect,
		someCapabilities({ disk, terminal: { lend }, store: { places } }),
	);
	return action?.type === "done" ? action.message : action;
}

/** A program of this name that does nothing. */
function installed(directory: string, name: string): string {
	const path = join(directory, name);
	writeFileSync(path, "#!/bin/sh\n");
	chmodSync(path, 0o755);
	return path;
}

test("batches contain the whole text in order, and none but the last is small", async () => {
	const pieces = Array.from({ length: 30_000 }, (_, index) => (index % 3 === 0 ? "" : `${index},`));
	const batches: string[] = [];
	for await (const batch of textBatches(pieces)) batches.push(batch);
	expect(batches.join("")).toBe(pieces.join(""));
	expect(batches.slice(0, -1).every(({ length }) => length >= 64_000)).toBe(true);
	expect(batches.length).toBeGreaterThan(1);
});

describe("saving", () => {
	test("a file is as private as the session", async () => {
		const home = tempDir();
		const given = await excerpt();
		for (const mode of [0o600, 0o640]) {
			chmodSync(given.session.path, mode);
			await takeOut({ type: "share-excerpt", excerpt: given, to: "markdown" }, home);
		}
		expect(["a-title.md", "a-title-2.md"].map((name) => statSync(join(home, name)).mode & 0o777)).toEqual([
			0o600, 0o640,
		]);
	});

	test("a dangling link counts as an existing file", async () => {
		const home = tempDir();
		symlinkSync(join(home, "elsewhere"), join(home, "a-title.md"));
		const message = await takeOut({ type: "share-excerpt", excerpt: await excerpt(), to: "markdown" }, home);
		expect(message).toMatchObject({
			text: expect.stringMatching(
				/^Saved the branch as ~\/a-title-2\.md \(\d+ B\)\. Masked: 1 home directory\. Read the rest/,
			),
		});
		expect(readdirSync(home).toSorted()).toEqual(["a-title-2.md", "a-title.md"]);
	});

	test.each(["branch", "turn", "entry"] as const)(
		"secrets of a %s are masked, also in its name, and counted",
		async (of) => {
			const home = tempDir();
			const secret = "AKIAQ3EGRZ7XJ5LT2ABC";
			const session = await sessionOf(
				user("a", null, 1, `use ${secret}`),
				user("b", "a", 2, "done"),
				toolResult("c", "b", 3, `export AWS_ACCESS_KEY_ID=${secret}`),
			);
			const given = { of, session, entryId: "c", title: `Rotate ${secret}` };
			const forms = of === "branch" ? (["markdown", "html"] as const) : (["markdown"] as const);
			for (const to of forms) {
				const message = await takeOut({ type: "share-excerpt", excerpt: given, to }, home);
				expect(message).toMatchObject({ text: expect.stringMatching(/^Saved the \w+ as .*Masked: 1 key/) });
			}
			const names = readdirSync(home);
			expect(names.length).toBe(forms.length);
			for (const name of names) {
				expect(name).not.toContain(secret.toLowerCase());
				const text = readFileSync(join(home, name), "utf8");
				expect(text).toContain("‹key 1›");
				expect(text).not.toContain(secret);
			}
		},
	);

	test.each(["branch", "turn"] as const)(
		"a %s of another machine: its home is masked, the .env files of a directory here are not its own, and that is said",
		async (of) => {
			const home = tempDir();
			const cwd = tempDir();
			writeFileSync(join(cwd, ".env"), "API_PASSWORD=quagga-in-the-zoo\n");
			const read = await sessionOf(
				user("a", null, 1, "say quagga-in-the-zoo"),
				toolResult("b", "a", 2, "found in /srv/people/ada/notes"),
			);
			const session = { ...read, path: "mini:/x.jsonl", header: read.header && { ...read.header, cwd } };
			const effect = {
				type: "share-excerpt",
				excerpt: { of, session, entryId: "b", title: "A title" },
				to: "markdown",
			} as const;
			const machineOf = (path: string) => ({ home: "/srv/people/ada", place: path.split(":")[0] });
			const message = await takeOut(effect, home, { places: { ...ONLY_HERE, machineOf } });
			expect(message).toMatchObject({
				text: expect.stringMatching(
					/Masked: 1 home directory\..* The \.env files of its directory are on mini: .* not masked\.$/,
				),
			});
			const [name = ""] = readdirSync(home);
			const text = readFileSync(join(home, name), "utf8");
			expect(text).toContain("quagga-in-the-zoo");
			expect(text).toContain("~/notes");
			expect(text).not.toContain("/srv/people");
			// Here it is masked.
			await takeOut(effect, home);
			const [other = ""] = readdirSync(home).filter((one) => one !== name);
			expect(readFileSync(join(home, other), "utf8")).not.toContain("quagga-in-the-zoo");
		},
	);

	test("a missing directory is reported with the reason", async () => {
		const home = join(tempDir(), "gone");
		expect(await takeOut({ type: "share-excerpt", excerpt: await excerpt("turn"), to: "markdown" }, home)).toEqual({
			text: expect.stringMatching(/^Cannot save the turn: .*ENOENT/),
			tone: "error",
		});
	});

	test("an incompletely written file is removed", async () => {
		const dir = tempDir();
		const failing = function* (): Generator<string> {
			yield "x".repeat(100_000);
			throw new Error("broken on purpose");
		};
		const content = { pieces: failing, mode: 0o600 };
		await expect(writeNewText(join(dir, "file"), content)).rejects.toThrow("broken on purpose");
		expect(readdirSync(dir)).toEqual([]);
	});
});

describe("opening", () => {
	test("the program gets a private file, which is removed once it has been read", async () => {
		const home = tempDir();
		installed(home, "ed");
		const seen: { program: TerminalProgram; text: string; modes: readonly number[] }[] = [];
		const effect = { type: "open-excerpt", excerpt: await excerpt("turn"), in: "pager" } as const;
		const path = (program: TerminalProgram): string => program.args.at(-1) ?? "";
		installed(home, "less");
		const lend: LendTerminal = (program) => {
			const file = path(program);
			const modes = [file, join(file, "..")].map((each) => statSync(each).mode & 0o777);
			seen.push({ program, text: readFileSync(file, "utf8"), modes });
			return Promise.resolve({ code: 0 });
		};
		expect(await takeOut(effect, home, { lend })).toBeUndefined();
		const [first] = seen;
		expect(first?.program).toMatchObject({ command: join(home, "less"), cwd: home });
		expect(first?.program.args[0]).toBe("-R");
		expect(first?.modes).toEqual([0o600, 0o700]);
		expect(first?.text).toMatch(/^## You · .*\n\none\n\n/);
		expect(() => statSync(first === undefined ? "/" : path(first.program))).toThrow("ENOENT");
	});

	test.each([
		[{ failure: "no such device" }, 'Cannot start "ed": no such device', "error"],
		[{ code: 3 }, '"ed" ended with exit code 3', "warning"],
	] as const)("%j is reported", async (end, text, tone) => {
		const home = tempDir();
		installed(home, "ed");
		const effect = { type: "open-excerpt", excerpt: await excerpt(), in: "editor" } as const;
		expect(await takeOut(effect, home, { lend: () => Promise.resolve(end) })).toEqual({ text, tone });
	});
});

describe("the person's program", () => {
	test("is named by the first variable that is set, and run through a shell", async () => {
		const home = tempDir();
		for (const name of ["vi", "my editor", "code"]) installed(home, name);
		const find = (env: Readonly<Record<string, string>>) => findOutsideProgram("editor", { PATH: home, ...env });
		expect(await find({ VISUAL: "code --wait", EDITOR: "vi" })).toEqual({
			command: "/bin/sh",
			args: ["-c", 'exec code --wait "$@"', "code --wait"],
			name: "code --wait",
		});
		expect(await find({ VISUAL: " ", EDITOR: "'my editor'" })).toMatchObject({
			args: ["-c", `'my editor' "$@"`, "'my editor'"],
		});
		expect(await find({})).toEqual({ command: join(home, "vi"), args: [], name: "vi" });
	});

	test("that does not exist is reported with the name of its variable", async () => {
		const home = tempDir();
		mkdirSync(join(home, "bin"));
		const find = (env: Readonly<Record<string, string>>) => findOutsideProgram("pager", { PATH: home, ...env });
		expect(await find({ PAGER: "lses -R" })).toBe(
			'Cannot open the pager: $PAGER names the program "lses", which does not exist',
		);
		expect(await find({})).toBe("Cannot open the pager: no known pager is installed; set $PAGER to yours");
	});
});
