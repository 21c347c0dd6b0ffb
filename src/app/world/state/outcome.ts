import type { Shown } from "../../../changes/guard/guard.ts";
import type { Choice } from "./choice.ts";

/** A session to resume in pi. */
export interface ResumeRequest {
	/** Absolute path of the session file. */
	readonly path: string;
	/** Directory that pi is started in. */
	readonly cwd: string;
	/** In a new window of tmux, while the browser stays. */
	readonly inWindow?: true;
	/** Undefined for a session that was just made: nobody else knows of it. */
	readonly shown?: Shown;
	/** Whether the person agrees that the turn is stopped which is running in the pi that started the browser. */
	readonly stopsTurn?: boolean;
	/** Whether the person knows of what speaks against it. */
	readonly isWarned?: boolean;
}

/** Where another session is resumed in place of this one. */
export function placeOfRun({ inWindow }: Pick<ResumeRequest, "inWindow">): Pick<ResumeRequest, "inWindow"> {
	return inWindow === undefined ? {} : { inWindow };
}

/** A pi to be started: `command` with `args` in `cwd`. */
export interface PiRun {
	/** Path of the session. */
	readonly path: string;
	readonly cwd: string;
	readonly command: string;
	readonly args: readonly string[];
}

/** How the person left the browser, and what to do once the terminal is restored. */
export type Outcome =
	| { readonly kind: "quit"; readonly exitCode?: number }
	/** Run pi, the terminal handed over; its exit code becomes ours. */
	| ({ readonly kind: "resume" } & PiRun)
	/** Tell whoever started the browser for a choice what was chosen. */
	| { readonly kind: "chosen"; readonly choice: Choice }
	/** A bug: print `error` and exit 1. */
	| { readonly kind: "failed"; readonly error: string };
