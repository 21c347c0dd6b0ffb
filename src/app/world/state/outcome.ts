import type { Shown } from "../../../changes/guard/guard.ts";
import type { Choice } from "./choice.ts";

/** A session to resume in pi. */
export interface ResumeRequest {
	/** Absolute path of the session file. */
	readonly path: string;
	/** Directory that pi is started in. */
	readonly cwd: string;
	/** Set to start pi in a new tmux window, while the browser stays. */
	readonly inWindow?: true;
	/** Undefined for a session that was just created: nobody else knows it. */
	readonly shown?: Shown;
	/** Whether the person agrees to stop the turn that is running in the pi that started the browser. */
	readonly stopsTurn?: boolean;
	/** Whether the person has been warned of problems with resuming. */
	readonly isWarned?: boolean;
}

/** The window of a request, for a session that is resumed instead. */
export function windowOf({ inWindow }: Pick<ResumeRequest, "inWindow">): Pick<ResumeRequest, "inWindow"> {
	return inWindow === undefined ? {} : { inWindow };
}

/** A pi to start: `command` with `args` in `cwd`. */
export interface PiRun {
	/** Path of the session. */
	readonly path: string;
	readonly cwd: string;
	readonly command: string;
	readonly args: readonly string[];
	/** What the person is told before it starts. */
	readonly note?: string;
}

/** How the person left the browser, and what to do once the terminal is restored. */
export type Outcome =
	| { readonly kind: "quit"; readonly exitCode?: number }
	/** Run pi, the terminal handed over; its exit code becomes ours. */
	| ({ readonly kind: "resume" } & PiRun)
	/** Report the choice to the program that started the browser for it. */
	| { readonly kind: "chosen"; readonly choice: Choice }
	/** A bug: print `error` and exit 1. */
	| { readonly kind: "failed"; readonly error: string };
