import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Effect } from "../../src/app/world/state/effect.ts";
import type { SessionRoots } from "../../src/catalog/model/session-roots.ts";
import { childProgram } from "./bundled-programs.ts";

/**
 * When the process is killed: after the note in the journal that comes before a change, or instead of the one that comes
 * after it, once it has written so many notes of that kind (default 0); or from outside, `afterMs` ms after it has begun so
 * many changes.
 */
export type KilledAt =
	| { readonly note: "begin" | "done"; readonly after?: number }
	| { readonly begun: number; readonly afterMs: number };

/** What the process (`change-child.ts`) gets, as JSON. */
export interface KilledChange {
	readonly effect: Effect;
	readonly sessionRoots: SessionRoots;
	/** Path of the journal. */
	readonly journal: string;
	readonly env: Readonly<Record<string, string>>;
	readonly killedAt: KilledAt;
}

/** Carries out an effect in a process that is killed meanwhile; resolves when it has ended, with the signal that ended it. */
export async function killedChange(task: KilledChange): Promise<NodeJS.Signals | null> {
	const script = childProgram("journal/change-child.ts");
	const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ["ignore", "pipe", "inherit"] });
	const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
	const { killedAt } = task;
	let said = "";
	child.stdout.on("data", (data) => {
		said += data;
		if (!("begun" in killedAt) || said.split("begins").length <= killedAt.begun) return;
		void delay(killedAt.afterMs).then(() => child.kill("SIGKILL"));
	});
	const [, signal] = await exited;
	return signal;
}
