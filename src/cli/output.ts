import { sanitizeLine } from "../app/text/sanitize.ts";
import type { CatalogProblem } from "../catalog/model/event.ts";

/** Ends the program quietly when the reader of a pipe has ended: `pi-grove list | head` is not an error. */
export function endWithPipe(): void {
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code !== "EPIPE") throw error;
		process.exit(0);
	});
}

/** Prints on stdout; resolves when the text has been written, so that slow readers are waited for. */
export function print(text: string): Promise<void> {
	// Errors are handled by the listener above.
	return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

/** Prints problems on stderr, one per line. */
export function printProblems(problems: readonly CatalogProblem[]): void {
	for (const { message } of problems) note(message);
}

/** Prints one line on stderr. */
export function note(message: string): void {
	process.stderr.write(`pi-grove: ${sanitizeLine(message)}\n`);
}
