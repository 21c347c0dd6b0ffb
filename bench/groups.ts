import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ms, row } from "./key-medians.ts";
import { command, ScreenTerminal } from "./screen-terminal.ts";
import { makeHome } from "./small-sessions.ts";

/**
 * The whole built program in a pseudo-terminal of 160×45: how long 1,000 marked sessions take to be archived, deleted and
 * restored, and to be as they were by one undo. Run with `npm run bench -- groups`.
 */
const folder = join(tmpdir(), "pi-grove-bench-groups");
const program = join(import.meta.dirname, "..", "dist", "cli.js");
const SESSIONS = 1000;
const COUNT = SESSIONS.toLocaleString("en-US");

const MARK_ALL = command("Mark all listed");
const UNDO = "\x1f";
const ENTER = "\r";

/** Does something to all of them, and takes it back: keys, and what the screen says then. */
async function measure(
	terminal: ScreenTerminal,
	what: string,
	keys: string,
	says: string,
	undone: string,
): Promise<void> {
	for (const [name, typed, said] of [
		[what, keys, says],
		[`the undo of it`, UNDO, undone],
	] as const) {
		const [began, mainBefore, allBefore] = [performance.now(), terminal.workedMs, terminal.allWorkedMs];
		terminal.write(typed);
		const at = await terminal.waitFor((screen) => screen.includes(said));
		const work = `main thread ${ms(terminal.workedMs - mainBefore)}, all ${ms(terminal.allWorkedMs - allBefore)}`;
		row(`${COUNT} sessions: ${name}`, "1 s each 100", `${ms(at - began)}; ${work}`);
		await terminal.quiet(1500);
	}
}

rmSync(folder, { recursive: true, force: true });
const env = { ...makeHome(folder, SESSIONS), XDG_DATA_HOME: join(folder, "data") };
const terminal = new ScreenTerminal([program], { cols: 160, rows: 45 }, env);
await terminal.waitFor((screen) => screen.includes(`${COUNT} sessions`));
await terminal.quiet(3000);
await terminal.send(MARK_ALL);
terminal.write(command("Archive"));
await terminal.quiet();
await measure(terminal, "archive", ENTER, `Archived ${COUNT} sessions`, `Undone: archive ${COUNT} sessions`);
await terminal.send(MARK_ALL);
await terminal.send("\x04");
await measure(terminal, "delete", ENTER, `Moved ${COUNT} sessions`, `Undone: move ${COUNT} sessions`);
await terminal.send(MARK_ALL);
await terminal.send("\x04");
terminal.write(ENTER);
await terminal.waitFor((screen) => screen.includes(`Moved ${COUNT} sessions`));
await terminal.send(command("Trash"));
await terminal.waitFor((screen) => new RegExp(`In the trash +${COUNT}`).test(screen));
// On the heading of the group: all of it.
await terminal.send(" ");
await terminal.send("\x04");
await measure(terminal, "restore", ENTER, `Restored ${COUNT} sessions`, `Undone: restore ${COUNT} sessions`);
await terminal.end();
rmSync(folder, { recursive: true, force: true });
