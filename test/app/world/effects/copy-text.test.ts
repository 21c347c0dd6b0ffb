import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { clipboardPrograms, copyText, runBriefly } from "../../../../src/app/world/effects/copy-text.ts";
import { LINUX, MACOS, type System, WINDOWS } from "../../../../src/shared/system.ts";
import { someCapabilities } from "../../../support/capabilities.ts";
import { isAlive } from "../../../support/processes.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const TEXT = "/home/ada/naïve ✓ path";
const onlyOnLinux = describe.skipIf(process.platform !== "linux");

/** A machine with these programs, each of which writes its input and its arguments into files named after it. */
function machine(programs: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>>) {
	const home = tempDir();
	const bin = join(home, "bin");
	mkdirSync(bin);
	for (const [name, script] of Object.entries(programs)) {
		writeFileSync(join(bin, name), `#!/bin/sh\nHERE=${home}\n${script}\n`);
		chmodSync(join(bin, name), 0o755);
	}
	const written: string[] = [];
	const env = { ...variables, PATH: bin, XDG_STATE_HOME: join(home, "state") };
	return {
		home,
		written,
		copy: (text = TEXT) =>
			copyText(
				[text],
				"the path",
				someCapabilities({ disk: { env, home }, terminal: { write: (bytes) => written.push(bytes) } }),
			),
		/** The input of a program; undefined if it was not run. */
		got: (name: string) => (existsSync(join(home, name)) ? readFileSync(join(home, name), "utf8") : undefined),
	};
}

const takes = (name: string) => `/bin/cat >"$HERE/${name}"; echo "$@" >"$HERE/${name}.args"`;
const OSC_52 = `\u001b]52;c;${Buffer.from(TEXT).toString("base64")}\u0007`;

