/** A session to resume in pi. */
export interface ResumeRequest {
	/** Absolute path of the session file. */
	readonly path: string;
	/** Directory that pi is started in. */
	readonly cwd: string;
}

/** How the person left the browser, and what to do once the terminal is restored. */
export type Outcome =
	| { readonly kind: "quit" }
	/** Run `command` with `args` in `cwd`, the terminal handed over; its exit code becomes ours. */
	| { readonly kind: "resume"; readonly cwd: string; readonly command: string; readonly args: readonly string[] }
	/** A bug: print `error` and exit 1. */
	| { readonly kind: "failed"; readonly error: string };
