/** Where the message goes; `process.stderr` is one. */
export interface Screen {
	readonly isTTY?: boolean;
	write(text: string): unknown;
}

/** The text is renewed this often, in ms. */
const INTERVAL_MS = 500;

/** The promise; a terminal says what is being waited for after `delay` ms, and takes it back at the end. */
export async function withProgressNote<Result>(
	promise: Promise<Result>,
	text: () => string,
	screen: Screen = process.stderr,
	delay = 1000,
): Promise<Result> {
	if (!screen.isTTY) return promise;
	let shown = false;
	const show = (): void => {
		screen.write(`\r\x1b[K${text()}`);
		shown = true;
		timer = setTimeout(show, INTERVAL_MS);
	};
	let timer = setTimeout(show, delay);
	try {
		return await promise;
	} finally {
		clearTimeout(timer);
		if (shown) screen.write("\r\x1b[K");
	}
}
