import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { goToTmuxPane, openTmuxWindow, windowArguments } from "../../../../src/app/world/effects/sessions/tmux.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** A tmux server of its own, with a window in which nothing runs; the environment of a program in it. */
function startTmux(): { readonly dir: string; readonly env: Record<string, string>; tmux(...args: string[]): string } {
	const dir = tempDir();
	const socket = join(dir, "socket");
	const base = { PATH: process.env.PATH ?? "", HOME: dir };
	const tmux = (...args: string[]): string =>
		execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { env: base, encoding: "utf8" });
	tmux("new-session", "-d", "-x", "80", "-y", "24", "sleep 3600");
	onTestFinished(() => void tmux("kill-server"));
	const [pid, pane] = tmux("display-message", "-p", "#{pid},#{pane_id}").trim().split(",");
	return { dir, env: { ...base, TMUX: `${socket},${pid},0`, TMUX_PANE: pane ?? "" }, tmux };
}

function script(dir: string, text: string): string {
	const path = join(dir, "pi program");
	writeFileSync(path, `#!/bin/sh\n${text}\n`);
	chmodSync(path, 0o755);
	return path;
}

test("pi gets its arguments, directory and variables as they are, in a window of its own", async () => {
	const { dir, env, tmux } = startTmux();
	const cwd = join(dir, "a 'place'; echo");
	mkdirSync(cwd);
	const command = script(
		dir,
		`pwd >"$HOME/told"; printf '%s\\n' "$@" "$PI_OFFLINE" "$PI_API_KEY" >>"$HOME/told"; sleep 60`,
	);
	const args = ["--session", "/s/a b;", "$HOME", ";", "#{pane_id}"];
	const opened = await openTmuxWindow(
		{ path: "/s/a b;", cwd, command, args },
		{ ...env, PI_OFFLINE: "1", PI_API_KEY: "secret" },
	);
	await expect
		.poll(() => existsSync(join(dir, "told")) && readFileSync(join(dir, "told"), "utf8"))
		.toBe(`${[cwd, ...args, "1", ""].join("\n")}\n`);
	const panes = tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n");
	expect(panes).toHaveLength(2);
	expect(opened).toEqual({ pid: Number(panes[1]) });
});

/** What tmux says once it knows which of its windows have ended: now and then 3.3 learns it only when its next child ends. */
function afterAnEnd(tmux: (...args: string[]) => string, ...args: string[]): string[] {
	tmux("run-shell", "true");
	return tmux(...args)
		.replace(/\n$/, "")
		.split("\n");
}

test("a window stays where pi ends with an error, and goes where it does not", async () => {
	const { dir, env, tmux } = startTmux();
	const run = {
		path: "",
		cwd: dir,
		args: ["--session", "x"],
		// tmux may drop what is written right before the end.
		command: script(
			dir,
			`echo "the last words of pi"; until [ -e "${join(dir, "read")}" ]; do sleep 0.02; done; exit 3`,
		),
	};
	const screen = () => tmux("capture-pane", "-p", "-S", "-50");
	await openTmuxWindow(run, env);
	await expect.poll(screen).toContain("the last words of pi");
	writeFileSync(join(dir, "read"), "");
	await expect.poll(() => afterAnEnd(tmux, "list-panes", "-a", "-F", "#{pane_dead_status}")).toEqual(["", "3"]);
	expect(screen()).toContain("the last words of pi");
	await openTmuxWindow({ ...run, command: script(dir, "exit 0") }, env);
	await expect.poll(() => afterAnEnd(tmux, "list-windows")).toHaveLength(2);
});

test("says why there is no window", async () => {
	const { dir, env } = startTmux();
	const run = { path: "", cwd: dir, args: [], command: "/bin/true" };
	expect(await openTmuxWindow(run, { ...env, PATH: dir })).toEqual({
		failure: 'there is no program "tmux" on the PATH',
	});
	const gone = { ...env, TMUX: `${join(dir, "no-socket")},1,0` };
	expect(await openTmuxWindow(run, gone)).toEqual({ failure: expect.stringMatching(/no server|error connecting/) });
});

test("secrets are not handed on in arguments, which others can see", () => {
	const all = windowArguments(
		{ path: "", cwd: "/", args: [], command: "/pi" },
		{ PI_TOKEN: "x", OTHER: "y", PI_DIR: "z" },
	);
	expect(all.join(" ")).not.toMatch(/[xy]$|PI_TOKEN|OTHER/);
	expect(all).toContain("PI_DIR=z");
});

test("goes to the window and the pane in which a process runs, also below a shell, or says why not", async () => {
	const { dir, env, tmux } = startTmux();
	const pidFile = join(dir, "child");
	tmux("new-window", "sh", "-c", `sleep 3600 & echo $! >'${pidFile}'; wait`);
	tmux("split-window", "sleep 3600");
	tmux("select-window", "-t", ":0");
	await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8")).toMatch(/^\d+\n$/);
	expect(await goToTmuxPane(Number(readFileSync(pidFile, "utf8")), env)).toBeUndefined();
	const where = tmux("display-message", "-p", "#{window_index} #{pane_current_command}").trim();
	expect(where).toMatch(/^1 /);
	expect(tmux("list-panes", "-t", ":1", "-F", "#{pane_index} #{pane_active}").trim().split("\n")[0]).toBe("0 1");
	expect(await goToTmuxPane(process.pid, env)).toMatch(/runs in no window of this tmux; look for it/);
	expect(await goToTmuxPane(1, { ...env, PATH: dir })).toContain('no program "tmux" on the PATH');
	expect(await goToTmuxPane(1, { ...env, TMUX: `${join(dir, "none")},1,0` })).toMatch(/^Cannot go to it: /);
});