onlyOnLinux("copying", () => {
	test("uses the system's program", async () => {
		const { copy, got, written } = machine({ xclip: takes("xclip") }, { DISPLAY: ":0" });
		expect(await copy()).toEqual({ text: "Copied the path to the clipboard (25 B, xclip)", tone: "text" });
		expect(got("xclip")).toBe(TEXT);
		expect(got("xclip.args")).toBe("-selection clipboard -in\n");
		expect(written).toEqual([]);
	});

	test("prefers Wayland's, and tries the next program if one fails", async () => {
		const all = { "wl-copy": takes("wl-copy"), xclip: "exit 1", xsel: takes("xsel") };
		const wayland = machine(all, { DISPLAY: ":0", WAYLAND_DISPLAY: "wayland-0" });
		await wayland.copy();
		expect(wayland.got("wl-copy")).toBe(TEXT);
		const x11 = machine(all, { DISPLAY: ":0" });
		expect((await x11.copy()).text).toBe("Copied the path to the clipboard (25 B, xsel)");
		expect(x11.got("xsel")).toBe(TEXT);
	});

	test("accepts a text of any length if a program does", async () => {
		const { copy, got } = machine({ xclip: takes("xclip") }, { DISPLAY: ":0" });
		const long = "x".repeat(10_000_000);
		expect((await copy(long)).text).toBe("Copied the path to the clipboard (10.0 MB, xclip)");
		expect(got("xclip")).toBe(long);
	});

	test("in tmux the text goes into tmux's buffer, even with a tmux that cannot pass it on", async () => {
		const present = machine({ tmux: takes("tmux") }, { TMUX: "/tmp/tmux-1/default,1,0" });
		expect((await present.copy()).text).toBe("Copied the path to tmux's buffer (25 B)");
		expect(present.got("tmux")).toBe(TEXT);
		expect(present.got("tmux.args")).toBe("load-buffer -w -\n");
		const old = machine({ tmux: `[ "$2" = -w ] && exit 1\n${takes("tmux")}` }, { TMUX: "/tmp/tmux-1/default,1,0" });
		expect((await old.copy()).text).toBe("Copied the path to tmux's buffer (25 B)");
		expect(old.got("tmux.args")).toBe("load-buffer -\n");
		expect([...present.written, ...old.written]).toEqual([]);
	});

	test("without such a program, and over SSH, the text is sent to the terminal, and the message claims no more", async () => {
		const none = machine({}, { DISPLAY: ":0" });
		expect((await none.copy()).text).toBe("Sent the path to the terminal's clipboard (25 B, OSC 52)");
		expect(none.written).toEqual([OSC_52]);
		const remote = machine({ xclip: takes("xclip") }, { DISPLAY: ":0", SSH_CONNECTION: "1 2 3 4" });
		expect((await remote.copy()).text).toBe("Sent the path to the terminal's clipboard (25 B, OSC 52)");
		expect(remote.got("xclip")).toBeUndefined();
		expect(remote.written).toEqual([OSC_52]);
	});

	test("a text that is too long for the terminal goes into a private file that the message names", async () => {
		const { copy, home, written } = machine({}, {});
		const path = join(home, "state", "pi-grove", "copied.txt");
		expect(await copy("y".repeat(80_000))).toEqual({
			text: "Too long for the terminal's clipboard: wrote the path to ~/state/pi-grove/copied.txt (80.0 KB)",
			tone: "warning",
		});
		expect(readFileSync(path, "utf8")).toBe("y".repeat(80_000));
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(written).toEqual([]);
		await copy("z".repeat(80_000));
		expect(readFileSync(path, "utf8")).toBe("z".repeat(80_000));
	});

	test("says why a long text cannot be written to a file either", async () => {
		const { copy, home } = machine({}, {});
		writeFileSync(join(home, "state"), "");
		expect((await copy("y".repeat(80_000))).text).toMatch(/^Cannot copy the path: it is too long .* a file: /);
	});

	test("a program that does not end is killed, with its children", async () => {
		const home = tempDir();
		const command = join(home, "stuck");
		writeFileSync(command, `#!/bin/sh\nsleep 1000 &\necho $$ $! >${home}/pids\nwait\n`);
		chmodSync(command, 0o755);
		const env = { PATH: process.env.PATH };
		const ended = runBriefly({ command, args: [], env, input: [Buffer.from("x")] }, 500);
		expect(await ended).toBe(false);
		const pids = readFileSync(join(home, "pids"), "utf8").trim().split(" ").map(Number);
		expect(pids).toHaveLength(2);
		await expect.poll(() => pids.some(isAlive)).toBe(false);
	});

	const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
	test.skipIf(!hasTmux)("a real tmux has the text in its buffer", async () => {
		const home = tempDir();
		const socket = join(home, "socket");
		const tmux = (...args: readonly string[]) =>
			spawnSync("tmux", ["-f", "/dev/null", "-S", socket, ...args], {
				encoding: "utf8",
				env: { ...process.env, TMUX: "" },
			});
		expect(tmux("new-session", "-d", "sleep 1000").status).toBe(0);
		onTestFinished(() => void tmux("kill-server"));
		const env = { PATH: process.env.PATH, TMUX: `${socket},1,0` };
		const message = await copyText(
			[TEXT],
			"the path",
			someCapabilities({ disk: { env, home }, terminal: { write: () => undefined } }),
		);
		expect(message.text).toBe("Copied the path to tmux's buffer (25 B)");
		expect(tmux("show-buffer").stdout).toBe(TEXT);
	});

	test("clip.exe gets the encoding in which it reads all characters", async () => {
		const { copy, home } = machine({ "clip.exe": `/bin/cat >"$HERE/clip"` }, { WSL_DISTRO_NAME: "Ubuntu" });
		expect((await copy()).text).toBe("Copied the path to the clipboard (25 B, clip.exe)");
		expect(readFileSync(join(home, "clip")).toString("utf16le")).toBe(TEXT);
	});
});

test("each system has its own programs", () => {
	const commands = (env: Readonly<Record<string, string>>, system: System) =>
		clipboardPrograms(env, system).map(({ command }) => command);
	expect(commands({}, MACOS)).toEqual(["pbcopy"]);
	expect(commands({ TMUX: "x" }, MACOS)).toEqual(["pbcopy", "tmux", "tmux"]);
	expect(commands({ SSH_TTY: "/dev/pts/1" }, MACOS)).toEqual([]);
	expect(commands({}, WINDOWS)).toEqual(["clip.exe"]);
	expect(commands({ TERMUX_VERSION: "1" }, LINUX)).toEqual(["termux-clipboard-set"]);
	expect(commands({}, LINUX)).toEqual([]);
});
