import { sanitizeLine } from "../app/text/sanitize.ts";
import type { CatalogProblem } from "../catalog/model/event.ts";

/** Makes the end of the reader of a pipe the quiet end of the program: `pi-grove list | head` is no error. */
export function endWithPipe(): void {
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code !== "EPIPE") throw error;
		process.exit(0);
	});
}

/** Prints on stdout; resolves when it has been taken, so that a slow reader is waited for, and the end of one noticed. */
export function print(text: string): Promise<void> {
	// An error is for the listener above, whether or not somebody waits here.
	return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

/** Prints what stood in the way on stderr, a line each. */
export function printProblems(problems: readonly CatalogProblem[]): void {
	for (const { message } of problems) note(message);
}

/** Prints one line for the person on stderr. */
export function note(message: string): void {
	process.stderr.write(`pi-grove: ${sanitizeLine(message)}\n`);
}
