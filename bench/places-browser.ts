import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mediansOf, ms, row } from "./key-medians.ts";
import { command, ScreenTerminal } from "./screen-terminal.ts";

const size = { cols: 160, rows: 45 };

const KEYS = {
	"a row down and up": ["\x1b[B", "\x1b[A"],
	"a page down and up": ["\x1b[6~", "\x1b[5~"],
	"to the end and back": ["\x1b[F", "\x1b[H"],
	"mark all, and none": [command("Mark all listed"), command("Unmark all")],
	"the commands, and away": ["\x0b", "\x1b"],
} as const;

/**
 * The built program in a pseudo-terminal, with the sessions of all these hosts: from tab to the first of their rows and to the last
 * one, what a key costs then, and memory. `total`: how many sessions there are then.
 */
export async function measureBrowser(
	program: string,
	env: NodeJS.ProcessEnv & { readonly HOME: string },
	hosts: readonly string[],
	total: number,
): Promise<void> {
	const config = join(env.HOME, ".config", "pi-grove");
	mkdirSync(config, { recursive: true });
	writeFileSync(join(config, "places.json"), JSON.stringify(hosts.map((name) => ({ name, ssh: name }))));
	const all = `${total.toLocaleString("en-US")} sessions`;
	for (const name of ["never asked before", "with the rows of the last time"]) {
		const terminal = new ScreenTerminal([program], size, env);
		await terminal.waitFor((screen) => screen.includes("everywhere"));
		await terminal.idle();
		const asked = performance.now();
		const { frame } = await terminal.press("\t");
		// The header names the hosts that are asked.
		const hasRows = (screen: string): boolean => {
			const rows = screen.split("\n").slice(2);
			return rows.some((line) => hosts.some((host) => line.includes(` ${host} `)));
		};
		const first = (await terminal.waitFor(hasRows)) - asked;
		const last = (await terminal.waitFor((screen) => screen.includes(all) && !screen.includes("asking"))) - asked;
		row(`everywhere, ${name}: first rows, all ${all}`, "", `${ms(Math.max(first, frame))}, ${ms(last)}`);
		await terminal.idle();
		// The cursor has stayed on its session, which may be the last one.
		await terminal.press("\x1b[H");
		if (name !== "never asked before")
			for (const [key, keys] of Object.entries(KEYS)) {
				const medians = await mediansOf(terminal, keys);
				row(
					`${key}, ${all} of ${hosts.length} places`,
					"a frame (16 ms)",
					`${ms(medians.frame)}, work ${ms(medians.work)}`,
				);
			}
		row(`peak memory of the browser, ${name}`, "300 MB", `${terminal.peakMb} MB`);
		await terminal.end();
	}
}
