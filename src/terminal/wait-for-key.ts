/** Waits for a key in a terminal that nobody else reads; resolves to what it sends, or to "" when `ending` comes first. */
export async function waitForKey(input: NodeJS.ReadStream, ending: Promise<void>): Promise<string> {
	const pressed = Promise.withResolvers<string>();
	const onData = (chunk: string | Buffer): void => pressed.resolve(String(chunk));
	input.setRawMode(true);
	input.on("data", onData);
	input.ref();
	input.resume();
	try {
		return await Promise.race([pressed.promise, ending.then(() => "")]);
	} finally {
		input.off("data", onData);
		input.pause();
		input.unref();
	}
}

/** Whether that key is ctrl+c, also where a program has left the kitty protocol on. */
export function isInterrupt(key: string): boolean {
	return key.startsWith("\x03") || key.startsWith("\x1b[99;5");
}
