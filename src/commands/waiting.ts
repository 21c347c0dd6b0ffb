/** Where the message goes; `process.stderr` is one. */
export interface Screen {
	readonly isTTY?: boolean;
	write(text: string): unknown;
}

const message = "Reading what is new in the sessions; this takes long the first time only …";

/** The promise; a terminal says what is being waited for after `delay` ms, and takes it back at the end. */
export async function whileWaiting<Result>(
	promise: Promise<Result>,
	screen: Screen = process.stderr,
	delay = 1000,
): Promise<Result> {
	if (!screen.isTTY) return promise;
	let shown = false;
	const timer = setTimeout(() => {
		shown = true;
		screen.write(message);
	}, delay);
	try {
		return await promise;
	} finally {
		clearTimeout(timer);
		if (shown) screen.write("\r\x1b[K");
	}
}
