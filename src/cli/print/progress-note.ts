import { isDumb } from "../../terminal/terminal.ts";
import { cleanText } from "../../ui/text/sanitize.ts";

/** Where the note is printed, e.g. `process.stderr`. */
export interface Screen {
	readonly isTTY?: boolean;
	write(text: string): unknown;
}

/** How often the text is updated. */
const INTERVAL_MS = 500;

/** Awaits a promise; on a terminal that can erase it, shows a note after `delayMs` and removes it at the end. */
export async function withProgressNote<Result>(
	promise: Promise<Result>,
	text: () => string,
	screen: Screen = process.stderr,
	delayMs = 1000,
): Promise<Result> {
	if (!screen.isTTY || isDumb()) return promise;
	let shown = false;
	const show = (): void => {
		screen.write(`\r\x1b[K${cleanText(text())}`);
		shown = true;
		timer = setTimeout(show, INTERVAL_MS);
	};
	let timer = setTimeout(show, delayMs);
	try {
		return await promise;
	} finally {
		clearTimeout(timer);
		if (shown) screen.write("\r\x1b[K");
	}
}
