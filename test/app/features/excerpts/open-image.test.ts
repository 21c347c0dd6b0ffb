import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openerFor, openImage, saveImage } from "../../../../src/app/features/excerpts/effects/excerpts-effects.ts";
import { imageEnding } from "../../../../src/conversation/entries/images.ts";
import type { ImageExcerpt } from "../../../../src/conversation/markdown/excerpt.ts";
import { LINUX, MACOS, type System, WINDOWS } from "../../../../src/shared/system.ts";
import { sessionOf, user } from "../../../support/session-builder.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const onLinux = describe.skipIf(process.platform !== "linux");

const bytesOf = (text: string, more = 100) => Buffer.concat([Buffer.from(text, "latin1"), Buffer.alloc(more, 7)]);
const PNG = "\x89PNG\r\n\x1a\n";

async function imageOf(base64: string): Promise<ImageExcerpt> {
	const session = await sessionOf(user("a", null, 1, "one"));
	return { of: "image", session, entryId: "a", title: "A title", base64 };
}

test.each([
	["png", PNG],
	["jpg", "\xff\xd8\xff\xe0"],
	["gif", "GIF89a"],
	["webp", "RIFF\n\0\0\0WEBP"],
	["avif", "\0\0\0\x20ftypavif"],
	["heic", "\0\0\0\x20ftypheic"],
	["tiff", "MM\0*"],
	["bmp", "BM\n\0\0\0\0\0\0\0"],
	[undefined, "<svg onload='alert(1)'>"],
	[undefined, "[Desktop Entry]\nExec=rm"],
	[undefined, "#!/bin/sh\n"],
	[undefined, "MZ"],
])("%s is recognized by its bytes", (ending, start) => {
	expect(imageEnding(bytesOf(start).toString("base64"))).toBe(ending);
	expect(imageEnding(bytesOf(start, 0).toString("base64"))).toBe(ending);
	expect(imageEnding("")).toBeUndefined();
});

test("each system has its own launcher; without a display there is a reason", () => {
	const command = (env: Readonly<Record<string, string>>, system: System) => {
		const opener = openerFor(env, system);
		return typeof opener === "string" ? opener : opener.command;
	};
	expect(command({ DISPLAY: ":0" }, LINUX)).toBe("xdg-open");
	expect(command({ WAYLAND_DISPLAY: "wayland-0" }, LINUX)).toBe("xdg-open");
	expect(command({ TERMUX_VERSION: "1" }, LINUX)).toBe("termux-open");
	expect(command({}, MACOS)).toBe("open");
	expect(command({}, WINDOWS)).toBe("rundll32.exe");
	expect(command({}, LINUX)).toMatch(/neither DISPLAY nor WAYLAND_DISPLAY/);
	expect(command({ SSH_TTY: "/dev/pts/1" }, MACOS)).toMatch(/SSH session/);
});

onLinux("an image", () => {
	const tools = (home: string, env = {}) => ({ env: { PATH: home, ...env }, home, savesTo: home });
	const windows = { DISPLAY: ":0" };

	/** A launcher that runs this script. */
	function install(home: string, script: string): void {
		writeFileSync(join(home, "xdg-open"), `#!/bin/sh\n${script}\n`);
		chmodSync(join(home, "xdg-open"), 0o755);
	}

	test("is saved byte for byte, regardless of line breaks in its base64, under a free name", async () => {
		const home = tempDir();
		const bytes = bytesOf(PNG, 1_000_001);
		const base64 = bytes.toString("base64").replace(/.{76}/g, "$&\r\n");
		writeFileSync(join(home, "a-title-image-a.png"), "mine");
		const image = await imageOf(base64);
		chmodSync(image.session.path, 0o600);
		expect(await saveImage(image, tools(home))).toEqual({
			text: "Saved the image as ~/a-title-image-a-2.png (1.0 MB)",
			tone: "text",
		});
		const saved = join(home, "a-title-image-a-2.png");
		expect(readFileSync(saved).equals(bytes)).toBe(true);
		expect(statSync(saved).mode & 0o777).toBe(0o600);
		expect(readFileSync(join(home, "a-title-image-a.png"), "utf8")).toBe("mine");
	});

	test("is opened as a private file with the extension of its format, which stays while this process runs", async () => {
		const home = tempDir();
		install(home, `echo "$1" >"${home}/path"`);
		const bytes = bytesOf("\xff\xd8\xff\xe0", 20);
		const opened = await openImage(await imageOf(bytes.toString("base64")), tools(home, windows));
		expect(opened).toEqual({ text: "Opened the image with xdg-open (jpg, 24 B)", tone: "text" });
		const path = readFileSync(join(home, "path"), "utf8").trim();
		expect(path).toMatch(/\/a-title-image-a\.jpg$/);
		expect(readFileSync(path).equals(bytes)).toBe(true);
		expect([path, join(path, "..")].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o700]);
	});

	test("that cannot be opened is offered for saving, and no file is left behind", async () => {
		const home = tempDir();
		const temporary = join(home, "tmp");
		mkdirSync(temporary);
		const image = await imageOf(bytesOf(PNG).toString("base64"));
		vi.stubEnv("TMPDIR", temporary);
		onTestFinished(() => void vi.unstubAllEnvs());
		const asked = (why: string) => ({
			title: "Cannot open the image",
			body: [why, "It can be saved in ~, under a free name."],
			choices: [{ label: "Save the image", effect: { type: "save-image", image } }, { label: "Cancel" }],
			danger: false,
		});
		expect(await openImage(image, tools(home, windows))).toEqual(
			asked('There is no program "xdg-open" to open files with.'),
		);
		install(home, "exit 3");
		expect(await openImage(image, tools(home, windows))).toEqual(
			asked('"xdg-open" could not open it: it ended with exit code 3.'),
		);
		expect(await openImage(image, tools(home))).toEqual(
			asked("There is no graphical display: neither DISPLAY nor WAYLAND_DISPLAY is set."),
		);
		expect(readdirSync(temporary)).toEqual([]);
	});

	test("of an unknown format is neither opened nor saved", async () => {
		const home = tempDir();
		install(home, `echo ran >"${home}/ran"`);
		const image = await imageOf(Buffer.from("[Desktop Entry]\nExec=rm").toString("base64"));
		for (const message of [await openImage(image, tools(home, windows)), await saveImage(image, tools(home))])
			expect(message).toMatchObject({ tone: "warning" });
		expect(existsSync(join(home, "ran"))).toBe(false);
		expect(readdirSync(home)).toEqual(["xdg-open"]);
	});
});
