import { sanitizeLine } from "../app/text/sanitize.ts";
import type { CatalogProblem } from "../catalog/model/event.ts";
import { explain } from "../store/files/store-error.ts";
import { EXIT } from "./exit-code.ts";

let isEnding = false;

/**
 * Ends the program when what it prints cannot be written: quietly when the reader of a pipe has ended, because
 * `pi-grove list | head` is not an error, else with the reason.
 */
export function endWithPipe(): void {
	if (isEnding) return;
	isEnding = true;
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code === "EPIPE") process.exit(EXIT.ok);
		note(`cannot write the output: ${explain(error)}`);
		process.exit(EXIT.failed);
	});
	// There is nowhere else to say that stderr cannot be written.
	process.stderr.on("error", () => undefined);
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
